import { ToolFailure } from "../../protocol/builder.ts";
import type { GrepCollector } from "./collector.ts";
import type { RipgrepSearch } from "./search-with-ripgrep.ts";

/** What to tell of a pattern that cannot be searched for, whoever would have searched. */
export function invalidPattern(reason: string): ToolFailure {
  return new ToolFailure("INVALID_PARAM", `The pattern is not a valid regular expression: ${reason}.`, {
    next: "Correct the pattern; write \\( for a literal parenthesis.",
  });
}

/** The file whose matches ripgrep prints just now, whatever form it prints them in. */
export class SearchedFile {
  /** What was found but cannot be shown. */
  readonly failed: string[] = [];
  /** Files of which the witness cannot say that what was found stands in them. */
  readonly unsure: string[] = [];
  name = "";
  /** False for what is not to be shown, or not to be believed. */
  accepted = false;
  /** True once something that was found in it has counted. */
  begun = false;
  /** Undefined when there is no room for its matches. */
  entry: ReturnType<GrepCollector["begin"]>;
  readonly #search: RipgrepSearch;
  readonly #collector: GrepCollector;

  constructor(search: RipgrepSearch, collector: GrepCollector) {
    this.#search = search;
    this.#collector = collector;
  }

  /** Goes on to a file, by its name as ripgrep prints it. */
  open(printed: string): void {
    const { nameOf, accepts, witness } = this.#search;
    this.name = nameOf(printed);
    this.accepted = accepts(this.name);
    this.begun = false;
    if (this.accepted && witness?.begin(this.name) === false) this.doubt();
  }

  /** What is not confirmed at once is searched again; what changes later has been shown in part. */
  doubt(): void {
    this.accepted = false;
    if (this.begun) this.failed.push(`${this.name}: changed while it was searched`);
    else this.unsure.push(this.name);
  }

  /** Counts it, and asks for room, with the first that is found in it. */
  begin(): void {
    if (this.begun) return;
    this.begun = true;
    this.entry = this.#collector.begin(this.name);
    this.#collector.totalFiles++;
  }
}
