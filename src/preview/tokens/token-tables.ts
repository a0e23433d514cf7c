import { MERGE_COUNT, MERGES, MISTAKEN, WHOLE_COUNT, WHOLE_PIECES } from "./tables.ts";

/** The rank of what is no known merge; higher than all. */
export const NO_MERGE = 0x10000;

const KEY_BITS = 32;
const RICE_BITS = 15;

/** What of the vocabulary is known, by finished hash. */
export class TokenTables {
  readonly #merges = new KeySet(1 << 16);
  readonly #ranks = new Uint16Array(1 << 16);
  readonly #whole = new KeySet(1 << 18);

  readonly #mistaken = new Set(MISTAKEN);

  constructor() {
    const merges = new BitReader(MERGES);
    for (let rank = 0; rank < MERGE_COUNT; rank++) {
      const slot = this.#merges.add(merges.read(KEY_BITS));
      if (slot !== -1) this.#ranks[slot] = rank;
    }
    const whole = new BitReader(WHOLE_PIECES);
    let key = 0;
    for (let index = 0; index < WHOLE_COUNT; index++) {
      key += (whole.ones() << RICE_BITS) | whole.read(RICE_BITS);
      this.#whole.add(key);
    }
  }

  /** The place of a merge in the order of merges. */
  rank(hash: number): number {
    const slot = this.#merges.find(hash);
    return slot === -1 || this.#mistaken.has(hash) ? NO_MERGE : this.#ranks[slot]!;
  }

  /** True for a piece that is one token, though not by a known merge. */
  isWhole(hash: number): boolean {
    return this.#whole.find(hash) !== -1 && !this.#mistaken.has(hash);
  }
}

/** Numbers above 0 with the slot that each has. */
class KeySet {
  readonly #keys: Uint32Array;
  readonly #mask: number;

  constructor(slots: number) {
    this.#keys = new Uint32Array(slots);
    this.#mask = slots - 1;
  }

  /** Gives the slot, or -1 when the key is there already. */
  add(key: number): number {
    let slot = key & this.#mask;
    for (; this.#keys[slot] !== 0; slot = (slot + 1) & this.#mask) if (this.#keys[slot] === key) return -1;
    this.#keys[slot] = key;
    return slot;
  }

  find(key: number): number {
    for (let slot = key & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const found = this.#keys[slot]!;
      if (found === key) return slot;
      if (found === 0) return -1;
    }
  }
}

class BitReader {
  readonly #bytes: string;
  #at = 0;

  constructor(base64: string) {
    this.#bytes = atob(base64);
  }

  read(bits: number): number {
    let value = 0;
    for (let index = 0; index < bits; index++) value = (value << 1) | this.#next();
    return value >>> 0;
  }

  /** How many ones come before the next zero, which is passed over. */
  ones(): number {
    let count = 0;
    while (this.#next() === 1) count++;
    return count;
  }

  #next(): number {
    const bit = (this.#bytes.charCodeAt(this.#at >> 3) >> (7 - (this.#at & 7))) & 1;
    this.#at++;
    return bit;
  }
}
