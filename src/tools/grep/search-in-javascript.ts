import { readSync } from "node:fs";
import path from "node:path";
import { setImmediate as yieldToOthers } from "node:timers/promises";
import { createBoundedMatcher, MATCH_TIMEOUT_MS, type MatchText } from "../../artifacts/search/bounded-regex.ts";
import type { GrepCollector } from "./collector.ts";
import { showLine, showLines } from "./collector.ts";
import type { GrepSearch } from "./search-with-ripgrep.ts";
import { invalidPattern } from "./searched-file.ts";

/** Bytes of a file that are searched without ripgrep; all of them are held in memory. */
const FALLBACK_FILE_BYTES = 8 << 20;
/** A line is searched up to here; beyond, an expression may need too long. */
const FALLBACK_LINE_CHARS = 100_000;

export interface FallbackSearch extends GrepSearch {
  readonly files: Iterable<{
    readonly file: string;
    readonly open: () => Promise<{ fd: number; close(): Promise<void> }>;
  }>;
}

/** Searches in JavaScript; gives the items that were not searched, or not whole. */
export async function searchInJavaScript(search: FallbackSearch, collector: GrepCollector): Promise<string[]> {
  const matcher = createMatcher(search);
  const failed: string[] = [];
  const buffer = Buffer.alloc(FALLBACK_FILE_BYTES);
  for (const { file, open } of search.files) {
    if (search.signal.aborted) break;
    await yieldToOthers();
    let length = 0;
    try {
      const opened = await open();
      try {
        length = readSync(opened.fd, buffer, 0, buffer.length, 0);
      } finally {
        await opened.close();
      }
    } catch (error) {
      failed.push(`${file}: ${(error as Error).message}`);
      continue;
    }
    if (buffer.subarray(0, Math.min(length, 8192)).includes(0)) continue; // binary, as ripgrep would say
    if (length === buffer.length) failed.push(`${file}: only its first ${FALLBACK_FILE_BYTES} bytes were searched`);
    searchText(file, buffer.toString("utf8", 0, length), matcher, search, collector, failed);
  }
  return failed;
}

function createMatcher({ pattern, ignoreCase, multiline }: FallbackSearch): MatchText {
  try {
    return createBoundedMatcher(pattern, { ignoreCase, multiline });
  } catch (error) {
    throw invalidPattern(((error as Error).cause as Error).message);
  }
}

/** First and last line of each match, numbered from 0; of those that begin in one line, together. */
function matchLines(text: string, matcher: MatchText): readonly (readonly [first: number, last: number])[] {
  const found: [number, number][] = [];
  let line = 0;
  let seen = 0;
  for (const { index, length } of matcher(text)) {
    line += countLinesTo(text, seen, index);
    seen = index;
    const last = line + countLinesTo(text, index, index + length - 1);
    const before = found.at(-1);
    if (before?.[0] === line) before[1] = last;
    else found.push([line, last]);
  }
  return found;
}

function countLinesTo(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", from); at !== -1 && at < to; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

function searchText(
  file: string,
  text: string,
  matcher: MatchText,
  search: FallbackSearch,
  collector: GrepCollector,
  failed: string[],
): void {
  const whole = text.split(/\r?\n/);
  if (whole.at(-1) === "") whole.pop();
  const lines = whole.map((line) => line.slice(0, FALLBACK_LINE_CHARS));
  if (whole.some((line) => line.length > FALLBACK_LINE_CHARS)) {
    failed.push(`${file}: lines were searched only up to ${FALLBACK_LINE_CHARS} characters`);
  }
  let found: ReturnType<typeof matchLines>;
  try {
    found = matchLines(lines.join("\n"), matcher);
  } catch {
    failed.push(`${file}: the expression took longer than ${MATCH_TIMEOUT_MS} ms`);
    return;
  }
  if (found.length === 0) return;
  collector.totalFiles++;
  collector.totalMatches += found.length;
  const entry = collector.begin(file);
  for (const [first, last] of entry === undefined ? [] : found) {
    const text = showLines(lines.slice(first, last + 1).join("\n"));
    collector.add(entry, { line: first + 1, endLine: last + 1, text });
    for (let near = first - search.showContext; near <= last + search.showContext; near++) {
      const line = lines[near];
      if (line !== undefined) collector.addContext(entry, near + 1, showLine(line));
    }
  }
}

/** The place of a file below the directory that is searched. */
export function joinPosix(folder: string, file: string): string {
  return folder === "." ? file : path.posix.join(folder, file);
}
