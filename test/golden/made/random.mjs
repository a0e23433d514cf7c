/** A small generator of numbers with a seed, so that every run makes the same outputs. */
export class Random {
  #state;

  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to 1. */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  /** A whole number, both ends included. */
  between(least, most) {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  pick(items) {
    return items[this.between(0, items.length - 1)];
  }

  text(length, alphabet = "abcdefghijklmnopqrstuvwxyz0123456789") {
    return Array.from({ length }, () => this.pick(alphabet)).join("");
  }

  hex(length) {
    return this.text(length, "0123456789abcdef");
  }

  base64(length) {
    return this.text(length, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
  }

  /** The same items in another order. */
  shuffle(items) {
    const shuffled = [...items];
    for (let last = shuffled.length - 1; last > 0; last--) {
      const other = this.between(0, last);
      [shuffled[last], shuffled[other]] = [shuffled[other], shuffled[last]];
    }
    return shuffled;
  }
}

export const AREAS = ["billing", "orders", "cart", "search", "mail", "stock", "reports", "users", "auth", "audit"];
export const PARTS = [
  "api",
  "worker",
  "store",
  "queue",
  "cache",
  "index",
  "sync",
  "export",
  "import",
  "client",
  "server",
];

/** `count` lines made by `line`, with its number. */
export function rows(count, line) {
  return Array.from({ length: count }, (_, index) => line(index));
}
