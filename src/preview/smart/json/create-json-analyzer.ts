import { Relevance } from "../../../query/relevance.ts";
import { fitsRoom } from "../../fit.ts";
import { type Analyzer, type AnalyzerOptions, NOTHING, type Position, type Room, type Selection } from "../analyzer.ts";
import { roomChars } from "../lines/fill-room.ts";
import { Afterword } from "./afterword.ts";
import { chooseNodes } from "./choose-nodes.ts";
import { drawBetween } from "./draw-between.ts";
import { HeadReader } from "./head-reader.ts";
import { HeadScanner } from "./head-scanner.ts";
import { JsonTree } from "./json-tree.ts";
import { planPreview } from "./plan-preview.ts";
import { Preface } from "./preface.ts";
import { type DrawnJson, renderJson } from "./render-json.ts";

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
    this.#tree.settle();
    const after = this.#afterword.explains(this.#scanner) ? this.#afterword.lines(total) : [];
    return drawBetween(this.#preface.lines, after, room, (rest) => this.#select(rest, total));
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

  #select(room: Room, total: Position): Selection {
    const plan = planPreview(this.#tree.root);
    let best: DrawnJson | undefined;
    let low = 0;
    let high = Number.POSITIVE_INFINITY;
    let budget = roomChars(room);
    for (let round = 0; round < 7 && high - low > Math.max(100, budget / 32); round++) {
      const made = renderJson(this.#tree.root, chooseNodes(plan, budget), total.byte);
      if (fitsRoom(made.text, room)) {
        low = budget;
        const same = made.text.length === best?.text.length;
        if (best === undefined || made.text.length > best.text.length) best = made;
        // What is left then is hardly worth another drawing.
        if (best.text.length > 0.98 * roomChars(room)) break;
        if (same && high === Number.POSITIVE_INFINITY) break;
      } else {
        high = budget;
      }
      budget = high === Number.POSITIVE_INFINITY ? budget * 1.4 : (low + high) / 2;
    }
    return best?.select() ?? NOTHING;
  }
}
