import type { AskedName } from "../../../query/asked-names.ts";
import { BEGINS, type NameTerms, VERBATIM } from "./term-finder.ts";

/** What the parts of a name, all of them, say of the whole. */
const PARTS = 0.7;
/** A part in the middle of a word. */
const INSIDE_FACTOR = 0.4;
const ENOUGH_PAIRS = 3;
const VERBATIM_FACTOR = 1.1;
/** What a name that stands nowhere takes from the share that the others make up. */
const ABSENT = 0.3;

/** Weighs rows by how rare in the whole output that is what they hold. */
export class AnswerScore {
  /** Rows of the output so far. */
  rows = 0;
  readonly #names: readonly NameTerms[];
  /** In how many rows each term stands. */
  readonly #frequency: Float64Array;

  constructor(names: readonly NameTerms[], terms: number) {
    this.#names = names;
    this.#frequency = new Float64Array(terms);
  }

  /** Counts a row by the terms that it holds. */
  observe(terms: readonly number[]): void {
    for (const term of terms) this.#frequency[term] = (this.#frequency[term] as number) + 1;
  }

  /** True when nothing of at least this weight that the question names stands in the output, not even in part. */
  nothing(weight: number): boolean {
    const names = this.#names.filter((name) => name.weight >= weight);
    return names.every(({ whole, parts }) => [whole, ...parts].every((term) => this.#frequency[term] === 0));
  }

  /** What a row says, about the logarithm of how unlikely it is to say so by chance. */
  of(found: Uint8Array): number {
    let sum = 0;
    for (const name of this.#names) sum += name.weight * this.#nameIn(name, found);
    return sum;
  }

  /** The share of what is asked that a row of this worth holds. */
  coverage(worth: number): number {
    let all = 0;
    for (const name of this.#names) all += name.weight * this.#most(name);
    return all === 0 ? 0 : worth / all;
  }

  /** The name that counts most on a row. */
  best(found: Uint8Array, names: readonly AskedName[]): string {
    const worths = this.#names.map((name) => name.weight * this.#nameIn(name, found));
    return names[worths.indexOf(Math.max(...worths))]?.text ?? "";
  }

  #nameIn(name: NameTerms, found: Uint8Array): number {
    const { whole, parts } = name;
    const standing = found[whole] as number;
    if (standing > 0) return this.#rarity(whole) * (standing === VERBATIM ? VERBATIM_FACTOR : 1);
    let sum = 0;
    for (const part of parts) {
      const how = found[part] as number;
      if (how > 0) sum += this.#rarity(part) * (how >= BEGINS ? 1 : INSIDE_FACTOR);
    }
    return inParts(name, sum);
  }

  #most(name: NameTerms): number {
    const { whole, parts } = name;
    if (this.#frequency[whole] !== 0) return this.#rarity(whole);
    const sum = parts.reduce((total, part) => total + (this.#frequency[part] === 0 ? 0 : this.#rarity(part)), 0);
    return sum > 0 ? inParts(name, sum) : ABSENT * Math.log(this.rows + 1);
  }

  #rarity(term: number): number {
    return Math.max(0, Math.log((this.rows + 1) / ((this.#frequency[term] as number) + 0.5)));
  }
}

/** What parts of a name say together. Three pairs of characters are as good as a word, however long the run. */
function inParts({ parts, spaced }: NameTerms, sum: number): number {
  if (sum === 0) return 0;
  return spaced ? (PARTS * sum) / parts.length : sum / Math.max(Math.min(parts.length, ENOUGH_PAIRS), parts.length / 2);
}
