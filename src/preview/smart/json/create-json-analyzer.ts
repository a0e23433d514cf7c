import { Relevance } from "../../../query/relevance.ts";
import { roomChars } from "../../lines/fill-room.ts";
import type { Analyzer, AnalyzerOptions, Position, Room, Selection } from "../analyzer.ts";
import { Afterword } from "./afterword.ts";
import { drawBetween } from "./draw-between.ts";
import { HeadReader } from "./head-reader.ts";
import { HeadScanner } from "./head-scanner.ts";
import { JsonTree, type JsonTreeOptions } from "./json-tree.ts";
import { type Plan, planPreview } from "./plan-preview.ts";
import { Preface } from "./preface.ts";
import { RecentRecords } from "./recent-records.ts";
import { raiseTied, restoreRecords } from "./restore-records.ts";
import { selectJson } from "./select-json.ts";

/**
 * Reads JSON, JSON lines or values in a row: its structure, and the items that say error or answer the question, between
 * what was said before and after it.
 */
export function createJsonAnalyzer(options: AnalyzerOptions): Analyzer {
  return new JsonAnalyzer(options);
}

/** Bytes before the JSON, for each of its own. */
const LONGEST_PREFACE = 0.5;

class JsonAnalyzer implements Analyzer {
  readonly #options: JsonTreeOptions;
  readonly #tree: JsonTree;
  readonly #scanner: HeadScanner;
  readonly #reader = new HeadReader();
  readonly #preface = new Preface();
  readonly #afterword = new Afterword();
  /** Undefined until JSON has begun. */
  #recent: RecentRecords | undefined;
  /** Made once all has been read. */
  #plan: Plan | undefined;

  constructor({ room, query }: AnalyzerOptions) {
    const chars = roomChars(room);
    this.#options = {
      reader: this.#reader,
      relevance: new Relevance(query),
      maxWeight: Math.max(600_000, 8 * chars),
      maxItems: Math.max(400, Math.min(1000, Math.floor(chars / 80))),
    };
    this.#tree = new JsonTree(this.#options);
    this.#scanner = new HeadScanner(this.#tree, this.#reader);
  }

  get wrongShape(): boolean {
    // What was said before is then more than a preface.
    if (this.#recent !== undefined && this.#preface.bytes > LONGEST_PREFACE * this.#scanner.work) return true;
    return this.#scanner.malformed && !this.#afterword.explains(this.#scanner);
  }

  get work(): number {
    return this.#scanner.work + this.#tree.weighed;
  }

  write(chunk: Uint8Array): void {
    if (this.#recent !== undefined) this.#read(chunk, this.#recent);
    else this.#begin(this.#preface.take(chunk));
  }

  finish(room: Room, total: Position): Selection {
    if (this.#recent === undefined) this.#begin(this.#preface.end());
    this.#plan ??= this.#end();
    const plan = this.#plan;
    const { root } = this.#tree;
    const after = this.#afterword.explains(this.#scanner) ? this.#afterword.lines(total) : [];
    return drawBetween(this.#preface.lines, after, room, (rest) => selectJson(root, plan, rest, total.byte));
  }

  #begin(held: ReturnType<Preface["take"]>): void {
    if (held === undefined) return;
    const [before, after] = held;
    this.#recent = new RecentRecords(before.length);
    this.#reader.load(before);
    this.#reader.leave();
    this.#read(after, this.#recent);
  }

  #read(chunk: Uint8Array, recent: RecentRecords): void {
    for (let at = 0; at < chunk.length; ) {
      const part = chunk.subarray(at, at + recent.free);
      at += part.length;
      this.#scanner.write(part);
      this.#afterword.take(part, this.#scanner);
      recent.take(part, this.#tree.root);
    }
  }

  #end(): Plan {
    this.#scanner.end();
    const records = this.#recent?.end(this.#tree.root) ?? new Map();
    restoreRecords(this.#tree, this.#options, records);
    this.#tree.settle();
    return planPreview(this.#tree.root, raiseTied(this.#tree, records));
  }
}
