import { basename, dirname, resolve } from "node:path";
import { SpillwayError } from "../../errors.ts";
import { checkOptions, kinds } from "../../limits/options.ts";
import { findRipgrep } from "../../process/ripgrep.ts";
import { type ByteSource, closing, isSource, openFileSource } from "../byte-source.ts";
import { readTextRange } from "../read-lines.ts";
import { plainReason } from "../store-failure.ts";
import type { ByteRange } from "../types.ts";
import { createBoundedMatcher } from "./bounded-regex.ts";
import type { Hit } from "./hit.ts";
import { ripgrepHits } from "./ripgrep.ts";
import { scanHits } from "./scan-hits.ts";

export interface GrepOptions {
  /** Whether upper and lower case are the same. @default false */
  readonly ignoreCase?: boolean | undefined;
  /** Takes the pattern as plain text. @default false */
  readonly fixedStrings?: boolean | undefined;
  /** Most matches to show. @default 50 */
  readonly limit?: number | undefined;
  /** Most bytes of text to show, all matches together. @default 16384 */
  readonly maxBytes?: number | undefined;
  /** Most bytes to show of one line. @default 400 */
  readonly windowBytes?: number | undefined;
  /** Which engine searches. @default "ripgrep" where it is available */
  readonly engine?: "ripgrep" | "javascript" | undefined;
  /** Ends the search. */
  readonly signal?: AbortSignal | undefined;
}

const GREP_CHECKS = {
  ignoreCase: kinds.flag,
  fixedStrings: kinds.flag,
  limit: kinds.from0,
  maxBytes: kinds.from0,
  windowBytes: kinds.above0,
  engine: kinds.oneOf("ripgrep", "javascript"),
  signal: kinds.object,
} satisfies Record<keyof GrepOptions, unknown>;

/** A match with as much of its line around it as the window allows. */
export interface GrepMatch extends TextWindow {
  readonly line: number;
  /** Where the match begins. */
  readonly matchByte: number;
}

export interface GrepAnswer {
  readonly matches: readonly GrepMatch[];
  /** Every match in the file, shown or not. */
  readonly totalMatches: number;
  readonly matchingLines: number;
  /** False when there are matches that neither stand in `matches` nor are visible in the text of one. */
  readonly complete: boolean;
}

/** Searches one file for a pattern; bounded whatever the file holds, also inside one endless line. */
export async function grepFile(path: string, pattern: string, options: GrepOptions = {}): Promise<GrepAnswer> {
  kinds.text(path, "The path for grepFile()");
  kinds.text(pattern, "The pattern for grepFile()");
  checkOptions(options, GREP_CHECKS, "grepFile()");
  const program = options.engine === "javascript" ? null : await findRipgrep();
  return closing(await openSource(path), async (source) => {
    if (program === null) return grepSource(source, pattern, options);
    const full = resolve(path);
    const hits = ripgrepHits(program, {
      patterns: [pattern],
      fixedStrings: options.fixedStrings ?? false,
      ignoreCase: options.ignoreCase ?? false,
      target: `./${basename(full)}`,
      cwd: dirname(full),
      signal: options.signal,
    });
    return collectMatches(source, hits, options);
  });
}

/** The same for any bytes, by JavaScript's regular expressions. */
export function grepSource(source: ByteSource, pattern: string, options: GrepOptions = {}): Promise<GrepAnswer> {
  isSource(source, "The source for grepSource()");
  kinds.text(pattern, "The pattern for grepSource()");
  checkOptions(options, GREP_CHECKS, "grepSource()");
  const { ignoreCase = false, fixedStrings = false } = options;
  return collectMatches(source, scanHits(source, createBoundedMatcher(pattern, { ignoreCase, fixedStrings })), options);
}

async function collectMatches(
  source: ByteSource,
  batches: AsyncIterable<readonly Hit[]>,
  options: GrepOptions,
): Promise<GrepAnswer> {
  const { limit = 50, maxBytes = 16_384, windowBytes = 400 } = options;
  const matches: GrepMatch[] = [];
  let totalMatches = 0;
  let matchingLines = 0;
  let lastLine = 0;
  let visibleTo = 0;
  let roomBytes = maxBytes;
  let complete = true;
  for await (const hits of batches) {
    for (const hit of hits) {
      totalMatches += 1;
      if (hit.line !== lastLine) matchingLines += 1;
      lastLine = hit.line;
      if (hit.startByte < visibleTo || !complete) continue;
      const window = matches.length < limit ? await readWindow(source, hit.startByte, windowBytes) : undefined;
      if (window === undefined || window.endByte - window.startByte > roomBytes) {
        complete = false;
        continue;
      }
      roomBytes -= window.endByte - window.startByte;
      visibleTo = window.endByte;
      matches.push({ line: hit.line, matchByte: hit.startByte, ...window });
    }
  }
  return { matches, totalMatches, matchingLines, complete };
}

async function openSource(path: string): Promise<ByteSource> {
  try {
    return await openFileSource(path);
  } catch (error) {
    throw new SpillwayError("ARTIFACT_NOT_FOUND", `cannot read ${path}: ${plainReason(error)}`, { cause: error });
  }
}

/** A part of a line, or all of it, without its line ending. */
interface TextWindow extends ByteRange {
  readonly text: string;
  /** True when the line goes on before or after the text. */
  readonly cutBefore: boolean;
  readonly cutAfter: boolean;
}

/** The line that holds a byte; when it exceeds `windowBytes`, the part around that byte, a quarter of it before. */
async function readWindow(source: ByteSource, byte: number, windowBytes: number): Promise<TextWindow> {
  const from = Math.max(0, byte - windowBytes);
  const bytes = await source.read(from, byte + windowBytes + 1);
  const at = byte - from;
  const newline = bytes.indexOf(10, at);
  let start = at === 0 ? 0 : bytes.lastIndexOf(10, at - 1) + 1;
  let end = newline === -1 ? bytes.length : newline;
  let cutBefore = start === 0 && from > 0;
  let cutAfter = newline === -1 && from + bytes.length < source.size;
  if (cutBefore || cutAfter || end - start > windowBytes) {
    const wanted = Math.max(start, at - Math.floor(windowBytes / 4));
    cutBefore ||= wanted > start;
    start = wanted;
    // Both ends may move back by three bytes to the beginning of a code point.
    const room = Math.max(1, windowBytes - 3);
    cutAfter ||= end > start + room;
    end = Math.min(end, start + room);
  }
  const answer = await readTextRange(source, { startByte: from + start, endByte: from + end });
  return { ...answer, text: answer.text.replace(/\r$/, ""), cutBefore, cutAfter };
}
