import type { Analyzer, AnalyzerOptions, Position, Room, Selection } from "../analyzer.ts";
import { fitsRoom, roomChars } from "../lines/fill-room.ts";
import { Relevance } from "../lines/relevance.ts";
import { JsonScanner } from "./json-scanner.ts";
import { JsonTree } from "./json-tree.ts";
import { JsonRenderer } from "./render-json.ts";

/** Reads JSON, JSON lines or values in a row: its structure, and the items that say error or answer the question. */
export function createJsonAnalyzer(options: AnalyzerOptions): Analyzer {
  return new JsonAnalyzer(options);
}

class JsonAnalyzer implements Analyzer {
  readonly #tree: JsonTree;
  readonly #scanner: JsonScanner;

  constructor({ room, query }: AnalyzerOptions) {
    this.#tree = new JsonTree(new Relevance(query), Math.max(600_000, 8 * roomChars(room)));
    this.#scanner = new JsonScanner(this.#tree);
  }

  get wrongShape(): boolean {
    return this.#scanner.malformed;
  }

  write(chunk: Uint8Array): void {
    this.#scanner.write(chunk);
  }

  finish(room: Room, total: Position): Selection {
    this.#scanner.end();
    let budget = roomChars(room);
    let best: Selection = { text: "", pieces: [] };
    for (let round = 0; round < 8; round++) {
      const made = new JsonRenderer((node) => this.#tree.value(node)).render(this.#tree.root, total.byte, budget);
      if (fitsRoom(made.text, room)) {
        if (made.text.length <= best.text.length) break;
        best = made;
        budget *= Math.min(1.5, Math.max(1.02, (roomChars(room) / made.text.length) * 0.97));
      } else {
        if (best.text !== "") break;
        budget *= Math.min(0.8, (roomChars(room) / made.text.length) * 0.95);
      }
    }
    return best;
  }
}
