import { isDigit } from "../../../bytes/is-digit.ts";

const SEED = 0x811c9dc5;
const LOW_SEED = 0x1b873593;
const HIGH_FACTOR = 0x9e3779b1;
const LOW_FACTOR = 0x85ebca6b;
const ROTATION = 13;
/** Stand for a number, for one that is not zero, and with their count for fewer than four bytes. */
const NUMBER = 0xff000030 | 0;
const SOME_NUMBER = 0xff000031 | 0;
const PART = 0xf8000000 | 0;
const ASCII_ZEROS = 0x30303030;
const TENS = 0x0a0a0a0a;
const HIGH_BITS = 0x80808080;

/** How much of a row its signature covers. */
export const SIGNATURE_BYTES = 32;

/**
 * A hash of bytes that tells of a number only whether it is zero, or not even that. What stands between numbers is taken
 * four bytes at a time.
 */
export class RowHash {
  high = SEED | 0;
  low = LOW_SEED;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Hashes the bytes from `start` to `end` anew; at least three more have to follow in memory. */
  read(start: number, end: number, seed: number, zeros: boolean): void {
    const bytes = this.#bytes;
    const view = this.#view;
    let high = SEED ^ seed;
    let low = LOW_SEED;
    for (let at = start; at < end; ) {
      let word = view.getInt32(at, true);
      const distance = word ^ ASCII_ZEROS;
      // The highest bit of each byte that is a digit, exact up to the first of them.
      const digits = (distance - TENS) & ~distance & HIGH_BITS;
      const plain = digits === 0 ? 4 : (31 - Math.clz32(digits & -digits)) >> 3;
      const part = Math.min(plain, end - at);
      if (part > 0) {
        if (part < 4) word = (word & ((1 << (8 * part)) - 1)) | (PART + (part << 24));
        at += part;
      } else {
        let some = 0;
        for (; at < end && isDigit(bytes[at]); at++) some |= (bytes[at] as number) - 48;
        word = zeros && some > 0 ? SOME_NUMBER : NUMBER;
      }
      high = Math.imul(((high << ROTATION) | (high >>> (32 - ROTATION))) ^ word, HIGH_FACTOR);
      low = Math.imul((low + word) | 0, LOW_FACTOR);
      low ^= low >>> 13;
    }
    this.high = high;
    this.low = low;
  }
}
