/** One matching line; with multiline, all lines of one match. */
export interface GrepMatch {
  readonly file: string;
  readonly line: number;
  /** Last line of a match that spans several. */
  readonly end_line?: number;
  readonly text: string;
  readonly before?: readonly string[];
  readonly after?: readonly string[];
  /** Bytes of the file that `text` shows, when the line is too long to be shown whole; Read takes them. */
  readonly bytes?: string;
}

/** A match as it was found, with where it stands for lines that are shown in part. */
export interface FoundMatch {
  readonly line: number;
  /** Last line of the match. @default line */
  readonly endLine?: number | undefined;
  /** Bytes from 0; undefined where the source does not tell. */
  readonly matchByte?: number | undefined;
  readonly text: string;
}

/** A match with the lines around it. */
export interface CollectedMatch {
  readonly file: string;
  readonly match: FoundMatch;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

interface FileMatches {
  readonly file: string;
  readonly matches: FoundMatch[];
  /** Shown lines by number: matches and their surroundings. */
  readonly lines: Map<number, string>;
}

/**
 * Keeps the first `limit` matches in the order of paths, however the files come in, and counts the rest. A searcher
 * that works in parallel gives another order each time; the model should not see that.
 */
export class GrepCollector {
  totalMatches = 0;
  totalFiles = 0;
  readonly #limit: number;
  #files: FileMatches[] = [];
  #kept = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Begins a file; undefined when its matches need only be counted. */
  begin(file: string): FileMatches | undefined {
    const last = this.#files.at(-1);
    if (this.#kept >= this.#limit && last !== undefined && file > last.file) return undefined;
    const entry: FileMatches = { file, matches: [], lines: new Map() };
    const at = this.#files.findIndex((other) => other.file > file);
    this.#files.splice(at === -1 ? this.#files.length : at, 0, entry);
    return entry;
  }

  add(entry: FileMatches | undefined, match: FoundMatch): void {
    if (entry === undefined || entry.matches.length >= this.#limit) return;
    entry.matches.push(match);
    entry.lines.set(match.line, match.text);
    this.#kept++;
    while (this.#kept > this.#limit) this.#dropLast();
  }

  addContext(entry: FileMatches | undefined, line: number, text: string): void {
    if (entry !== undefined && entry.matches.length <= this.#limit) entry.lines.set(line, text);
  }

  /** The kept matches in order, each with up to `around` lines before and after. */
  results(around: number): CollectedMatch[] {
    return this.#files.flatMap(({ file, matches, lines }) =>
      matches.map((match) => ({
        file,
        match,
        before: surroundings(lines, match.line, -1, around).reverse(),
        after: surroundings(lines, match.endLine ?? match.line, 1, around),
      })),
    );
  }

  #dropLast(): void {
    const last = this.#files.at(-1) as FileMatches;
    if (last.matches.pop() !== undefined) this.#kept--;
    if (last.matches.length === 0) this.#files.pop();
  }
}

function surroundings(lines: ReadonlyMap<number, string>, line: number, step: 1 | -1, count: number): string[] {
  const found: string[] = [];
  for (let distance = 1; distance <= count; distance++) {
    const text = lines.get(line + step * distance);
    if (text === undefined) break;
    found.push(text);
  }
  return found;
}
