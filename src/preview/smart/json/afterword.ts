import { concat } from "../../../bytes/concat.ts";
import { decode } from "../../../bytes/utf8.ts";
import type { HeldLine } from "../../lines/held-line.ts";
import { LineReader } from "../../lines/line-reader.ts";
import type { Position } from "../analyzer.ts";
import type { HeadScanner } from "./head-scanner.ts";

const MOST_BYTES = 4096;
/** Of the JSON it may be at most this share; otherwise that is but a part of what was printed. */
const SHARE = 1 / 8;
const NOTHING = new Uint8Array(0);

/** What was said after the JSON: how the command ended, advice of the program that started it. */
export class Afterword {
  #held: Uint8Array = NOTHING;
  /** Bytes that the scanner was given. */
  #bytes = 0;

  /** Takes what the scanner was just given. */
  take(chunk: Uint8Array, { ended }: HeadScanner): void {
    const start = this.#bytes;
    this.#bytes += chunk.length;
    if (ended === 0 || this.#bytes - ended > MOST_BYTES) this.#held = NOTHING;
    else if (ended >= start) this.#held = chunk.slice(ended - start);
    else this.#held = concat([this.#held, chunk], this.#held.length + chunk.length);
  }

  /** True when all that is no JSON came after it, and is short enough to be shown. */
  explains({ malformed, depth, ended }: HeadScanner): boolean {
    return malformed && depth === 0 && this.#bytes - ended <= Math.min(MOST_BYTES, SHARE * ended);
  }

  /** Its lines, of an output that ends there; what stands in the last line of the JSON is none. */
  lines(end: Position): readonly HeldLine[] {
    const text = decode(this.#held);
    const from = {
      line: end.line - (text.split("\n").length - 1),
      byte: end.byte - this.#held.length,
      char: end.char - text.length,
    };
    const lines: HeldLine[] = [];
    const reader = new LineReader((line, span) => {
      const { line: number, byte, char, bytes, chars, terminated, cut } = span;
      if (number === 1 || line.trim() === "") return;
      const place = { line: number - 1 + from.line, byte: byte + from.byte, char: char + from.char };
      lines.push({ text: line, ...place, bytes, chars, terminated, cut });
    });
    reader.write(this.#held);
    reader.end();
    return lines;
  }
}
