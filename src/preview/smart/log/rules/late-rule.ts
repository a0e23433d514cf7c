import type { Following, Verdict } from "./rule.ts";

/** A rule whose pattern is made when a row is first tried on it: a log needs few of them all. */
export class LateRule implements Verdict {
  readonly score: number;
  readonly reason: string;
  readonly following: Following | undefined;
  readonly before: number | undefined;
  /** Bits of which at least one is set wherever the pattern can match. */
  readonly needs: number;
  /** One bit for each character of ASCII with which a text may begin that it matches, four to a digit; empty when it may be any. */
  readonly #first: string;
  readonly #source: string;
  readonly #flags: string;
  #pattern: RegExp | undefined;

  constructor(
    score: number,
    reason: string,
    following: Following | undefined,
    before: number | undefined,
    needs: number,
    first: string,
    source: string,
    flags: string,
  ) {
    this.score = score;
    this.reason = reason;
    this.following = following;
    this.before = before;
    this.needs = needs;
    this.#first = first;
    this.#source = source;
    this.#flags = flags;
  }

  /** False when it matches no text that begins with this character of ASCII. */
  mayBegin(unit: number): boolean {
    return this.#first === "" || ((Number.parseInt(this.#first[unit >> 2] as string, 16) >> (unit & 3)) & 1) === 1;
  }

  matches(text: string): boolean {
    this.#pattern ??= new RegExp(this.#source, this.#flags);
    return this.#pattern.test(text);
  }
}
