import type { SourcePage } from "./source-page.ts";

/** Tells which lines hold a sign. They share their text and are asked in order, so that each place of it is found once. */
export class SignSearch {
  readonly #page: SourcePage;
  readonly #sign: string;
  #text = "";
  #from = 0;
  #at = -1;

  constructor(page: SourcePage, sign: string) {
    this.#page = page;
    this.#sign = sign;
  }

  /** True when the sign stands on the line. */
  on(index: number): boolean {
    const page = this.#page;
    const text = page.texts[index] as string;
    const start = page.starts[index] as number;
    if (start > this.#at || start < this.#from || text !== this.#text) {
      const at = text.indexOf(this.#sign, start);
      this.#at = at < 0 ? text.length : at;
      this.#from = start;
      this.#text = text;
    }
    return this.#at < (page.ends[index] as number);
  }
}
