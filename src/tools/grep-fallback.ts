import { readSync } from "node:fs";
import path from "node:path";
import { setImmediate as yieldToOthers } from "node:timers/promises";
import vm from "node:vm";
import { ToolFailure } from "../protocol/tool-failure.ts";
import type { GrepCollector } from "./grep-collector.ts";
import { showLine, showLines } from "./grep-text.ts";

/** What of a file is searched without ripgrep; more would have to be held in memory. */
const FALLBACK_FILE_BYTES = 8 << 20;
/** A line is searched up to here; beyond, an expression may need too long. */
const FALLBACK_LINE_CHARS = 100_000;
/** A regular expression may take this long on one file before the file is given up. */
const FILE_TIMEOUT_MS = 2000;

export interface FallbackSearch {
  readonly pattern: string;
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly showContext: number;
  readonly files: Iterable<{
    readonly file: string;
    readonly open: () => Promise<{ fd: number; close(): Promise<void> }>;
  }>;
  readonly signal: AbortSignal;
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

/** Gives first and last line of each match, numbered from 0. */
type Matcher = (lines: readonly string[]) => readonly (readonly [first: number, last: number])[];

/** A matcher that gives up after a while: an expression such as (a+)+$ needs for ever on some lines. */
function createMatcher({ pattern, ignoreCase, multiline }: FallbackSearch): Matcher {
  const flags = `${ignoreCase ? "i" : ""}${multiline ? "gms" : ""}`;
  try {
    new RegExp(pattern, flags);
  } catch (error) {
    throw new ToolFailure(
      "INVALID_PARAM",
      `The pattern is not a valid regular expression: ${(error as Error).message}.`,
      {
        next: "Correct the pattern; write \\( for a literal parenthesis.",
      },
    );
  }
  const context = vm.createContext({ pattern, flags, lines: [], found: [] });
  const script = new vm.Script(multiline ? ACROSS_LINES : BY_LINE);
  return (lines) => {
    context.lines = lines;
    script.runInContext(context, { timeout: FILE_TIMEOUT_MS });
    return context.found as [number, number][];
  };
}

const BY_LINE = `
  found = [];
  { const regex = new RegExp(pattern, flags);
    for (let i = 0; i < lines.length; i++) if (regex.test(lines[i])) found.push([i, i]); }`;

const ACROSS_LINES = `
  found = [];
  { const text = lines.join("\\n");
    let line = 0, seen = 0;
    for (const match of text.matchAll(new RegExp(pattern, flags))) {
      for (let next; (next = text.indexOf("\\n", seen)) !== -1 && next < match.index; seen = next + 1) line++;
      const last = line + match[0].slice(0, -1).split("\\n").length - 1;
      if (found.at(-1)?.[0] === line) found.at(-1)[1] = last;
      else found.push([line, last]);
    } }`;

function searchText(
  file: string,
  text: string,
  matcher: Matcher,
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
  let found: ReturnType<Matcher>;
  try {
    found = matcher(lines);
  } catch {
    failed.push(`${file}: the expression took longer than ${FILE_TIMEOUT_MS} ms`);
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
