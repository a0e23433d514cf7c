/** Rows that begin alike and hold the same words score alike: once many came, the rest need no closer look. */
export class FamiliarRows {
  readonly #families = new Map<number, { count: number; score: number }>();

  /** The highest score of a family seen often enough to be known; undefined while it is news. */
  scoreOf(family: number): number | undefined {
    const known = this.#families.get(family);
    return known !== undefined && known.count >= KNOWN_AFTER ? known.score : undefined;
  }

  add(family: number, score: number): void {
    const known = this.#families.get(family);
    if (known !== undefined) {
      known.count++;
      known.score = Math.max(known.score, score);
    } else if (this.#families.size < MAX_FAMILIES) this.#families.set(family, { count: 1, score });
  }
}

const KNOWN_AFTER = 32;
const MAX_FAMILIES = 8192;
