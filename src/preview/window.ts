import type { Limits } from "../limits/types.ts";
import { EdgeCounter } from "./edge-counter.ts";
import { exceeds } from "./exceeds.ts";
import type { Source } from "./source.ts";
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
