import { Floor } from "./floor.ts";

/** How candidates are measured. */
interface ReservoirOptions<T> {
  /** Characters that may be held. */
  readonly maxChars: number;
  /** Candidates that may be held. @default no limit */
  readonly maxItems?: number;
  /** What a candidate is worth by what is known so far. */
  readonly worth: (item: T) => number;
  /** Where it stands in the output. */
  readonly place: (item: T) => number;
  /** What it takes in memory. */
  readonly chars: (item: T) => number;
}

/** Holds candidates in bounded memory: when it runs short the worse half goes, and nothing worse comes in again. */
export class Reservoir<T> {
  /** Candidates weighed so far because memory ran short. */
  weighed = 0;
  readonly #options: ReservoirOptions<T>;
  readonly #floor = new Floor();
  #items: T[] = [];
  #chars = 0;

  constructor(options: ReservoirOptions<T>) {
    this.#options = options;
  }

  /** In the order in which they came. */
  get items(): readonly T[] {
    return this.#items;
  }

  /** False for what would not be kept; ask before making a candidate. */
  admits(worth: number, place: number): boolean {
    return this.#floor.admits(worth, place);
  }

  /** Takes in what was admitted. */
  add(item: T): void {
    const { maxChars, maxItems = Number.POSITIVE_INFINITY, worth, place, chars } = this.#options;
    this.#items.push(item);
    this.#chars += chars(item);
    if (this.#chars < maxChars && this.#items.length <= maxItems) return;
    this.weighed += this.#items.length;
    this.#items = this.#floor.betterHalf(this.#items, worth, place);
    this.#chars = this.#items.reduce((sum, other) => sum + chars(other), 0);
  }
}
