import { type Gravity, graded, NO_GRAVITY, told } from "./gravity.ts";
import type { Scale } from "./key-meaning.ts";
import type { KeyEntry } from "./key-table.ts";

/** What a scalar says: its head, where in it the value begins, and its key. */
export interface Saying {
  readonly text: string;
  readonly start: number;
  readonly key: KeyEntry | undefined;
}

const tableOf = (entries: Readonly<Record<string, number>>): ReadonlyMap<string, number> =>
  new Map(Object.entries(entries));

/** Grades of any scale; they count where a key says that it grades. */
const GRADES = tableOf({
  blocker: 3.2,
  critical: 3,
  fatal: 3,
  emergency: 3,
  high: 2.4,
  error: 2.4,
  severe: 2.4,
  serious: 2.4,
  danger: 2.4,
  important: 2.2,
  urgent: 2.2,
  major: 1.8,
  warning: 1.2,
  warn: 1.2,
  medium: 1.2,
  moderate: 1.2,
  low: 0.6,
  minor: 0.6,
  hotspot: 0.6,
  style: 0.4,
  convention: 0.4,
  refactor: 0.4,
  note: 0.2,
  info: 0.2,
  informational: 0.2,
  information: 0.2,
  negligible: 0.2,
  unknown: 0.2,
  trivial: 0.2,
  debug: 0.1,
  none: 0,
  good: 0,
  secure: 0,
});

/** Words for what went wrong; they count under any key. */
const FAILURES = tableOf({
  fatal: 3,
  panic: 3,
  error: 2.4,
  errored: 2.4,
  failed: 2.4,
  failure: 2.4,
  fail: 2.4,
  broken: 2.4,
  crashed: 2.4,
  exception: 2,
  vulnerable: 2,
  denied: 1.6,
  rejected: 1.6,
  unhealthy: 1.6,
  timeout: 1.6,
  timed_out: 1.6,
  invalid: 1.2,
});

/** Words of a status that take back what a grade says. */
const CLEARED: ReadonlySet<string> = new Set(
  "pass passed ok success succeeded successful muted suppressed dismissed resolved closed skipped ignored".split(" "),
);

/** In running text; in a path, an address or a name such a word says nothing. */
const TROUBLE =
  /(?<![\w./@#-])(?:error|failed|failure|fatal|exception|panic|crash(?:ed)?|denied|critical)(?![\w/(#-]|\.\w)/i;
/** How a text begins that a tool printed because something went wrong. */
const OUTCRY =
  /^(?:\s|\\[nrt]|-)*(?:panic:|WARNING: |fatal(?: error)?:|FAIL[:\s\\]|FAILED\b|Traceback |(?:[\w.]+)?(?:Error|Exception): |error(?:\[\w+\])?: )/;
/** A key that says true or counts when something is wrong. */
const FAILING_KEY = /^"[^"]*fail/i;
/** Under the name of a package, whatever that is called. */
const VERSION = /^[\^~<>=v]{0,3}\d+(?:\.[\dx*]+)+/;
const QUOTE = 34;
const MAX_WORD = 16;
const SHORT_CHARS = 40;
const OUTCRY_CHARS = 80;

/** What the values under a key say; `inGrade` when the key around it grades. */
export function scaleOf(key: KeyEntry | undefined, inGrade: boolean): Scale {
  if (key === undefined) return "none";
  return inGrade && key.meaning.scale !== "other" ? "grade" : key.meaning.scale;
}

/** True for scales on which any number says how grave things are. */
export function isNumeric(scale: Scale): boolean {
  return scale === "score" || scale === "grade" || scale === "mild grade";
}

/** What a scalar says of how grave things are. */
export function readGravity(said: Saying, scale: Scale): Gravity {
  const { text, start, key } = said;
  if (scale === "other") return NO_GRAVITY;
  if (text.charCodeAt(start) === QUOTE) return readString(said, scale);
  return key !== undefined && scale !== "none" && text.length - start < 24 ? readLiteral(said, scale) : NO_GRAVITY;
}

function readString(said: Saying, scale: Scale): Gravity {
  const { text } = said;
  const start = said.start + 1;
  const end = text.length - 1;
  if (end <= start) return NO_GRAVITY;
  const word = end - start <= SHORT_CHARS ? readWord(said, scale, end) : undefined;
  if (word !== undefined) return word;
  if (scale === "error") return VERSION.test(text.slice(start, start + SHORT_CHARS)) ? NO_GRAVITY : told(1.8);
  if (OUTCRY.test(text.slice(start, start + OUTCRY_CHARS))) return told(1.1);
  return end - start < 600 && TROUBLE.test(text) ? told(0.4) : NO_GRAVITY;
}

/** Reads a value that is one word or a number, of a grade also the first word of a few; undefined when it says nothing. */
function readWord({ text, start: quote, key }: Saying, scale: Scale, end: number): Gravity | undefined {
  const start = quote + 1;
  let wordEnd = start;
  while (wordEnd - start <= MAX_WORD && isWordUnit(text.charCodeAt(wordEnd))) wordEnd++;
  if (wordEnd === start) {
    const value = scale === "grade" || scale === "score" ? Number(text.slice(start, end)) : Number.NaN;
    return Number.isNaN(value) ? undefined : gradeOfNumber(key, scale, value);
  }
  const byGrade = scale === "grade" || scale === "mild grade";
  if (wordEnd - start > MAX_WORD || (wordEnd < end && !byGrade)) return undefined;
  const word = text.slice(start, wordEnd).toLowerCase();
  const grade = byGrade ? GRADES.get(word) : undefined;
  if (grade !== undefined) return graded(grade, scale === "grade" ? 0 : 0.5);
  if (wordEnd < end) return undefined;
  const other = (FAILURES.get(word) ?? 0) * (scale === "none" ? 0.7 : 1);
  const cleared = scale === "status" && CLEARED.has(word);
  return other > 0 || cleared ? told(other, cleared) : undefined;
}

function readLiteral({ text, start, key }: Saying, scale: Scale): Gravity {
  const literal = text.slice(start);
  if (literal === "true" || literal === "false") {
    const failing = scale === "error" ? literal === "true" : (literal === "true") === FAILING_KEY.test(text);
    return failing && (scale === "error" || scale === "status") ? told(1.5) : NO_GRAVITY;
  }
  const value = Number(literal);
  if (Number.isNaN(value)) return NO_GRAVITY;
  if (scale === "error" || (scale === "status" && FAILING_KEY.test(text))) return value > 0 ? told(1.5) : NO_GRAVITY;
  if (scale === "status") return failedRequest(value);
  return readNumber(key, scale, value);
}

/** What a server's answer of this number says: 5xx that it failed, 4xx that it refused. */
function failedRequest(status: number): Gravity {
  if (!Number.isInteger(status) || status < 400 || status > 599) return NO_GRAVITY;
  return told(status >= 500 ? 2 : 1.2);
}

/** What a number says under a key of a scale on which any does. */
export function readNumber(key: KeyEntry | undefined, scale: Scale, value: number): Gravity {
  return (key === undefined ? undefined : gradeOfNumber(key, scale, value)) ?? NO_GRAVITY;
}

/** Reads a grade from 0 to 5 by its height, a score up to 10 as such scores are meant, and levels of logs up to 60. */
function gradeOfNumber(key: KeyEntry | undefined, scale: Scale, value: number): Gravity | undefined {
  if (value < 0 || value > 60) return undefined;
  if (scale === "score" && key !== undefined) {
    if (value > 1) key.beyondOne = true;
    // Of scores that reach up to 1, as those of audits do, 0 is the worst.
    else if (!key.beyondOne && (value === 0 || value === 1)) return graded(value === 0 ? 2 : 0, 0.75);
  }
  const depth = scale === "grade" ? 0 : scale === "mild grade" ? 0.5 : 0.75;
  if (value > 10) {
    if (scale !== "mild grade" || value % 10 !== 0) return undefined;
    return graded(value >= 60 ? 3 : value >= 50 ? 2.4 : value >= 40 ? 1.2 : 0.2, depth);
  }
  if (scale !== "score" && value <= 5 && Number.isInteger(value)) {
    return scale === "grade" ? graded(0.2 + 0.4 * value, depth) : undefined;
  }
  return graded(value >= 9 ? 3 : value >= 7 ? 2.4 : value >= 4 ? 1.2 : value > 0 ? 0.6 : 0.2, depth);
}

function isWordUnit(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || unit === 95;
}
