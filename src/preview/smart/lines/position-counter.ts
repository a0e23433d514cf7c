import type { Position } from "../analyzer.ts";

/**
 * Counts lines, bytes and UTF-16 units byte by byte, the way a decoder would: every ill-formed sequence is one
 * replacement character.
 */
export class PositionCounter {
  line = 1;
  byte = 0;
  char = 0;
  /** Byte at which the line begins. */
  lineStart = 0;
  /** Continuation bytes that the open sequence still needs, and the range the next must lie in. */
  #needed = 0;
  #lower = 0x80;
  #upper = 0xbf;
  #units = 1;

  /** Takes the next byte. */
  take(byte: number): void {
    if (this.#needed > 0) {
      if (byte >= this.#lower && byte <= this.#upper) {
        this.#lower = 0x80;
        this.#upper = 0xbf;
        this.byte++;
        if (--this.#needed === 0) this.char += this.#units;
        return;
      }
      this.#needed = 0;
      this.char++;
    }
    this.byte++;
    if (byte < 0x80) {
      this.char++;
      if (byte === 10) {
        this.line++;
        this.lineStart = this.byte;
      }
    } else {
      this.#lead(byte);
    }
  }

  /** Takes `count` ASCII bytes without a newline. */
  takeAscii(count: number): void {
    if (this.#needed > 0) {
      this.#needed = 0;
      this.char++;
    }
    this.byte += count;
    this.char += count;
  }

  /** True when the last character still lacks bytes. */
  get open(): boolean {
    return this.#needed > 0;
  }

  /** UTF-16 units so far; an open sequence counts as one. */
  get units(): number {
    return this.#needed > 0 ? this.char + 1 : this.char;
  }

  /** Where the next byte stands; an open sequence counts as one unit. */
  position(): Position {
    return { line: this.line, byte: this.byte, char: this.units, inLine: this.byte > this.lineStart };
  }

  #lead(byte: number): void {
    this.#lower = 0x80;
    this.#upper = 0xbf;
    this.#units = 1;
    if (byte >= 0xc2 && byte <= 0xdf) {
      this.#needed = 1;
    } else if (byte >= 0xe0 && byte <= 0xef) {
      this.#needed = 2;
      if (byte === 0xe0) this.#lower = 0xa0;
      if (byte === 0xed) this.#upper = 0x9f;
    } else if (byte >= 0xf0 && byte <= 0xf4) {
      this.#needed = 3;
      this.#units = 2;
      if (byte === 0xf0) this.#lower = 0x90;
      if (byte === 0xf4) this.#upper = 0x8f;
    } else {
      this.char++;
    }
  }
}
