import { ALNUM, BASE64, DASH, runEnd, standsInAnyCase } from "../byte-class.ts";
import type { Rule, View } from "../types.ts";
import { columnOf, lineBreakEnd, lineEndFrom, MARGIN_BYTES, marginEnd } from "./lines.ts";
import { announces, NAME_ANCHORS, type NameWord, nameEnd, nameStart, suits, wordAt } from "./secret-name.ts";
import { readValue, skipBlanks, skipQuote, type Value } from "./value.ts";

const MOST_BYTES = 16_384;
const RETURN = 13;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const EQUAL = 0x3d;
const LESS = 0x3c;
const GREATER = 0x3e;
const COMMA = 0x2c;
const SLASH = 0x2f;
/** Longest name that ends with "value". */
const LONGEST_NAME = 32;
/** A line of base64 that is not the last. */
const FULL_LINE = 40;

/**
 * A value that does not stand beside its name: on the line below it, or as the value of a pair that has the name for its
 * own, `name: DB_PASSWORD` and `value: …`, in JSON, YAML, TOML or XML.
 */
export const announcedRule: Rule = {
  anchors: NAME_ANCHORS,
  spansLines: { most: MOST_BYTES, mayGrow: (view, at) => announcedAt(view, at, false) === "open" },
  match(view, at) {
    const announced = announcedAt(view, at, true);
    if (announced === undefined || announced === "open") return undefined;
    const { word, value } = announced;
    return suits(word, view.bytes, value) ? { kind: word.kind, start: value.start, end: value.lastEnd } : undefined;
  },
};

interface Announced {
  readonly word: NameWord;
  readonly value: Lines;
}

/** The first line of a value, and where its last one ends. */
interface Lines extends Value {
  readonly lastEnd: number;
}

/** What the name announces that has its word at `at`; `whole` when nothing comes after the view. */
function announcedAt(view: View, at: number, whole: boolean): Announced | "open" | undefined {
  const word = wordAt(view, at);
  const value = word && valueFor(view, at, nameEnd(view, word, at), whole);
  if (word === undefined || value === undefined || !announces(view, word, at)) return undefined;
  return value === "open" ? value : { word, value };
}

/** What stands where the value of a name does, or that the bytes end before it can be told. */
function valueFor(view: View, at: number, nameEnd: number, whole: boolean): Lines | "open" | undefined {
  const { bytes } = view;
  const quoted = skipQuote(view, nameEnd);
  const next = skipBlanks(view, quoted);
  if (bytes[next] === COLON) return valueBelow(view, at, next + 1, whole);
  if (bytes[next] === COMMA && quoted > nameEnd) return pairedValue(view, next + 1, whole);
  if (bytes[next] === LESS && bytes[next + 1] === SLASH) {
    const tag = runEnd(bytes, next + 2, Math.min(view.end, next + LONGEST_NAME), ALNUM | DASH);
    return bytes[tag] === GREATER ? pairedValue(view, tag + 1, whole) : undefined;
  }
  return lineBreakEnd(view, next) === undefined ? undefined : pairedValue(view, next, whole);
}

/** The value on the next line, after `name:` or `name: |`, when it is alone there and further to the right than the name. */
function valueBelow(view: View, name: number, at: number, whole: boolean): Lines | "open" | undefined {
  const line = lineBreakEnd(view, blockSignEnd(view, skipBlanks(view, at)));
  const column = line === undefined ? undefined : columnOf(view, nameStart(view, name), line);
  if (line === undefined || column === undefined) return undefined;
  const from = marginEnd(view, line);
  const lineEnd = lineEndFrom(view, line) ?? (whole ? view.end : undefined);
  if (lineEnd === undefined) return "open";
  if (from - line <= column) return undefined;
  const value = readValue({ ...view, end: lineEnd }, from);
  if (!endsLine(view, skipQuote(view, value.end), lineEnd)) return undefined;
  return value.quoted ? { ...value, lastEnd: value.end } : withLinesBelow(view, value, from - line, whole);
}

/** Passes over `|`, `>-` and the like, and blanks. */
function blockSignEnd(view: View, at: number): number {
  const { bytes } = view;
  if (bytes[at] !== 0x7c && bytes[at] !== GREATER) return at;
  let to = at + 1;
  while (to < view.end && (bytes[to] === 0x2b || bytes[to] === 0x2d || (bytes[to]! >= 0x30 && bytes[to]! <= 0x39)))
    to++;
  return skipBlanks(view, to);
}

function endsLine(view: View, at: number, lineEnd: number): boolean {
  const { bytes } = view;
  const rest = skipBlanks(view, bytes[at] === COMMA ? at + 1 : at);
  return rest >= lineEnd || bytes[rest] === RETURN || bytes[rest] === BACKSLASH;
}

/** Base64 goes on from one full line to the next. */
function withLinesBelow(view: View, value: Value, column: number, whole: boolean): Lines | "open" | undefined {
  const { bytes } = view;
  let { end } = value;
  let length = end - value.start;
  while (length >= FULL_LINE && runEnd(bytes, end - length, end, BASE64) === end) {
    const line = lineBreakEnd(view, skipBlanks(view, end));
    if (line === undefined) break;
    const from = marginEnd(view, line);
    const lineEnd = lineEndFrom(view, line) ?? (whole ? view.end : undefined);
    if (lineEnd === undefined) return "open";
    const run = runEnd(bytes, from, lineEnd, BASE64);
    if (from - line !== column || run === from || !endsLine(view, run, lineEnd)) break;
    length = run - from;
    end = run;
  }
  return { ...value, lastEnd: end };
}

/** The value of `value: …`, `"value": "…"` or `<value>…`, which comes next. */
function pairedValue(view: View, at: number, whole: boolean): Lines | "open" | undefined {
  const { bytes } = view;
  const blanks = skipBlanks(view, at);
  const line = lineBreakEnd(view, blanks);
  const from = line === undefined ? blanks : marginEnd(view, line);
  const lineEnd = lineEndFrom(view, line ?? from) ?? (whole ? view.end : undefined);
  // What the line begins with may be a margin as soon as more of it has come.
  if (line !== undefined && lineEnd === undefined && view.end - line < MARGIN_BYTES + 2 * LONGEST_NAME) return "open";
  const opened = bytes[from] === LESS ? from + 1 : skipQuote(view, from);
  const named = runEnd(bytes, opened, Math.min(view.end, opened + LONGEST_NAME), ALNUM | DASH);
  if (named === view.end && lineEnd === undefined) return "open";
  if (named - 5 < opened || !standsInAnyCase(bytes, named - 5, "value")) return undefined;
  if (lineEnd === undefined) return "open";
  const separator = skipBlanks(view, skipQuote(view, named));
  const sign = bytes[separator];
  if (separator >= lineEnd || (sign !== COLON && sign !== EQUAL && sign !== GREATER)) return undefined;
  const value = readValue({ ...view, end: lineEnd }, skipBlanks(view, separator + 1));
  return { ...value, lastEnd: value.end };
}
