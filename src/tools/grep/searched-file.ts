import { ToolFailure } from "../../protocol/builder.ts";
import type { GrepCollector } from "./collector.ts";
import type { RipgrepSearch } from "./search-with-ripgrep.ts";

/** The error for a pattern that cannot be searched for, independent of the searcher. */
export function invalidPattern(reason: string): ToolFailure {
  return new ToolFailure("INVALID_PARAM", `The pattern is not a valid regular expression: ${reason}.`, {
    next: "Correct the pattern; write \\( for a literal parenthesis.",
  });
}

/** The file whose matches ripgrep is printing, in any of its formats. */
export class SearchedFile {
  /** Matches that cannot be shown. */
  readonly failed: string[] = [];
  /** Files whose matches could not be verified. */
  readonly unsure: string[] = [];
  name = "";
  /** False for matches that are not shown or not trusted. */
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

  /** Continues with the next file, named as ripgrep prints it. */
  open(printed: string): void {
    const { nameOf, accepts, witness } = this.#search;
    this.name = nameOf(printed);
    this.accepted = accepts(this.name);
    this.begun = false;
    if (this.accepted && witness?.begin(this.name) === false) this.doubt();
  }

  /** Unverified matches are searched again; a file that changes later has been shown in part. */
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
