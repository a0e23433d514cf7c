import { ZERO } from "../zero.ts";
import type { Scale } from "./key-meaning.ts";
import type { KeyEntry } from "./key-table.ts";

/** How grave things are that a value tells of. */
export interface Gravity {
  /** What a severity in it says, below 0 for none; how deep it stands, and whether in a list. */
  grade: number;
  gradeDepth: number;
  listed: boolean;
  /** How grave other words in it are. */
  other: number;
  /** True when a status says that all is well. */
  cleared: boolean;
}

/** A fraction, for the reason that `ZERO` is one. */
const NO_GRADE = -0.5;

/** That of a value that tells of nothing. */
export const NO_GRAVITY: Readonly<Gravity> = {
  grade: NO_GRADE,
  gradeDepth: Number.POSITIVE_INFINITY,
  listed: false,
  other: ZERO,
  cleared: false,
};

/** Lets a value tell just what another does. */
export function copyGravity(to: Gravity, { grade, gradeDepth, listed, other, cleared }: Readonly<Gravity>): void {
  to.grade = grade;
  to.gradeDepth = gradeDepth;
  to.listed = listed;
  to.other = other;
  to.cleared = cleared;
}

interface Typed {
  readonly type: "scalar" | "object" | "array";
}

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

/** Reads what a number says under a key of such a scale. */
export function readNumber(node: Gravity, key: KeyEntry | undefined, scale: Scale, value: number): void {
  if (key !== undefined) setNumber(node, key, scale, value);
}

/** Reads what a scalar says of how grave things are. */
export function readGravity(node: Gravity, said: Saying, scale: Scale): void {
  const { text, start, key } = said;
  if (scale === "other") return;
  if (text.charCodeAt(start) === QUOTE) readString(node, said, scale);
  else if (key !== undefined && scale !== "none" && text.length - start < 24) readLiteral(node, said, scale);
}

function readString(node: Gravity, said: Saying, scale: Scale): void {
  const { text } = said;
  const start = said.start + 1;
  const end = text.length - 1;
  if (end <= start || (end - start <= SHORT_CHARS && readWord(node, said, scale, end))) return;
  if (scale === "error") node.other = VERSION.test(text.slice(start, start + SHORT_CHARS)) ? 0 : 1.8;
  else if (OUTCRY.test(text.slice(start, start + OUTCRY_CHARS))) node.other = 1.1;
  else if (end - start < 600 && TROUBLE.test(text)) node.other = 0.4;
}

/** Reads a value that is one word or a number, of a grade also the first word of a few; true when it says something. */
function readWord(node: Gravity, { text, start: quote, key }: Saying, scale: Scale, end: number): boolean {
  const start = quote + 1;
  let wordEnd = start;
  while (wordEnd - start <= MAX_WORD && isWordUnit(text.charCodeAt(wordEnd))) wordEnd++;
  if (wordEnd === start) {
    const value = scale === "grade" || scale === "score" ? Number(text.slice(start, end)) : Number.NaN;
    return !Number.isNaN(value) && setNumber(node, key, scale, value);
  }
  const graded = scale === "grade" || scale === "mild grade";
  if (wordEnd - start > MAX_WORD || (wordEnd < end && !graded)) return false;
  const word = text.slice(start, wordEnd).toLowerCase();
  const grade = graded ? GRADES.get(word) : undefined;
  if (grade !== undefined) return setGrade(node, grade, scale === "grade" ? 0 : 0.5);
  if (wordEnd < end) return false;
  node.other = (FAILURES.get(word) ?? 0) * (scale === "none" ? 0.7 : 1);
  node.cleared = scale === "status" && CLEARED.has(word);
  return node.other > 0 || node.cleared;
}

function readLiteral(node: Gravity, { text, start, key }: Saying, scale: Scale): void {
  const literal = text.slice(start);
  if (literal === "true" || literal === "false") {
    if (scale === "error") node.other = literal === "true" ? 1.5 : 0;
    else if (scale === "status") node.other = (literal === "true") === FAILING_KEY.test(text) ? 1.5 : 0;
    return;
  }
  const value = Number(literal);
  if (Number.isNaN(value)) return;
  if (scale === "error" || (scale === "status" && FAILING_KEY.test(text))) node.other = value > 0 ? 1.5 : 0;
  else if (scale === "status") node.other = failedRequest(value);
  else setNumber(node, key, scale, value);
}

/** What a server's answer of this number says: 5xx that it failed, 4xx that it refused. */
function failedRequest(status: number): number {
  if (!Number.isInteger(status) || status < 400 || status > 599) return 0;
  return status >= 500 ? 2 : 1.2;
}

/** Reads a grade from 0 to 5 by its height, a score up to 10 as such scores are meant, and levels of logs up to 60. */
function setNumber(node: Gravity, key: KeyEntry | undefined, scale: Scale, value: number): boolean {
  if (value < 0 || value > 60) return false;
  if (scale === "score" && key !== undefined) {
    if (value > 1) key.beyondOne = true;
    // Of scores that reach up to 1, as those of audits do, 0 is the worst.
    else if (!key.beyondOne && (value === 0 || value === 1)) return setGrade(node, value === 0 ? 2 : 0, 0.75);
  }
  const depth = scale === "grade" ? 0 : scale === "mild grade" ? 0.5 : 0.75;
  if (value > 10) {
    if (scale !== "mild grade" || value % 10 !== 0) return false;
    return setGrade(node, value >= 60 ? 3 : value >= 50 ? 2.4 : value >= 40 ? 1.2 : 0.2, depth);
  }
  if (scale !== "score" && value <= 5 && Number.isInteger(value)) {
    return scale === "grade" && setGrade(node, 0.2 + 0.4 * value, depth);
  }
  return setGrade(node, value >= 9 ? 3 : value >= 7 ? 2.4 : value >= 4 ? 1.2 : value > 0 ? 0.6 : 0.2, depth);
}

function setGrade(node: Gravity, grade: number, depth: number): true {
  node.grade = grade;
  node.gradeDepth = depth;
  return true;
}

function isWordUnit(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || unit === 95;
}

/**
 * Adds what a child says to its parent. In an object the shallowest grade is the object's own, however deep it stands;
 * an array is as grave as its gravest item.
 */
export function mergeGravity(parent: Gravity & Typed, child: Gravity & Typed): void {
  if (parent.type === "array") {
    const gravity = gravityOf(child);
    if (child.grade >= 0) {
      if (gravity > parent.grade) parent.grade = gravity;
      parent.gradeDepth = Math.min(parent.gradeDepth, child.gradeDepth);
      parent.listed = true;
    } else if (gravity > parent.other) {
      parent.other = gravity;
    }
    return;
  }
  if (child.grade >= 0) {
    const depth = child.gradeDepth + (child.type === "scalar" ? 0 : 1);
    if (depth < parent.gradeDepth || (depth === parent.gradeDepth && child.grade > parent.grade)) {
      parent.grade = child.grade;
      parent.gradeDepth = depth;
      parent.listed = child.listed;
    }
  }
  const other = child.type === "scalar" ? child.other : 0.8 * child.other;
  if (other > parent.other) parent.other = other;
  if (child.cleared && child.type === "scalar") parent.cleared = true;
}

/** How grave a value is: about 3 for "critical", 2.4 for "failed", 0 for most. */
export function gravityOf(node: Gravity): number {
  const cleared = node.cleared && node.other < 1;
  if (node.grade < 0) return cleared ? 0 : node.other;
  return cleared ? 0.1 : node.grade + 0.05 * node.other;
}
