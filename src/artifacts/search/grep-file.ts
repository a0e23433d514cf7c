import { isAscii, isUtf8 } from "node:buffer";
import { basename, dirname, resolve } from "node:path";
import { countNewlines } from "../../bytes/count-newlines.ts";
import { decode, floorCodePoint } from "../../bytes/utf8.ts";
import { SpillwayError } from "../../errors.ts";
import { checkOptions, kinds } from "../../limits/options.ts";
import { findRipgrep } from "../../process/ripgrep.ts";
import { type ByteSource, closing, isSource, openFileSource, readChunks } from "../byte-source.ts";
import { readTextRange } from "../read-lines.ts";
import { plainReason } from "../store-failure.ts";
import type { ByteRange } from "../types.ts";
import { createBoundedMatcher, type MatchText } from "./bounded-regex.ts";
import { HIT_TEXT_CHARS, type Hit, ripgrepHits } from "./ripgrep.ts";

const LONG_LINE_BYTES = 4 * 1024 * 1024;
const OVERLAP_BYTES = 64 * 1024;

/**
 * Every match in a source, without ripgrep, in constant memory. A line above 4 MB is searched in stretches that overlap
 * by 64 KB, so a longer match may be missed there.
 */
export async function* scanHits(source: ByteSource, matchText: MatchText): AsyncIterable<readonly Hit[]> {
  let rest = new Uint8Array(0);
  let restStart = 0;
  let line = 1;
  for await (const chunk of readChunks(source)) {
    const bytes = rest.length === 0 ? chunk : new Uint8Array(Buffer.concat([rest, chunk]));
    const newline = bytes.lastIndexOf(10);
    let end = newline + 1;
    let keep = end;
    if (newline === -1) {
      if (bytes.length < LONG_LINE_BYTES) {
        rest = bytes as Uint8Array<ArrayBuffer>;
        continue;
      }
      end = floorCodePoint(bytes, bytes.length - 4);
      keep = floorCodePoint(bytes, end - OVERLAP_BYTES);
    }
    const hits = stretchHits(bytes.subarray(0, end), restStart, line, matchText);
    yield hits.filter((hit) => hit.startByte < restStart + keep);
    line += countNewlines(bytes.subarray(0, keep));
    rest = bytes.slice(keep) as Uint8Array<ArrayBuffer>;
    restStart += keep;
  }
  if (rest.length > 0) yield stretchHits(rest, restStart, line, matchText);
}

function stretchHits(bytes: Uint8Array, startByte: number, line: number, matchText: MatchText): Hit[] {
  if (!isUtf8(bytes)) {
    const newline = bytes.indexOf(10);
    if (newline !== -1 && newline < bytes.length - 1) return eachLine(bytes, startByte, line, matchText);
  }
  const oneByteEach = isAscii(bytes) || !isUtf8(bytes);
  const text = oneByteEach
    ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1")
    : decode(bytes);
  const hits: Hit[] = [];
  let at = 0;
  let byte = 0;
  let hitLine = line;
  for (const match of matchText(text)) {
    if (match.length === 0) continue;
    const between = text.slice(at, match.index);
    byte += oneByteEach ? between.length : Buffer.byteLength(between);
    for (let next = between.indexOf("\n"); next !== -1; next = between.indexOf("\n", next + 1)) hitLine += 1;
    at = match.index;
    hits.push({ path: "", line: hitLine, startByte: startByte + byte, text: match.text.slice(0, HIT_TEXT_CHARS) });
  }
  return hits;
}

/** Where bytes are no valid UTF-8, only the lines that hold them are read byte by byte. */
function eachLine(bytes: Uint8Array, startByte: number, line: number, matchText: MatchText): Hit[] {
  const hits: Hit[] = [];
  let number = line;
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(10, start);
    const end = newline === -1 ? bytes.length : newline + 1;
    for (const hit of stretchHits(bytes.subarray(start, end), startByte + start, number, matchText)) hits.push(hit);
    number += 1;
    start = end;
  }
  return hits;
}

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
  /** False if there are matches that are neither in `matches` nor visible in the text of one. */
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
  /** True if the line continues before or after the text. */
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
