import { decode } from "../../bytes/utf8.ts";
import { cleanLines } from "../clean.ts";

const MAX_LINES = 400;
const LINE_CHARS = 400;
const LOOKED_BYTES = 16_384;
const NEWLINE = 10;

/** The beginning of an output in the forms in which shapes look at it. */
export class Sample {
  readonly #beginning: Uint8Array;
  /** Whole lines of at least 400 lines or 16 KB, whichever is more. */
  readonly looked: readonly string[];
  /** Of these the first 400, shortened. */
  readonly lines: readonly string[];
  /** The same without blank ones. */
  readonly filled: readonly string[];
  #all: readonly string[] | undefined;

  constructor(beginning: Uint8Array) {
    this.#beginning = beginning;
    this.looked = cleanLines(decode(lookedAt(beginning)).replace(/^\ufeff/, ""));
    this.lines = this.looked.slice(0, MAX_LINES).map((line) => line.slice(0, LINE_CHARS).trimEnd());
    this.filled = this.lines.filter((line) => line !== "");
  }

  /** True for less than four lines, in many bytes or in few. */
  get short(): boolean {
    return this.filled.length < 4;
  }

  /** True when lines are so long that few of them fill what is looked at. */
  get long(): boolean {
    return this.#beginning.length > LOOKED_BYTES;
  }

  /** The first line that is not blank, without its indentation. */
  get opening(): string {
    return this.looked.find((line) => line.trim() !== "")?.trimStart() ?? "";
  }

  /** What is looked at as one text, without blanks before it. */
  get text(): string {
    return this.looked.join("\n").trimStart();
  }

  /** All lines of the beginning, whole. */
  get all(): readonly string[] {
    this.#all ??= cleanLines(decode(this.#beginning));
    return this.#all;
  }
}

/** Reads no more than what is looked at, in whole lines. */
function lookedAt(bytes: Uint8Array): Uint8Array {
  let lines = 0;
  let end = 0;
  while (end < bytes.length && (lines < MAX_LINES || end < LOOKED_BYTES)) {
    const newline = bytes.indexOf(NEWLINE, end);
    end = newline === -1 ? bytes.length : newline + 1;
    lines++;
  }
  return bytes.subarray(0, end);
}

/** What compilers print. */
export const DIAGNOSTIC = /:\d+:\d+: |\b(?:error|warning|note)\b:|^\s+(?:at |\^)/;

/** How lines of a log begin. */
export const LOGGED =
  /^\[?\d{4}[-/]\d\d[-/]\d\d|^\d\d[-/]\d\d[ -]|^<?\d+>?[\s:]|^\[?\d\d:\d\d:\d\d|^\[\s*\d|^(?:\[)?(?:INFO|DEBUG|WARN|ERROR|TRACE|info|error|warn)\b|^[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:|^[^\t]{1,80}\t[^\t]{1,80}\t\ufeff?\d{4}-\d\d-\d\dT|\.\.\.|^\$ |^> /;

/** True when more than this share of the lines match. */
export function moreThan(share: number, lines: readonly string[], pattern: RegExp): boolean {
  let needed = Math.floor(share * lines.length);
  while (needed / lines.length <= share) needed++;
  return atLeast(needed, lines, pattern);
}

/** True when less than this share of the lines match. */
export function lessThan(share: number, lines: readonly string[], pattern: RegExp): boolean {
  let excluded = Math.floor(share * lines.length);
  while (excluded / lines.length < share) excluded++;
  return !atLeast(excluded, lines, pattern);
}

/** Stops at the line that decides it: most outputs are soon seen not to be of a shape. */
function atLeast(needed: number, lines: readonly string[], pattern: RegExp): boolean {
  let missing = needed;
  for (let index = 0; missing > 0 && missing <= lines.length - index; index++) {
    if (pattern.test(lines[index] as string)) missing--;
  }
  return missing <= 0;
}
