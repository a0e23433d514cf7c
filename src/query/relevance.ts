import { questionTerms, type RelevanceOptions, type RelevanceTerm } from "./question-terms.ts";
import { escapePattern, stem } from "./words.ts";

/** How often each term of the question occurs in one text; shorter counts are exact, 255 means many. */
export type Tally = number[];

/** What may join two words of the question that stand side by side. */
const JOINT = /[_ -]/;

const LEAST_NEEDLE = 0.5;

/**
 * Ranks texts by a question in the manner of BM25. Words count at the beginning of a word or of a part of an identifier
 * and in any inflection; two words side by side also as one ("time zone" finds `timezone` and `time_zone`).
 * Unlike a score per text, tallies can be taken while reading and weighed at the end, when it is known what is rare.
 */
export class Relevance {
  readonly #terms: readonly RelevanceTerm[];
  readonly #pattern: RegExp | undefined;
  readonly #index = new Map<string, number>();
  readonly #frequency: Float64Array;
  /** A tally of no terms, to be copied. */
  readonly #nothing: Tally;
  #units = 0;

  constructor(query: string, options: RelevanceOptions = {}) {
    this.#terms = questionTerms(query, options);
    this.#frequency = new Float64Array(this.#terms.length);
    this.#nothing = this.#terms.map(() => 0);
    this.#terms.forEach((term, index) => {
      this.#index.set(term.text, index);
    });
    const longestFirst = [...this.#terms].sort((a, b) => b.text.length - a.text.length || (a.text < b.text ? -1 : 1));
    const pattern = longestFirst.map((term) => term.pattern).join("|");
    this.#pattern = pattern === "" ? undefined : new RegExp(pattern, "g");
  }

  /** True when the question says nothing to rank by. */
  get empty(): boolean {
    return this.#pattern === undefined;
  }

  /** Texts of which one stands, in lower case, wherever more than relatives of words does. */
  get needles(): string[] {
    return this.#terms
      .filter(({ text, pattern, weight }) => weight >= LEAST_NEEDLE && pattern === escapePattern(text))
      .map(({ text }) => text);
  }

  /** Where in lower-cased text a term may stand next, not before `from`; infinity when there is none. */
  nextMention(lower: string, from: number): number {
    if (this.#pattern === undefined) return Number.POSITIVE_INFINITY;
    this.#pattern.lastIndex = from;
    return this.#pattern.exec(lower)?.index ?? Number.POSITIVE_INFINITY;
  }

  /** Counts the terms in `text`; undefined when there are none. */
  tally(text: string): Tally | undefined {
    const pattern = this.#pattern;
    if (pattern === undefined) return undefined;
    const lower = text.toLowerCase();
    let tally: Tally | undefined;
    pattern.lastIndex = 0;
    for (let match = pattern.exec(lower); match !== null; match = pattern.exec(lower)) {
      const found = match[0];
      if (!standsAlone(text, match.index, found.length)) {
        pattern.lastIndex = match.index + 1;
        continue;
      }
      tally ??= this.#nothing.slice();
      const index = this.#index.get(found) ?? this.#index.get(found.replace(JOINT, "")) ?? 0;
      bump(tally, index);
      for (const part of this.#terms[index]?.parts ?? []) bump(tally, part);
    }
    return tally;
  }

  /** True when a name is just what the question asks for, not a part of it. */
  names(name: string): boolean {
    const lower = name.toLowerCase();
    return this.#index.has(lower) || this.#index.has(stem(lower));
  }

  /** Counts a unit of the output, or several without any term, for the document frequencies. */
  observe(tally: Tally | undefined, units = 1): void {
    this.#units += units;
    if (tally === undefined) return;
    for (let index = 0; index < tally.length; index++) {
      if (tally[index] !== 0) this.#frequency[index] = (this.#frequency[index] ?? 0) + 1;
    }
  }

  /** The worth of a text with this tally; 0 when no term occurs. `length` is its size relative to the usual. */
  score(tally: Tally | undefined, length = 1): number {
    if (tally === undefined) return 0;
    let sum = 0;
    for (let index = 0; index < tally.length; index++) {
      const count = tally[index] ?? 0;
      if (count === 0) continue;
      const saturated = (count * 2.2) / (count + 1.2 * (0.4 + 0.6 * length));
      sum += (this.#terms[index]?.weight ?? 0) * this.#rarity(index) * saturated;
    }
    return sum;
  }

  /** The term that counts most in a text with this tally. */
  best(tally: Tally | undefined): string | undefined {
    let best: string | undefined;
    let most = 0;
    for (let index = 0; index < (tally?.length ?? 0); index++) {
      const worth = tally?.[index] === 0 ? 0 : (this.#terms[index]?.weight ?? 0) * this.#rarity(index);
      if (worth > most) {
        most = worth;
        best = this.#terms[index]?.text;
      }
    }
    return best;
  }

  /** 1 for a term seen once, 0 for one seen everywhere. */
  #rarity(index: number): number {
    const frequency = this.#frequency[index] ?? 0;
    const rarity = Math.log((this.#units + 1) / (frequency + 0.5)) / Math.log(this.#units + 2);
    return Math.max(0, Math.min(1, rarity));
  }
}

/** The sum of two tallies; either may be missing. */
export function addTallies(first: Tally | undefined, second: Tally | undefined): Tally | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return first.map((count, index) => Math.min(255, count + (second[index] ?? 0)));
}

/** How many terms of the question stand in any of the texts with these tallies. */
export function countTerms(tallies: readonly (Tally | undefined)[]): number {
  const counted: boolean[] = [];
  let count = 0;
  for (const tally of tallies) {
    for (let index = 0; index < (tally?.length ?? 0); index++) {
      if (tally?.[index] === 0 || counted[index] === true) continue;
      counted[index] = true;
      count++;
    }
  }
  return count;
}

function bump(tally: Tally, index: number): void {
  const count = tally[index] ?? 0;
  if (count < 255) tally[index] = count + 1;
}

/** From here on characters stand for themselves, and nothing shows where a word begins. */
const FIRST_IDEOGRAPH = 0x2e80;

/** A term counts where a word or a part of an identifier begins; one of two letters must also end there. */
function standsAlone(text: string, start: number, length: number): boolean {
  if (text.charCodeAt(start) >= FIRST_IDEOGRAPH) return true;
  if (!isPartBoundary(text, start)) return false;
  return (
    length > 2 ||
    isPartBoundary(text, start + length) ||
    /^s(?![a-z])/.test(text.slice(start + length, start + length + 2))
  );
}

function isPartBoundary(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return true;
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  if (!isLetter(before)) return true;
  return (
    !isLetter(after) || (isUpper(after) && !isUpper(before)) || (isUpper(after) && isLower(text.charCodeAt(at + 1)))
  );
}

function isUpper(unit: number): boolean {
  return unit >= 65 && unit <= 90;
}

function isLower(unit: number): boolean {
  return unit >= 97 && unit <= 122;
}

function isLetter(unit: number): boolean {
  return isLower(unit) || isUpper(unit) || unit > 0xbf;
}
