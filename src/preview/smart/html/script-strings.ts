import { decode } from "../../../bytes/utf8.ts";
import type { Position } from "../analyzer.ts";
import { advance } from "./advance.ts";
import { type PlacedText, splitText } from "./split-text.ts";

const MAX_STRING = 16_384;
/** Shorter strings, and those without spaces, are names and addresses. */
const MIN_STRING = 80;
const MIN_SPACES = 8;
const QUOTE = 34;
const BACKSLASH = 92;
const BREAK =
  /(?:\\[nrt]|(?:<|\\u003c)\\?\/?(?:p|div|br|h[1-6]|li|ul|ol|blockquote)\b[^<>\\]{0,300}\/?(?:>|\\u003e)|\s{2,})+/gi;
const TAG = /<\/?[a-z][^<>]{0,300}>/gi;

/** Finds running text in the strings of JSON within a script; of a string beyond 16 KB, its beginning. */
export class ScriptStrings {
  readonly #found: (text: string, start: Position, end: Position) => void;
  readonly #buffer = new Uint8Array(MAX_STRING);
  #length = 0;
  #inside = false;
  #escaped = false;
  #start: Position | undefined;

  constructor(found: (text: string, start: Position, end: Position) => void) {
    this.#found = found;
  }

  /** Takes the byte that stands at this place of the chunk. */
  take(byte: number, at: number, positionAt: (at: number) => Position): void {
    if (!this.#inside) {
      if (byte === QUOTE) this.#begin();
      return;
    }
    if (byte === QUOTE && !this.#escaped) {
      this.#inside = false;
      this.#tell();
      return;
    }
    this.#escaped = byte === BACKSLASH && !this.#escaped;
    this.#start ??= positionAt(at);
    if (this.#length < MAX_STRING) this.#buffer[this.#length++] = byte;
  }

  /** Forgets a string that has not ended. */
  reset(): void {
    this.#inside = false;
  }

  #begin(): void {
    this.#inside = true;
    this.#escaped = false;
    this.#length = 0;
    this.#start = undefined;
  }

  #tell(): void {
    if (this.#length < MIN_STRING || this.#start === undefined) return;
    const held = decode(this.#buffer.subarray(0, this.#length));
    const raw = this.#length === MAX_STRING ? held.replace(/\ufffd$/, "") : held;
    if (raw.includes("\ufffd") || raw.split(" ", MIN_SPACES + 1).length <= MIN_SPACES) return;
    let from = 0;
    let start = this.#start;
    for (const { index, 0: found } of [...raw.matchAll(BREAK), { index: raw.length, 0: "" }]) {
      const end = advance(start, raw.slice(from, index)) as Position;
      for (const part of splitText({ raw: raw.slice(from, index), start, end })) this.#give(part);
      start = advance(end, found) as Position;
      from = index + found.length;
    }
  }

  #give({ raw, start, end }: PlacedText): void {
    const text = unescapeString(raw).replace(TAG, "");
    if (text.trim() !== "") this.#found(text, start, end);
  }
}

function unescapeString(raw: string): string {
  return raw
    .replace(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (_, code: string | undefined, char: string | undefined) =>
      code === undefined
        ? /[bfnrt]/.test(char ?? "")
          ? " "
          : (char ?? "")
        : String.fromCharCode(Number.parseInt(code, 16)),
    )
    .toWellFormed();
}
