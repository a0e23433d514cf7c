const FIRST_BYTES = 128 * 1024;

/** Bytes on their way into one part; takes little memory while few came. */
export class PartBuffer {
  readonly #capacity: number;
  #bytes: Buffer;
  #used = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#bytes = Buffer.allocUnsafeSlow(Math.min(capacity, FIRST_BYTES));
  }

  get full(): boolean {
    return this.#used === this.#capacity;
  }

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#used);
  }

  /** Takes as many bytes as there is room for and says how many these are. */
  take(chunk: Uint8Array): number {
    const count = Math.min(chunk.length, this.#capacity - this.#used);
    if (this.#used + count > this.#bytes.length) {
      const size = Math.min(this.#capacity, Math.max(this.#used + count, this.#bytes.length * 4));
      const grown = Buffer.allocUnsafeSlow(size);
      this.#bytes.copy(grown, 0, 0, this.#used);
      this.#bytes = grown;
    }
    this.#bytes.set(chunk.subarray(0, count), this.#used);
    this.#used += count;
    return count;
  }

  clear(): void {
    this.#used = 0;
  }
}
