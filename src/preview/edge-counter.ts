import { concat } from "../bytes/concat.ts";
import { Counter } from "./measure.ts";
import type { Position } from "./pieces.ts";
import type { Size } from "./types.ts";

const NEWLINE = 0x0a;

/** The end of a line that begins in the head window and ends after it. */
export interface FarEnd {
  /** Just after its newline. */
  readonly end: Position;
  /** Its last bytes after the head window, without the newline. */
  readonly ending: Uint8Array;
}

/** The beginning of a line that ends in the tail window and begins before it. */
export interface FarStart {
  readonly start: Position;
  readonly beginning: Uint8Array;
}

/**
 * Counts an output, and remembers of the two lines that cross the edges of its windows the ends that lie outside. Of the
 * lines across the tail's edge only one longer than a quarter of the window can matter: else more is shown than fits.
 */
export class EdgeCounter {
  readonly #counter = new Counter();
  readonly #reach: number;
  /** Bytes kept of either far end, and the least length of a line that is remembered. */
  readonly #keep: number;
  readonly #afterHead = new LastBytes();
  #headLine: FarEnd | undefined;
  #open = new OpenLine({ line: 1, byte: 0, char: 0 });
  #lastLong: { readonly line: OpenLine; readonly endByte: number } | undefined;

  constructor(reach: number) {
    this.#reach = reach;
    this.#keep = Math.ceil(reach / 4);
  }

  get size(): Size {
    return this.#counter.size;
  }

  write(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; at += this.#keep) this.#step(chunk.subarray(at, at + this.#keep));
  }

  end(): Position {
    return this.#counter.end();
  }

  /** The far end of the line across the head's edge, once that line has ended. */
  get headLine(): FarEnd | undefined {
    return this.#headLine;
  }

  /** The far beginning of the line across the edge of a tail window that begins at this byte. */
  tailLine(tailStart: number): FarStart | undefined {
    if (this.#open.start.byte < tailStart) return this.#open.farStart();
    const long = this.#lastLong;
    return long !== undefined && long.line.start.byte < tailStart && tailStart < long.endByte
      ? long.line.farStart()
      : undefined;
  }

  #step(chunk: Uint8Array): void {
    const ended = this.#headLine === undefined ? this.#watchHeadLine(chunk) : 0;
    if (ended > 0) {
      this.#count(chunk.subarray(0, ended));
      this.#headLine = { end: this.#counter.lineStart, ending: this.#afterHead.bytes };
    }
    this.#count(chunk.subarray(ended));
  }

  /** Keeps what the line across the head's edge has outside; gives the offset after the newline that ends it, else 0. */
  #watchHeadLine(chunk: Uint8Array): number {
    const edge = this.#reach - this.#counter.size.bytes;
    if (edge > chunk.length) return 0;
    const newline = chunk.indexOf(NEWLINE, Math.max(0, edge - 1));
    const outside = chunk.subarray(Math.max(0, edge), newline === -1 ? chunk.length : newline);
    this.#afterHead.append(outside, this.#keep);
    return newline + 1;
  }

  #count(part: Uint8Array): void {
    const last = part.lastIndexOf(NEWLINE);
    if (last !== -1) {
      const base = this.#counter.size.bytes;
      if (base + last - this.#open.start.byte >= this.#keep) this.#rememberLong(base + part.indexOf(NEWLINE) + 1);
      this.#counter.write(part.subarray(0, last + 1));
      this.#open = new OpenLine(this.#counter.lineStart);
    }
    const rest = part.subarray(last + 1);
    this.#counter.write(rest);
    this.#open.append(rest, this.#keep);
  }

  #rememberLong(endByte: number): void {
    if (endByte - this.#open.start.byte > this.#keep) this.#lastLong = { line: this.#open, endByte };
  }
}

/** The last line so far: where it begins, and its first bytes. */
class OpenLine {
  readonly start: Position;
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  constructor(start: Position) {
    this.start = start;
  }

  append(bytes: Uint8Array, keep: number): void {
    const taken = bytes.slice(0, keep - this.#length);
    if (taken.length === 0) return;
    this.#parts.push(taken);
    this.#length += taken.length;
  }

  farStart(): FarStart {
    return { start: this.start, beginning: concat(this.#parts, this.#length) };
  }
}

/** The last bytes of a line that is still going on. */
class LastBytes {
  #buffer = new Uint8Array(0);
  #length = 0;

  append(bytes: Uint8Array, keep: number): void {
    if (bytes.length === 0) return;
    if (this.#buffer.length === 0) this.#buffer = new Uint8Array(2 * keep);
    const added = bytes.subarray(-keep);
    if (this.#length + added.length > this.#buffer.length) {
      this.#buffer.copyWithin(0, this.#length - keep, this.#length);
      this.#length = keep;
    }
    this.#buffer.set(added, this.#length);
    this.#length += added.length;
  }

  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }
}
