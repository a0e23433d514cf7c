import { concat } from "../bytes/concat.ts";
import type { Limits } from "../limits/types.ts";
import { Counter, exceeds } from "./measure.ts";
import type { Position } from "./pieces.ts";
import type { Source } from "./positional.ts";
import type { Size } from "./types.ts";

/** Room for formatting codes, which take no room in the preview. */
const SLACK_BYTES = 64 * 1024;
/** While all of it is kept, a large chunk is taken in steps, so that no more than needed is copied. */
const STEP_BYTES = 64 * 1024;
const UNLIMITED_BYTES = 1024 * 1024;

/** Raw bytes that a preview within these limits may need from either end of the output. */
export function windowBytes(limits: Limits): number {
  const bytes = Math.min(limits.maxBytes, limits.maxChars * 3, limits.maxTokens * 16);
  return 4 * (bytes === Infinity ? UNLIMITED_BYTES : bytes) + SLACK_BYTES;
}

/**
 * The first and the last bytes of an output and its exact size, in bounded memory: all of it while it is within
 * limits, then a window at either end.
 */
export class Window {
  readonly #limits: Limits;
  readonly #reach: number;
  readonly #counter: EdgeCounter;
  #head = new Uint8Array(1024);
  #headLength = 0;
  #ring: Uint8Array | undefined;
  /** Bytes that ever went into the ring. */
  #ringTotal = 0;
  #over = false;

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#reach = windowBytes(limits);
    this.#counter = new EdgeCounter(this.#reach);
  }

  get size(): Size {
    return this.#counter.size;
  }

  get over(): boolean {
    return this.#over;
  }

  write(chunk: Uint8Array): void {
    let at = 0;
    for (; !this.#over && at < chunk.length; at += STEP_BYTES) this.#step(chunk.subarray(at, at + STEP_BYTES));
    if (at < chunk.length) this.#step(chunk.subarray(at));
  }

  #step(chunk: Uint8Array): void {
    this.#counter.write(chunk);
    if (this.#over) {
      const toHead = Math.min(chunk.length, this.#reach - this.#headLength);
      if (toHead > 0) this.#appendHead(chunk.subarray(0, toHead));
      this.#appendRing(toHead > 0 ? chunk.subarray(toHead) : chunk);
      return;
    }
    this.#appendHead(chunk);
    if (!exceeds(this.#counter.size, this.#limits)) return;
    this.#over = true;
    if (this.#headLength > this.#reach) {
      this.#appendRing(this.#head.subarray(this.#reach, this.#headLength));
      this.#head = this.#head.slice(0, this.#reach);
      this.#headLength = this.#reach;
    }
  }

  /** Ends the output. */
  end(): Source {
    const end = this.#counter.end();
    const head = this.#head.subarray(0, this.#headLength);
    const tail = this.#tail(head);
    const tailStart = end.byte - tail.length;
    return {
      head,
      tail,
      tailStart,
      end,
      headLine: this.#counter.headLine,
      tailLine: this.#counter.tailLine(tailStart),
    };
  }

  #tail(head: Uint8Array): Uint8Array {
    const ring = this.#ring;
    if (ring === undefined) return head.subarray(Math.max(0, head.length - this.#reach));
    const inRing = Math.min(this.#ringTotal, ring.length);
    const fromHead = Math.min(head.length, this.#reach - inRing);
    const tail = new Uint8Array(fromHead + inRing);
    tail.set(head.subarray(head.length - fromHead));
    const at = this.#ringTotal % ring.length;
    if (this.#ringTotal <= ring.length) tail.set(ring.subarray(0, inRing), fromHead);
    else {
      tail.set(ring.subarray(at), fromHead);
      tail.set(ring.subarray(0, at), fromHead + ring.length - at);
    }
    return tail;
  }

  #appendHead(chunk: Uint8Array): void {
    const needed = this.#headLength + chunk.length;
    if (needed > this.#head.length) {
      const grown = new Uint8Array(Math.max(needed, this.#head.length * 2));
      grown.set(this.#head.subarray(0, this.#headLength));
      this.#head = grown;
    }
    this.#head.set(chunk, this.#headLength);
    this.#headLength = needed;
  }

  #appendRing(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    this.#ring ??= new Uint8Array(this.#reach);
    const ring = this.#ring;
    const skipped = Math.max(0, chunk.length - ring.length);
    const kept = chunk.subarray(skipped);
    const at = (this.#ringTotal + skipped) % ring.length;
    const first = Math.min(kept.length, ring.length - at);
    ring.set(kept.subarray(0, first), at);
    ring.set(kept.subarray(first), 0);
    this.#ringTotal += chunk.length;
  }
}

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
