import { closeSync, readSync } from "node:fs";
import { openBelow } from "../sandbox/write-atomic.ts";

/** Longest line that is shown whole, in bytes; of a longer one the part around the match, or its beginning. */
export const GREP_LINE_BYTES = 1000;
/** A match over many lines is shown up to here. */
const GREP_MATCH_CHARS = 4000;

/** A line without its line ending, as it is shown. */
export function showLine(line: string): string {
  const text = line.replace(/\r$/, "");
  return text.length <= GREP_LINE_BYTES ? text : `${text.slice(0, GREP_LINE_BYTES).replace(/[\ud800-\udbff]$/, "")} …`;
}

/** The lines of a match as they are shown: none too long, and not too many of them. */
export function showLines(text: string): string {
  const shown: string[] = [];
  let room = GREP_MATCH_CHARS;
  const lines = text.split("\n");
  for (const line of lines) {
    const short = showLine(line);
    room -= short.length + 1;
    if (room < 0 && shown.length > 0) break;
    shown.push(short);
  }
  const left = lines.length - shown.length;
  return shown.join("\n") + (left === 0 ? "" : `\n… ${left} more ${left === 1 ? "line" : "lines"}`);
}

/** True when the first line of a shown text is only a part of it. */
export function beginsCut(text: string): boolean {
  return Buffer.byteLength(text.split("\n", 1)[0] as string) > GREP_LINE_BYTES;
}

/** ripgrep decodes files that begin like this, so its offsets are not those of the file. */
const BYTE_ORDER_MARK = /^(?:\xff\xfe|\xfe\xff|\xef\xbb\xbf)/;

/**
 * Checks whether a searcher's match is really in the file of that name below the root. The searcher uses paths,
 * so that a link which is swapped in for a directory makes it read, and show, another file.
 */
export class FileWitness {
  readonly #root: string;
  readonly #locate: (file: string) => string;
  #fd: number | undefined;

  constructor(root: string, locate: (file: string) => string) {
    this.#root = root;
    this.#locate = locate;
  }

  /** A descriptor of the file below the root, to be closed; undefined if there is none. */
  open(file: string): number | undefined {
    return openBelow(this.#locate(file), this.#root);
  }

  /** Switches to a file; false if it cannot be verified. */
  begin(file: string): boolean {
    this.end();
    this.#fd = this.open(file);
    if (this.#fd === undefined) return false;
    return !BYTE_ORDER_MARK.test(this.#read(0, 3).toString("latin1"));
  }

  /** True when the file has these bytes there. */
  confirms(offset: number, bytes: Buffer): boolean {
    return this.#read(offset, bytes.length).equals(bytes);
  }

  end(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  #read(offset: number, length: number): Buffer {
    const buffer = Buffer.allocUnsafe(length);
    if (this.#fd === undefined) return buffer.subarray(0, 0);
    return buffer.subarray(0, readSync(this.#fd, buffer, 0, length, offset));
  }
}

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

/** A match with its position, for lines that are shown in part. */
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
 * Keeps the first `limit` matches in the order of paths, in any order of arrival, and counts the others. A searcher
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
