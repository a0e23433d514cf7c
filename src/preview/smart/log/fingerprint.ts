import { isDigit } from "../../../bytes/is-digit.ts";
/** What a hash of bytes is made with, here and in WebAssembly. */
export const SEED = 0x811c9dc5 | 0;
export const LOW_SEED = 0x1b873593;
export const HIGH_FACTOR = 0x9e3779b1 | 0;
export const LOW_FACTOR = 0x85ebca6b | 0;
export const ROTATION = 13;
/** Stand for a number, for one that is not zero, and with how many bytes they are for fewer than four. */
export const NUMBER = 0xff000030 | 0;
export const SOME_NUMBER = 0xff000031 | 0;
export const PART = 0xf8000000 | 0;

/** How much of a row its signature tells. */
export const SIGNATURE_BYTES = 32;

/**
 * A hash of bytes that tells of a number only whether it is zero, or not even that. What stands between numbers is taken
 * four bytes at a time.
 */
export class RowHash {
  high = SEED;
  low = LOW_SEED;

  /** Begins anew. */
  read(bytes: Uint8Array, start: number, end: number, seed: number, zeros: boolean): void {
    this.high = SEED ^ seed;
    this.low = LOW_SEED;
    let word = 0;
    let part = 0;
    for (let at = start; at < end; ) {
      const byte = bytes[at] as number;
      if (isDigit(byte)) {
        if (part > 0) this.#mix(word | (PART + (part << 24)));
        word = 0;
        part = 0;
        let some = 0;
        for (; at < end && isDigit(bytes[at] as number); at++) some |= (bytes[at] as number) - 48;
        this.#mix(zeros && some > 0 ? SOME_NUMBER : NUMBER);
        continue;
      }
      word |= byte << (8 * part);
      at++;
      if (++part < 4) continue;
      this.#mix(word);
      word = 0;
      part = 0;
    }
    if (part > 0) this.#mix(word | (PART + (part << 24)));
  }

  #mix(word: number): void {
    this.high = Math.imul(((this.high << ROTATION) | (this.high >>> (32 - ROTATION))) ^ word, HIGH_FACTOR);
    const low = Math.imul((this.low + word) | 0, LOW_FACTOR);
    this.low = low ^ (low >>> 13);
  }
}
