import { countLines } from "../bytes/count-newlines.ts";
import { UnitCounter } from "../bytes/unit-counter.ts";
import { encodeSlices } from "../bytes/utf8.ts";
import type { Limits } from "../limits/types.ts";
import type { Position } from "./pieces.ts";
import type { Size } from "./types.ts";

const NEWLINE = 0x0a;

/** Counts lines, bytes and UTF-16 units of a byte stream, whatever the chunks. Invalid UTF-8 counts as decoded. */
export class Counter {
  readonly #units = new UnitCounter();
  #bytes = 0;
  #lastByte = NEWLINE;

  write(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    this.#units.write(chunk);
    this.#bytes += chunk.length;
    this.#lastByte = chunk[chunk.length - 1]!;
  }

  /** Units of a sequence that is still open count only in `end()`. */
  get size(): Size {
    return { lines: this.#units.newlines + (this.#inLine ? 1 : 0), bytes: this.#bytes, chars: this.#units.units };
  }

  /** Where the next line begins, right after a newline or at the start. */
  get lineStart(): Position {
    return { line: this.#units.newlines + 1, byte: this.#bytes, char: this.#units.units };
  }

  /** Ends the stream: an unfinished sequence becomes a replacement character. */
  end(): Position {
    this.#units.end();
    const { newlines, units } = this.#units;
    return { line: newlines + 1, byte: this.#bytes, char: units, ...(this.#inLine ? { inLine: true } : {}) };
  }

  get #inLine(): boolean {
    return this.#bytes > 0 && this.#lastByte !== NEWLINE;
  }
}

/** Lines, UTF-8 bytes and UTF-16 units of a text. */
export function measure(text: string): Size {
  let bytes = 0;
  for (const slice of encodeSlices(text)) bytes += slice.length;
  return { lines: countLines(text), bytes, chars: text.length };
}

/**
 * About how many tokens a text of this size has, for statistics: 3.6 characters a token for ASCII, half a token for each
 * character of two bytes, one for each of three or four.
 */
export function roughTokens(size: { readonly chars: number; readonly bytes: number }): number {
  const wide = (size.bytes - size.chars) / 2;
  return Math.ceil((size.chars - wide) / 3.6 + wide);
}

/** No tokenizer packs more bytes than this into a token, save for runs of blanks. */
const TOKEN_BYTES = 64;

/** True when an output of this size exceeds a limit; of tokens, which only the whole text tells, when it surely does. */
export function exceeds(size: Size, limits: Limits): boolean {
  if (size.lines > limits.maxLines || size.bytes > limits.maxBytes || size.chars > limits.maxChars) return true;
  return size.bytes > limits.maxTokens * TOKEN_BYTES;
}
