import type { Language } from "./language.ts";
import type { DeclarationKind } from "./read-declaration.ts";
import type { SourcePage } from "./source-page.ts";

/** So much is read of a line. */
export const READ_CHARS = 400;

/** What is known of the line that is read, and of those behind it. */
export class DeclarationPlace {
  readonly language: Language;
  /** What the line stands in; undefined at the top. */
  readonly within: DeclarationKind | undefined;
  readonly #page: SourcePage;
  readonly #index: number;

  constructor(page: SourcePage, index: number, language: Language, within: DeclarationKind | undefined) {
    this.language = language;
    this.within = within;
    this.#page = page;
    this.#index = index;
  }

  /** What is read of the line. */
  get text(): string {
    return (this.ahead(0) as string).slice(0, READ_CHARS);
  }

  /** The columns before it. */
  get indent(): number {
    return this.#page.indents[this.#index] as number;
  }

  /** What its first word may be. */
  get meaning(): number {
    return this.#page.meanings[this.#index] as number;
  }

  /** The character that it begins with after its blanks. */
  get first(): number {
    return this.#page.firsts[this.#index] as number;
  }

  /** The last character of what is read of it that is no white space. */
  get last(): number {
    if (!isCut(this.#page, this.#index)) return this.#page.last(this.#index);
    const read = this.text.trimEnd();
    return read.charCodeAt(read.length - 1);
  }

  /** The line so many lines further on, all of it; undefined behind the last. */
  ahead(lines: number): string | undefined {
    return this.#page.text(this.#index + lines);
  }

  /** Where what is read of that line begins and ends, and in what. */
  units(lines: number): Uint8Array {
    return this.#page.units(this.#index + lines);
  }

  start(lines: number): number {
    return this.#page.starts[this.#index + lines] as number;
  }

  end(lines: number): number {
    return Math.min(this.start(lines) + READ_CHARS, this.#page.ends[this.#index + lines] as number);
  }

  /** What is read of that line from a place on. */
  rest(lines: number, from: number): string {
    return (this.ahead(lines) as string).slice(from - this.start(lines), READ_CHARS);
  }

  /** True when there is a line so many lines further on. */
  has(lines: number): boolean {
    return this.#index + lines < this.#page.count;
  }
}

/** True for a line that is read only in part. */
export function isCut({ starts, ends }: SourcePage, index: number): boolean {
  return (ends[index] as number) - (starts[index] as number) > READ_CHARS;
}
