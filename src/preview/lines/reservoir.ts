/** Orders indices so that the first ones of any number are spread over the range, whatever its length turns out to be. */
export function scatter(index: number): number {
  return (Math.imul(index, 0x9e3779b1) >>> 0) / 4294967296;
}

/**
 * Decides what is still taken in once memory has run short: nothing that is worth less than the worst that was kept,
 * and of what is worth the same only what lies better scattered over the output. So ever less is taken in, and what is
 * held stays spread over all that was read.
 */
export class Floor {
  #worth = Number.NEGATIVE_INFINITY;
  #scatter = 1;

  /** `worth` is what a candidate is worth by itself, `place` where it stands in the output. */
  admits(worth: number, place: number): boolean {
    return worth > this.#worth || (worth === this.#worth && scatter(place) <= this.#scatter);
  }

  /** The better half, in order. What is kept sets the floor. */
  betterHalf<T>(items: readonly T[], worth: (item: T) => number, place: (item: T) => number): T[] {
    const standings = new Standings(items.length);
    for (let index = 0; index < items.length; index++) {
      const item = items[index] as T;
      standings.set(index, worth(item), scatter(place(item)));
    }
    const count = items.length >> 1;
    if (count === 0) return [];
    const last = standings.select(count - 1);
    this.#worth = standings.worths[last] as number;
    this.#scatter = standings.scatters[last] as number;
    const kept: T[] = [];
    for (let index = 0; index < items.length; index++)
      if (!standings.isBefore(last, index)) kept.push(items[index] as T);
    return kept;
  }
}

/** The candidates by their indices: the more they are worth the sooner they come, of equals the better scattered. */
class Standings {
  readonly worths: Float64Array;
  readonly scatters: Float64Array;
  readonly #order: Uint32Array;

  constructor(count: number) {
    this.worths = new Float64Array(count);
    this.scatters = new Float64Array(count);
    this.#order = new Uint32Array(count);
  }

  set(index: number, worth: number, scattered: number): void {
    this.worths[index] = worth;
    this.scatters[index] = scattered;
    this.#order[index] = index;
  }

  isBefore(first: number, second: number): boolean {
    const worth = (this.worths[first] as number) - (this.worths[second] as number);
    if (worth !== 0) return worth > 0;
    const scattered = (this.scatters[first] as number) - (this.scatters[second] as number);
    return scattered === 0 ? first < second : scattered < 0;
  }

  /** The candidate that has so many others before it. Parts them around a pivot until it is found: no need to sort all. */
  select(rank: number): number {
    const order = this.#order;
    let low = 0;
    let high = order.length - 1;
    while (low < high) {
      const pivot = order[(low + high) >> 1] as number;
      let left = low;
      let right = high;
      while (left <= right) {
        while (this.isBefore(order[left] as number, pivot)) left++;
        while (this.isBefore(pivot, order[right] as number)) right--;
        if (left > right) break;
        const moved = order[left] as number;
        order[left++] = order[right] as number;
        order[right--] = moved;
      }
      if (rank <= right) high = right;
      else if (rank >= left) low = left;
      else break;
    }
    return order[rank] as number;
  }
}

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
