import { Relevance } from "../../../query/relevance.ts";
import type { Analyzer, AnalyzerOptions, Position, Room, Selection } from "../analyzer.ts";
import { roomChars } from "../lines/fill-room.ts";
import { Afterword } from "./afterword.ts";
import { drawBetween } from "./draw-between.ts";
import { HeadReader } from "./head-reader.ts";
import { HeadScanner } from "./head-scanner.ts";
import { JsonTree } from "./json-tree.ts";
import { type Plan, planPreview } from "./plan-preview.ts";
import { Preface } from "./preface.ts";
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
  readonly #tree: JsonTree;
  readonly #scanner: HeadScanner;
  readonly #reader = new HeadReader();
  readonly #preface = new Preface();
  readonly #afterword = new Afterword();
  /** False until JSON has begun. */
  #begun = false;
  /** Made once all has been read. */
  #plan: Plan | undefined;

  constructor({ room, query }: AnalyzerOptions) {
    const chars = roomChars(room);
    this.#tree = new JsonTree({
      reader: this.#reader,
      relevance: new Relevance(query),
      maxWeight: Math.max(600_000, 8 * chars),
      maxItems: Math.max(400, Math.min(1000, Math.floor(chars / 80))),
    });
    this.#scanner = new HeadScanner(this.#tree, this.#reader);
  }

  get wrongShape(): boolean {
    // What was said before is then more than a preface.
    if (this.#begun && this.#preface.bytes > LONGEST_PREFACE * this.#scanner.work) return true;
    return this.#scanner.malformed && !this.#afterword.explains(this.#scanner);
  }

  get work(): number {
    return this.#scanner.work + this.#tree.weighed;
  }

  write(chunk: Uint8Array): void {
    if (this.#begun) this.#read(chunk);
    else this.#begin(this.#preface.take(chunk));
  }

  finish(room: Room, total: Position): Selection {
    if (!this.#begun) this.#begin(this.#preface.end());
    this.#scanner.end();
    const { root } = this.#tree;
    if (this.#plan === undefined) {
      this.#tree.settle();
      this.#plan = planPreview(root);
    }
    const plan = this.#plan;
    const after = this.#afterword.explains(this.#scanner) ? this.#afterword.lines(total) : [];
    return drawBetween(this.#preface.lines, after, room, (rest) => selectJson(root, plan, rest, total.byte));
  }

  #begin(held: ReturnType<Preface["take"]>): void {
    if (held === undefined) return;
    const [before, after] = held;
    this.#begun = true;
    this.#reader.load(before);
    this.#reader.leave();
    this.#read(after);
  }

  #read(chunk: Uint8Array): void {
    this.#scanner.write(chunk);
    this.#afterword.take(chunk, this.#scanner);
  }
}
