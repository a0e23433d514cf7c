import { asciiEnd } from "./ascii.ts";
import { countNewlines } from "./count-newlines.ts";

const NEWLINE = 0x0a;
/** Bytes that are looked at twice before the next ones: they stay in the processor's cache. */
const SLICE_BYTES = 65_536;
/** After so many ASCII bytes in a row the next ones are passed many at once again. */
const ASCII_RUN = 16;

/**
 * Counts the newlines of a byte stream and the UTF-16 units that decoding it as UTF-8 gives, whatever the chunks.
 * Every malformed sequence counts as the one replacement character that a decoder puts for it.
 */
export class UnitCounter {
  newlines = 0;
  units = 0;
  /** Bytes that the open sequence still needs, and the range in which the next must lie. */
  #needed = 0;
  #lowest = 0x80;
  #highest = 0xbf;
  /** Units of the open sequence once it is whole. */
  #worth = 0;

  write(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; at += SLICE_BYTES) this.#count(chunk.subarray(at, at + SLICE_BYTES));
  }

  take(byte: number): void {
    if (byte === NEWLINE) this.newlines++;
    this.#takeUnit(byte);
  }

  #takeUnit(byte: number): void {
    if (this.#needed > 0) {
      if (byte >= this.#lowest && byte <= this.#highest) {
        this.#lowest = 0x80;
        this.#highest = 0xbf;
        if (--this.#needed === 0) this.units += this.#worth;
        return;
      }
      this.end();
    }
    if (byte >= 0x80) {
      this.#begin(byte);
      return;
    }
    this.units++;
  }

  /** Takes `count` ASCII bytes, so many newlines among them. */
  takeAscii(count: number, newlines = 0): void {
    this.end();
    this.units += count;
    this.newlines += newlines;
  }

  /** True when the last character still lacks bytes. */
  get open(): boolean {
    return this.#needed > 0;
  }

  /** Ends the stream: an unfinished sequence is malformed. */
  end(): void {
    if (this.#needed > 0) this.units++;
    this.#needed = 0;
  }

  #count(chunk: Uint8Array): void {
    this.newlines += countNewlines(chunk);
    for (let at = 0; at < chunk.length; ) {
      if (this.#needed === 0) {
        const end = asciiEnd(chunk, at, chunk.length);
        this.units += end - at;
        at = end;
      }
      at = this.#countSequences(chunk, at);
    }
  }

  /** Counts byte by byte until a run of ASCII or the end of the chunk; gives where it stopped. */
  #countSequences(chunk: Uint8Array, from: number): number {
    let run = 0;
    let at = from;
    for (; at < chunk.length && run < ASCII_RUN; at++) {
      const byte = chunk[at]!;
      this.#takeUnit(byte);
      run = byte < 0x80 ? run + 1 : 0;
    }
    return at;
  }

  /** A byte above 0x7f where a sequence may begin. */
  #begin(byte: number): void {
    if (byte < 0xc2 || byte > 0xf4) {
      this.units++;
      return;
    }
    this.#needed = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
    this.#worth = byte < 0xf0 ? 1 : 2;
    this.#lowest = byte === 0xe0 ? 0xa0 : byte === 0xf0 ? 0x90 : 0x80;
    this.#highest = byte === 0xed ? 0x9f : byte === 0xf4 ? 0x8f : 0xbf;
  }
}
