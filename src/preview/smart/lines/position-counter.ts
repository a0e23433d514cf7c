import { UnitCounter } from "../../../bytes/unit-counter.ts";
import type { Position } from "../analyzer.ts";

const NEWLINE = 0x0a;
const NOTHING = new Uint8Array(0);
/** A newline that is nearer is found sooner by looking at each byte. */
const NEAR_BYTES = 32;

/** Counts lines, bytes and UTF-16 units up to ever later places of a chunk, the way a decoder would. */
export class PositionCounter {
  byte = 0;
  /** Byte at which the line begins. */
  lineStart = 0;
  readonly #counter = new UnitCounter();
  #chunk: Uint8Array = NOTHING;
  /** Of a chunk that is all ASCII, the same as text. */
  #text: string | undefined;
  /** Bytes of the chunk that are counted, and where its next newline is if it is all ASCII. */
  #counted = 0;
  #newline = 0;

  /** Goes on to the next chunk, once the last is counted; `ascii` is the same as text if it is all ASCII. */
  load(chunk: Uint8Array, ascii: string | undefined): void {
    this.#chunk = chunk;
    this.#text = ascii;
    this.#counted = 0;
    this.#newline = ascii === undefined ? 0 : this.#nextNewline(ascii, 0);
  }

  /** Counts the bytes of the chunk before this place, which is not before the last. */
  countTo(at: number): void {
    const text = this.#text;
    if (text === undefined) {
      this.#takeRange(this.#counted, at);
      this.#counted = at;
      return;
    }
    let newlines = 0;
    while (this.#newline < at) {
      newlines++;
      this.lineStart = this.byte + this.#newline + 1 - this.#counted;
      this.#newline = this.#nextNewline(text, this.#newline + 1);
    }
    const count = at - this.#counted;
    if (count === 0) return;
    this.#counter.takeAscii(count, newlines);
    this.byte += count;
    this.#counted = at;
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

  /** True when the next byte is not the first of its line. */
  get inLine(): boolean {
    return this.byte > this.lineStart;
  }

  /** Where the next byte stands; an open sequence counts as one unit. */
  position(): Position {
    return new Place(this.line, this.byte, this.units, this.inLine);
  }

  #nextNewline(text: string, from: number): number {
    const chunk = this.#chunk;
    const near = Math.min(from + NEAR_BYTES, chunk.length);
    for (let at = from; at < near; at++) if (chunk[at] === NEWLINE) return at;
    const found = text.indexOf("\n", near);
    return found < 0 ? chunk.length : found;
  }

  #takeRange(from: number, to: number): void {
    const chunk = this.#chunk;
    for (let at = from; at < to; ) {
      for (; at < to && (chunk[at] as number) >= 0x80; at++) {
        this.#counter.take(chunk[at] as number);
        this.byte++;
      }
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
}

/**
 * A position with a form of its own. One made by a literal shares that of all positions, which changes when another shape
 * gives a line as a fraction; an engine then tried in vain, and forever, to optimize the loop that makes them.
 */
export class Place implements Position {
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
