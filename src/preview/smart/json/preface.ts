import { concat } from "../../../bytes/concat.ts";
import { decode } from "../../../bytes/utf8.ts";
import { type HeldLine, holdLine } from "../../lines/held-line.ts";
import { LineReader } from "../../lines/line-reader.ts";

const MOST_LINES = 40;
const MOST_BYTES = 4096;
/** Bytes of a line that tell whether JSON begins in it. */
const LOOKED_BYTES = 64;
const BEGINS = /^\s*(?:\{\s*(?:"|\}|$)|\[\s*(?:[[{"\]]|$|-?\d[\d.eE+-]*\s*,|(?:true|false|null)\b))/;
const NEWLINE = 10;
const BRACE = 123;

/** Which of an output's first lines JSON begins in; -1 for none. */
export function jsonLine(lines: readonly string[]): number {
  let chars = 0;
  for (let index = 0; index < lines.length && index <= MOST_LINES && chars <= MOST_BYTES; index++) {
    const line = lines[index] as string;
    if (BEGINS.test(line.slice(0, LOOKED_BYTES))) return index;
    chars += line.length + 1;
  }
  return -1;
}

/** What a tool says before its JSON: warnings of the program that started it, headers of an answer. */
export class Preface {
  #held: Uint8Array = new Uint8Array(0);
  readonly #lines: HeldLine[] = [];

  /** Takes the next bytes; once it is known where JSON begins, gives all that were held: before it, and from there on. */
  take(chunk: Uint8Array): readonly [before: Uint8Array, after: Uint8Array] | undefined {
    const held = this.#held.length === 0 ? chunk : concat([this.#held, chunk], this.#held.length + chunk.length);
    const start = beginningOf(held);
    if (start !== undefined) return this.#split(held, start);
    this.#held = held === chunk ? chunk.slice() : held;
    return undefined;
  }

  /** The output ends: all that was held is taken for JSON. */
  end(): readonly [before: Uint8Array, after: Uint8Array] {
    return this.#split(this.#held, 0);
  }

  /** Bytes before the JSON. */
  get bytes(): number {
    return this.#lines.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  get lines(): readonly HeldLine[] {
    return this.#lines;
  }

  #split(held: Uint8Array, start: number): readonly [before: Uint8Array, after: Uint8Array] {
    const before = held.subarray(0, start);
    const reader = new LineReader((text, span) => this.#lines.push(holdLine(text, span)));
    reader.write(before);
    reader.end();
    this.#held = new Uint8Array(0);
    return [before, held.subarray(start)];
  }
}

/** Where the line begins in which JSON does, 0 when it begins in none of the first; undefined until that is known. */
function beginningOf(bytes: Uint8Array): number | undefined {
  // Most JSON has nothing before it, and nothing else begins so.
  if (bytes[0] === BRACE) return 0;
  let start = 0;
  for (let line = 0; line <= MOST_LINES && start <= MOST_BYTES; line++) {
    const newline = bytes.indexOf(NEWLINE, start);
    if (newline < 0 && bytes.length < start + LOOKED_BYTES) return undefined;
    const end = newline < 0 ? bytes.length : newline;
    if (BEGINS.test(decode(bytes.subarray(start, Math.min(end, start + LOOKED_BYTES))))) return start;
    if (newline < 0) return bytes.length > MOST_BYTES ? 0 : undefined;
    start = newline + 1;
  }
  return 0;
}
