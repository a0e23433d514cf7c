import { scatter } from "./scatter.ts";

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
