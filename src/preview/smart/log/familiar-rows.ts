import { CountTable } from "./count-table.ts";

const KNOWN_AFTER = 32;
const MAX_FAMILIES = 8192;

/** Rows that begin alike and hold the same words score alike: once many came, the rest need no closer look. */
export class FamiliarRows {
  readonly #families = new CountTable(MAX_FAMILIES);

  /** The highest score of a family seen often enough to be known; undefined while it is news. */
  scoreOf(family: number): number | undefined {
    return this.#families.scoreOf(family, KNOWN_AFTER);
  }

  add(family: number, score: number): void {
    this.#families.add(family, score);
  }
}
