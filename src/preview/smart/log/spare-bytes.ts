import { concat } from "../../../bytes/concat.ts";
import { isContinuation } from "../../../bytes/utf8.ts";
import { Counter } from "../../measure.ts";
import type { LogAnalyzer } from "./create-log-analyzer.ts";

const NEWLINE = 10;
/** The first rows that a log keeps stand within these. */
const HEAD_BYTES = 262_144;

/**
 * What a log is read from should the shape of an output turn out wrong: all of a short output, of a long one the
 * beginning and the latest bytes. What is held depends on how many bytes came, never on their chunks.
 */
export class SpareBytes {
  readonly #blockBytes: number;
  readonly #head: Uint8Array = new Uint8Array(HEAD_BYTES);
  /** What came before the latest block; all of it unless it is the head that is being filled. */
  #before: Uint8Array | undefined;
  #latest: Uint8Array = this.#head;
  #filled = 0;
  /** Counts the head and what was dropped after it. */
  #dropped: Counter | undefined;

  constructor(blockBytes: number) {
    this.#blockBytes = Math.max(HEAD_BYTES / 2, blockBytes);
  }

  /** Bytes that can be taken before something has to go; never 0. */
  get free(): number {
    return this.#latest.length - this.#filled;
  }

  /** Takes at most as many bytes as are free. False when something has to go before more can be taken: see `drop`. */
  write(bytes: Uint8Array): boolean {
    this.#latest.set(bytes, this.#filled);
    this.#filled += bytes.length;
    if (this.free > 0) return true;
    if (this.#before !== undefined && this.#before !== this.#head) return false;
    this.#advance(new Uint8Array(this.#blockBytes));
    return true;
  }

  /** Drops the block between the head and the latest. */
  drop(): void {
    const gone = this.#before as Uint8Array;
    if (this.#dropped === undefined) {
      this.#dropped = new Counter();
      this.#dropped.write(this.#head);
    }
    this.#dropped.write(gone);
    this.#advance(gone);
  }

  /** Lets a log read what is held, in whole lines around what was dropped. */
  readInto(log: LogAnalyzer): void {
    const latest = this.#latest.subarray(0, this.#filled);
    const dropped = this.#dropped;
    if (dropped === undefined) {
      if (this.#before !== undefined && this.#before !== this.#head) log.write(this.#head);
      if (this.#before !== undefined) log.write(this.#before);
      log.write(latest);
      return;
    }
    log.write(this.#head.subarray(0, this.#head.lastIndexOf(NEWLINE) + 1));
    const before = this.#before as Uint8Array;
    const ends = concat([before, latest], before.length + latest.length);
    const newline = ends.indexOf(NEWLINE);
    let from = newline + 1;
    // A line longer than all that is held goes on in its middle, though not in that of a character.
    if (newline < 0) while (isContinuation(ends[from])) from++;
    dropped.write(ends.subarray(0, from));
    log.skip(dropped.end());
    log.write(ends.subarray(from));
  }

  #advance(block: Uint8Array): void {
    this.#before = this.#latest;
    this.#latest = block;
    this.#filled = 0;
  }
}
