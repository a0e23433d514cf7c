import { Pass, type StreamRedactorOptions } from "./pass.ts";
import type { Find } from "./rule.ts";

/** Bytes that join what was held back before it is looked at again, where no line ends in them. */
const JOIN_BYTES = 4096;
const NEWLINE = 10;
/** So much is looked at together. */
const PIECE_BYTES = 65_536;

/**
 * Replaces the secrets in bytes that come in chunks. What comes out is the same however they are cut: a place is decided
 * on when its line, or enough of it, has come. Whole lines are held back only while what they begin or announce may go on.
 */
export class StreamRedactor {
  /** How often each kind was replaced. */
  readonly counts = new Map<string, number>();
  readonly #options: StreamRedactorOptions;
  /** What could not be decided on yet, after as many decided bytes as a rule may look back on. */
  #held = new Uint8Array(0);
  #heldBytes = 0;
  /** Index of the first held byte that was not given out. */
  #heldFrom = 0;
  /** Held bytes are looked at again once there are so many. */
  #retryAt = 0;
  /** Index in the bytes looked at last before which nothing may be looked back on from where they are decided to. */
  #floor = 0;
  /** Where the part of a line begins that the user's patterns see next, from where the bytes are decided to. */
  #segmentAhead = 0;
  /** What was found beyond where the bytes are decided to, from there. */
  #findsAhead: readonly Find[] = [];
  #out: Uint8Array[] = [];

  constructor(options: StreamRedactorOptions) {
    this.#options = options;
  }

  /** Takes a chunk and gives what can be given out by now; parts of the chunk itself may be among it. */
  write(chunk: Uint8Array): readonly Uint8Array[] {
    for (let from = 0; from < chunk.length; from += PIECE_BYTES) this.#write(chunk.subarray(from, from + PIECE_BYTES));
    return this.#take();
  }

  #write(chunk: Uint8Array): void {
    let at = 0;
    while (at < chunk.length && this.#heldBytes > 0) at = this.#join(chunk, at);
    if (at < chunk.length) {
      const done = this.#process(chunk, at === 0 ? 0 : this.#floor, at, false);
      this.#hold(chunk, done);
    }
  }

  /** Gives the rest. */
  end(): readonly Uint8Array[] {
    const bytes = this.#held.subarray(0, this.#heldBytes);
    this.#process(bytes, 0, this.#heldFrom, true);
    this.#heldBytes = 0;
    return this.#take();
  }

  #take(): readonly Uint8Array[] {
    const out = this.#out;
    this.#out = [];
    return out;
  }

  /** Adds the next line of a chunk, or a part of it, to what is held; gives how far the chunk is used up by that. */
  #join(chunk: Uint8Array, at: number): number {
    const newline = chunk.indexOf(NEWLINE, at);
    const most = Math.min(chunk.length, at + JOIN_BYTES);
    const lineEnds = newline !== -1 && newline < most;
    const to = lineEnds ? newline + 1 : most;
    const before = this.#heldBytes;
    this.#append(chunk.subarray(at, to));
    if (!lineEnds && this.#heldBytes < this.#retryAt) return to;
    const bytes = this.#held.subarray(0, this.#heldBytes);
    const done = this.#process(bytes, 0, this.#heldFrom, false);
    const passed = done - before;
    if (passed >= 0 && (bytes[done - 1] === NEWLINE || this.#floor >= before)) {
      // From here on the chunk has all that a rule may look at.
      this.#heldBytes = 0;
      this.#floor = Math.max(at, at + this.#floor - before);
      return at + passed;
    }
    this.#keep(done);
    return to;
  }

  #append(bytes: Uint8Array): void {
    const needed = this.#heldBytes + bytes.length;
    if (needed > this.#held.length) {
      const larger = new Uint8Array(Math.max(needed, 2 * this.#held.length, JOIN_BYTES));
      larger.set(this.#held.subarray(0, this.#heldBytes));
      this.#held = larger;
    }
    this.#held.set(bytes, this.#heldBytes);
    this.#heldBytes = needed;
  }

  /** Of a chunk that was looked at, what may still be needed. */
  #hold(chunk: Uint8Array, done: number): void {
    this.#heldBytes = 0;
    if (done === chunk.length) return;
    this.#append(chunk.subarray(this.#floor));
    this.#heldFrom = done - this.#floor;
    this.#retryAt = this.#heldBytes + JOIN_BYTES;
  }

  /** The same for what was held already. */
  #keep(done: number): void {
    this.#held.copyWithin(0, this.#floor, this.#heldBytes);
    this.#heldBytes -= this.#floor;
    this.#heldFrom = done - this.#floor;
    this.#retryAt = this.#heldBytes + JOIN_BYTES;
  }

  /** Decides on the bytes from `from` on as far as that can be done, and gives how far that was. */
  #process(bytes: Uint8Array, floor: number, from: number, last: boolean): number {
    const ahead = { segmentAhead: this.#segmentAhead, findsAhead: this.#findsAhead };
    const pass = new Pass({ bytes, floor, from, last, ...ahead }, this.#options);
    pass.run();
    // What is held moves when more joins it.
    const isHeld = bytes.buffer === this.#held.buffer;
    for (const part of pass.out) this.#out.push(isHeld ? part.slice() : part);
    for (const [kind, count] of pass.counts) this.counts.set(kind, (this.counts.get(kind) ?? 0) + count);
    this.#floor = pass.floor;
    this.#segmentAhead = pass.segmentAhead;
    this.#findsAhead = pass.findsAhead;
    return pass.done;
  }
}
