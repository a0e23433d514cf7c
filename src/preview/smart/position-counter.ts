import { UnitCounter } from "../../bytes/unit-counter.ts";
import type { Position } from "../pieces.ts";

const NEWLINE = 0x0a;
const NOTHING = new Uint8Array(0);
/** A newline that is nearer is found sooner by looking at each byte. */
const NEAR_BYTES = 32;

/**
 * Tells where the bytes of a chunk stand in lines, bytes and UTF-16 units, the way a decoder would count. In a chunk that is
 * all ASCII any place can be asked for, else only ever later ones.
 */
export class PositionCounter {
  /** Where the place counted to stands; an open sequence counts as one unit. */
  line = 1;
  byte = 0;
  units = 0;
  /** Byte at which the line begins. */
  lineStart = 0;
  #counter = new UnitCounter();
  #chunk: Uint8Array = NOTHING;
  /** Of a chunk that is all ASCII, the same as text. */
  #text: string | undefined;
  /** Of another, how many bytes are counted. */
  #counted = 0;
  /** Where the chunk begins. */
  #first = new Place(1, 0, 0, false);
  #firstLineStart = 0;
  /** Newlines before the place of the chunk that was asked for last, where the line begins in it, and the next newline. */
  #newlines = 0;
  #lineFrom = 0;
  #newline = 0;

  /** Counts on from another place, the first of a line. */
  moveTo({ line, byte, char }: Position): void {
    this.#chunk = NOTHING;
    this.#counter = new UnitCounter();
    this.#counter.takeAscii(char, line - 1);
    this.line = line;
    this.byte = byte;
    this.units = char;
    this.lineStart = byte;
  }

  /** Goes on to the next chunk, once the last is counted; `ascii` is the same as text if it is all ASCII. */
  load(chunk: Uint8Array, ascii: string | undefined): void {
    if (this.#text !== undefined && this.#chunk.length > 0) {
      this.#seek(this.#chunk.length, this.#text);
      this.#counter.takeAscii(this.#chunk.length, this.#newlines);
    }
    this.#chunk = chunk;
    this.#text = ascii;
    this.#counted = 0;
    this.#first = this.position();
    this.#firstLineStart = this.lineStart;
    if (ascii !== undefined) this.#rewind(ascii);
  }

  /** Counts the bytes of the chunk before this place. */
  countTo(at: number): void {
    const text = this.#text;
    const first = this.#first;
    if (text === undefined) {
      this.#takeRange(this.#counted, at);
      this.#counted = at;
      this.line = this.#counter.newlines + 1;
      this.units = this.#counter.units + (this.open ? 1 : 0);
      this.byte = first.byte + at;
      return;
    }
    this.#seek(at, text);
    this.line = first.line + this.#newlines;
    this.byte = first.byte + at;
    this.units = first.char + at;
    this.lineStart = first.byte + this.#lineFrom;
  }

  /** True when the last character before a chunk still lacks bytes. */
  get open(): boolean {
    return this.#counter.open;
  }

  /** True when the place counted to is not the first of its line. */
  get inLine(): boolean {
    return this.byte > this.lineStart;
  }

  /** The place counted to. */
  position(): Place {
    return new Place(this.line, this.byte, this.units, this.inLine);
  }

  /** The position of a place. */
  positionAt(at: number): Place {
    const text = this.#text;
    if (text === undefined) {
      this.countTo(at);
      return this.position();
    }
    this.#seek(at, text);
    const { line, byte, char } = this.#first;
    return new Place(line + this.#newlines, byte + at, char + at, at > this.#lineFrom);
  }

  #rewind(text: string): void {
    this.#newlines = 0;
    this.#lineFrom = this.#firstLineStart - this.#first.byte;
    this.#newline = this.#nextNewline(text, 0);
  }

  #seek(at: number, text: string): void {
    if (at < this.#lineFrom) this.#rewind(text);
    while (this.#newline < at) {
      this.#newlines++;
      this.#lineFrom = this.#newline + 1;
      this.#newline = this.#nextNewline(text, this.#lineFrom);
    }
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
      for (; at < to && (chunk[at] as number) >= 0x80; at++) this.#counter.take(chunk[at] as number);
      const start = at;
      let newlines = 0;
      for (; at < to; at++) {
        const byte = chunk[at] as number;
        if (byte >= 0x80) break;
        if (byte !== NEWLINE) continue;
        newlines++;
        this.lineStart = this.#first.byte + at + 1;
      }
      if (at === start) return;
      this.#counter.takeAscii(at - start, newlines);
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
