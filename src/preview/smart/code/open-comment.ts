import type { Language } from "./language.ts";
import type { Sign, SourcePage } from "./source-page.ts";

type CommentEnd = Exclude<Sign, ": /" | "/*">;

const HASH_LANGUAGES: ReadonlySet<Language> = new Set<Language>(["python", "shell", "ruby"]);

/** Follows comments and texts that take several lines. */
export class OpenComment {
  #end: CommentEnd | undefined;

  /** True while one is open. */
  get isOpen(): boolean {
    return this.#end !== undefined;
  }

  reset(): void {
    this.#end = undefined;
  }

  /** Reads a line, and says whether it is part of such a comment. */
  read(page: SourcePage, index: number, language: Language): boolean {
    if (this.#end !== undefined) {
      if (page.has(this.#end, index)) this.#end = undefined;
      return true;
    }
    const python = language === "python";
    if (!page.has("/*", index) && !(python && (page.has('"""', index) || page.has("'''", index)))) return false;
    const trimmed = (page.text(index) as string).trimStart();
    if (trimmed.startsWith("/*") && !HASH_LANGUAGES.has(language)) {
      if (!trimmed.includes("*/", 2)) this.#end = "*/";
      else if (!/\*\/\s*$/.test(trimmed)) return false;
      return true;
    }
    return python && this.#readQuotes(trimmed);
  }

  /** The first line behind `index` that is not part of the open comment, and of at most `most` lines. */
  next(page: SourcePage, index: number, most: number): number {
    const end = this.#end;
    if (end === undefined) return index + 1;
    let at = index + 1;
    while (at < index + most && at < page.count && !page.has(end, at)) at++;
    return at + 1;
  }

  #readQuotes(trimmed: string): boolean {
    const quotes = /^[rRuUbBfF]{0,2}("""|''')/.exec(trimmed);
    if (quotes === null) {
      // A string that opens in a statement and goes on: what follows is text, not code.
      const inner = /("""|''')/.exec(trimmed);
      if (inner !== null && trimmed.split(inner[1] as string).length % 2 === 0) this.#end = inner[1] as CommentEnd;
      return false;
    }
    const mark = quotes[1] as CommentEnd;
    if (!trimmed.includes(mark, quotes[0].length)) this.#end = mark;
    return true;
  }
}
