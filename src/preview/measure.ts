import type { Position } from "./pieces.ts";
import type { Size } from "./types.ts";

const NEWLINE = 0x0a;
const NO_WORDS = new Int32Array(0);

/** Counts lines, bytes and UTF-16 units of a byte stream, whatever the chunks. Invalid UTF-8 counts as decoded. */
export class Counter {
  #newlines = 0;
  #bytes = 0;
  #chars = 0;
  #lastByte = NEWLINE;
  /** Created on the first byte that is not ASCII; ASCII chunks never pass through it unless a sequence is open. */
  #decoder: InstanceType<typeof TextDecoder> | undefined;
  #open = false;

  write(chunk: Uint8Array): void {
    const length = chunk.length;
    if (length === 0) return;
    const { newlines, ascii } = scan(chunk);
    this.#newlines += newlines;
    this.#bytes += length;
    this.#lastByte = chunk[length - 1]!;
    if (ascii && !this.#open) {
      this.#chars += length;
      return;
    }
    this.#decoder ??= new TextDecoder("utf-8", { ignoreBOM: true });
    this.#chars += this.#decoder.decode(chunk, { stream: true }).length;
    this.#open = this.#lastByte >= 0x80;
  }

  /** Units of a sequence that is still open count only in `end()`. */
  get size(): Size {
    const openLine = this.#bytes > 0 && this.#lastByte !== NEWLINE;
    return { lines: this.#newlines + (openLine ? 1 : 0), bytes: this.#bytes, chars: this.#chars };
  }

  /** Ends the stream: an unfinished sequence becomes a replacement character. */
  end(): Position {
    if (this.#open && this.#decoder !== undefined) this.#chars += this.#decoder.decode().length;
    this.#open = false;
    const inLine = this.#bytes > 0 && this.#lastByte !== NEWLINE;
    return { line: this.#newlines + 1, byte: this.#bytes, char: this.#chars, ...(inLine ? { inLine } : {}) };
  }
}

/** Newlines of a chunk and whether it is all ASCII, four bytes at a time. */
function scan(chunk: Uint8Array): { newlines: number; ascii: boolean } {
  let newlines = 0;
  let seen = 0;
  const lead = (4 - (chunk.byteOffset & 3)) & 3;
  const wordCount = Math.max(0, (chunk.length - lead) >> 2);
  const words = wordCount === 0 ? NO_WORDS : new Int32Array(chunk.buffer, chunk.byteOffset + lead, wordCount);
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!;
    seen |= word;
    // High bit set in each byte of `hits` where the byte is a newline; exact, no carries between bytes.
    const diff = word ^ 0x0a0a0a0a;
    let hits = ~(((diff & 0x7f7f7f7f) + 0x7f7f7f7f) | diff | 0x7f7f7f7f);
    while (hits !== 0) {
      hits &= hits - 1;
      newlines++;
    }
  }
  const rest = lead + wordCount * 4;
  for (let index = 0; index < chunk.length; index++) {
    if (index === lead) index = rest;
    const byte = chunk[index];
    if (byte === undefined) break;
    seen |= byte;
    if (byte === NEWLINE) newlines++;
  }
  return { newlines, ascii: (seen & 0x80808080) === 0 };
}

const encoder = new TextEncoder();
const SLICE = 64 * 1024;

/** The UTF-8 bytes of a text, piece by piece in a reused buffer; lone surrogates become replacement characters. */
export function* encodeSlices(text: string): Generator<Uint8Array, void, void> {
  const buffer = new Uint8Array(Math.min(text.length + 1, SLICE + 1) * 3);
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + SLICE);
    const last = text.charCodeAt(end - 1);
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end++;
    const { written } = encoder.encodeInto(text.slice(start, end), buffer);
    yield buffer.subarray(0, written);
    start = end;
  }
}

/** Lines, UTF-8 bytes and UTF-16 units of a text. */
export function measure(text: string): Size {
  let bytes = 0;
  for (const slice of encodeSlices(text)) bytes += slice.length;
  return { lines: countLines(text), bytes, chars: text.length };
}

/** Lines of a text; a final newline does not open another one. */
export function countLines(text: string): number {
  if (text === "") return 0;
  let lines = text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}
