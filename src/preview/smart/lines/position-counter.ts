import { UnitCounter } from "../../../bytes/unit-counter.ts";
import type { Position } from "../analyzer.ts";

const NEWLINE = 0x0a;

/** Counts lines, bytes and UTF-16 units byte by byte, the way a decoder would. */
export class PositionCounter {
  byte = 0;
  /** Byte at which the line begins. */
  lineStart = 0;
  readonly #counter = new UnitCounter();

  /** Takes the next byte. */
  take(byte: number): void {
    this.#counter.take(byte);
    this.byte++;
    if (byte === NEWLINE) this.lineStart = this.byte;
  }

  /** Takes `count` ASCII bytes without a newline. */
  takeAscii(count: number): void {
    this.#counter.takeAscii(count);
    this.byte += count;
  }

  /** Takes the bytes of a chunk from `from` to `to`. */
  takeRange(chunk: Uint8Array, from: number, to: number): void {
    for (let at = from; at < to; ) {
      while (at < to && (chunk[at] as number) >= 0x80) this.take(chunk[at++] as number);
      const start = at;
      let newlines = 0;
      for (; at < to; at++) {
        const byte = chunk[at] as number;
        if (byte >= 0x80) break;
        if (byte !== NEWLINE) continue;
        newlines++;
        this.lineStart = this.byte + at + 1 - start;
      }
      if (at === start) return;
      this.#counter.takeAscii(at - start, newlines);
      this.byte += at - start;
    }
  }

  /** True when the last character still lacks bytes. */
  get open(): boolean {
    return this.#counter.open;
  }

  get line(): number {
    return this.#counter.newlines + 1;
  }

  /** UTF-16 units so far; an open sequence counts as one. */
  get units(): number {
    return this.#counter.units + (this.open ? 1 : 0);
  }

  /** Where the next byte stands; an open sequence counts as one unit. */
  position(): Position {
    return new Place(this.line, this.byte, this.units, this.byte > this.lineStart);
  }
}

/**
 * A position with a form of its own. One made by a literal shares that of all positions, which changes when another shape
 * gives a line as a fraction; an engine then tried in vain, and forever, to optimize the loop that makes them.
 */
class Place implements Position {
  readonly line: number;
  readonly byte: number;
  readonly char: number;
  readonly inLine: boolean;

  constructor(line: number, byte: number, char: number, inLine: boolean) {
    this.line = line;
    this.byte = byte;
    this.char = char;
    this.inLine = inLine;
  }
}
