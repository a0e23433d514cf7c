import { scatter } from "./scatter.ts";

/** What a candidate is worth by itself, and its place in the output. */
export interface Standing {
  readonly worth: number;
  readonly place: number;
}

/**
 * Decides what is still taken in once memory has run short: nothing that is worth less than the worst that was kept,
 * and of what is worth the same only what lies better scattered over the output. So ever less is taken in, and what is
 * held stays spread over all that was read.
 */
export class Floor {
  #worth = Number.NEGATIVE_INFINITY;
  #scatter = 1;

  admits(worth: number, place: number): boolean {
    return worth > this.#worth || (worth === this.#worth && scatter(place) <= this.#scatter);
  }

  /** The better half, in order. What is kept sets the floor. */
  betterHalf<T>(items: readonly T[], standing: (item: T) => Standing): T[] {
    const ranked = items.map((item, index) => ({ item, index, ...standing(item) }));
    ranked.sort((a, b) => b.worth - a.worth || scatter(a.place) - scatter(b.place));
    ranked.length = ranked.length >> 1;
    const worst = ranked.at(-1);
    if (worst !== undefined) {
      this.#worth = worst.worth;
      this.#scatter = scatter(worst.place);
    }
    return ranked.sort((a, b) => a.index - b.index).map(({ item }) => item);
  }
}
