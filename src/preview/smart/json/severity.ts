import { ZERO } from "../zero.ts";
import type { KeyEntry, Scale } from "./json-keys.ts";

/** How severe a value is. Immutable: most values are not severe at all and share one object. */
export interface Severity {
  /** The grade that a severity inside the value states, below 0 for none; its depth, and whether it is that of a list item. */
  readonly grade: number;
  readonly gradeDepth: number;
  readonly ofItem: boolean;
  /** How severe other words in it are. */
  readonly words: number;
  /** True when a status says that all is well. */
  readonly cleared: boolean;
}

/** A fraction, for the reason that `ZERO` is one. */
const NO_GRADE = -0.5;

export const NO_SEVERITY = newSeverity(NO_GRADE, Number.POSITIVE_INFINITY, false, ZERO, false);

/** A severity as a number: about 3 for "critical", 2.4 for "failed", 0 for most values. */
export function severityScore({ grade, words, cleared }: Severity): number {
  const well = cleared && words < 1;
  if (grade < 0) return well ? 0 : words;
  return well ? 0.1 : grade + 0.05 * words;
}

/** The same severity with words that are at least so severe. */
export function withWords(severity: Severity, words: number): Severity {
  const { grade, gradeDepth, ofItem, cleared } = severity;
  return words > severity.words ? newSeverity(grade, gradeDepth, ofItem, words, cleared) : severity;
}

/** A parent's severity after one more child. An object takes the shallowest grade, an array that of its most severe item. */
export function mergeSeverity(parent: Severity, array: boolean, child: Severity, scalar: boolean): Severity {
  if (child === NO_SEVERITY) return parent;
  if (array) return mergeItem(parent, child);
  return parent === NO_SEVERITY && scalar ? child : mergeMember(parent, child, scalar);
}

function mergeItem(parent: Severity, child: Severity): Severity {
  const score = severityScore(child);
  if (child.grade < 0) return withWords(parent, score);
  const { grade, gradeDepth, ofItem, words, cleared } = parent;
  if (ofItem && score <= grade && child.gradeDepth >= gradeDepth) return parent;
  return newSeverity(Math.max(score, grade), Math.min(gradeDepth, child.gradeDepth), true, words, cleared);
}

function mergeMember(parent: Severity, child: Severity, scalar: boolean): Severity {
  const depth = child.gradeDepth + (scalar ? 0 : 1);
  const nearer = depth < parent.gradeDepth || (depth === parent.gradeDepth && child.grade > parent.grade);
  const grades = child.grade >= 0 && nearer;
  const words = scalar ? child.words : 0.8 * child.words;
  const clears = scalar && child.cleared && !parent.cleared;
  if (!grades && !clears) return withWords(parent, words);
  const { grade, ofItem } = grades ? child : parent;
  const gradeDepth = grades ? depth : parent.gradeDepth;
  return newSeverity(grade, gradeDepth, ofItem, Math.max(words, parent.words), clears || parent.cleared);
}

/** The only place that creates them, so that all have one hidden class. */
function newSeverity(grade: number, gradeDepth: number, ofItem: boolean, words: number, cleared: boolean): Severity {
  return { grade, gradeDepth, ofItem, words, cleared };
}

function graded(grade: number, depth: number): Severity {
  return newSeverity(grade, depth, false, ZERO, false);
}

function worded(words: number, cleared = false): Severity {
  return newSeverity(NO_GRADE, Number.POSITIVE_INFINITY, false, words, cleared);
}

/** Reads `3.2 blocker` and the like, one entry for each score. */
const tableOf = (entries: readonly string[]): ReadonlyMap<string, number> =>
  new Map(
    entries.flatMap((entry) => {
      const [score, ...words] = entry.split(" ");
      return words.map((word) => [word, Number(score)] as const);
    }),
  );

/** Grades of any scale; they count where a key says that its values are grades. */
const GRADES = tableOf([
  "3.2 blocker",
  "3 critical fatal emergency",
  "2.4 high error severe serious danger",
  "2.2 important urgent",
  "1.8 major",
  "1.2 warning warn medium moderate",
  "0.6 low minor hotspot",
  "0.4 style convention refactor",
  "0.2 note info informational information negligible unknown trivial",
  "0.1 debug",
  "0 none good secure",
]);

/** Words for failures; they count under any key. */
const FAILURES = tableOf([
  "3 fatal panic",
  "2.4 error errored failed failure fail broken crashed",
  "2 exception vulnerable",
  "1.6 denied rejected unhealthy timeout timed_out",
  "1.2 invalid",
]);

/** A part of every word and text for trouble below: values without one are not severe, unless their key has a scale. */
const SUSPECT =
  /error|fail|fatal|panic|exception|crash|denied|critical|broken|vulnerable|rejected|unhealthy|time(?:d_)?out|invalid|traceback|warning:/gi;

/** The place from `from` on where a text may tell of trouble; infinity when there is none. */
export function nextSuspect(text: string, from: number): number {
  SUSPECT.lastIndex = from;
  return SUSPECT.exec(text)?.index ?? Number.POSITIVE_INFINITY;
}

/** Words of a status that revoke a grade. */
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
const FAILING_KEY = /fail/i;
/** Under the name of a package, whatever that is called. */
const VERSION = /^[\^~<>=v]{0,3}\d+(?:\.[\dx*]+)+/;
const WORD = /^[a-z_]{1,16}/i;
const QUOTE = 34;
const SHORT_CHARS = 40;
const OUTCRY_CHARS = 80;
const MAX_PROSE_CHARS = 600;
const MAX_LITERAL_CHARS = 24;

/** The scale of the values under a key; `inGrade` when the key around it has grades. */
export function scaleOf(key: KeyEntry | undefined, inGrade: boolean): Scale {
  if (key === undefined) return "none";
  return inGrade && key.meaning.scale !== "other" ? "grade" : key.meaning.scale;
}

/** How severe a scalar is; `value` is its JSON. */
export function readSeverity(value: string, key: KeyEntry | undefined, scale: Scale): Severity {
  if (scale === "other") return NO_SEVERITY;
  if (value.charCodeAt(0) === QUOTE) return readString(value.slice(1, -1), key, scale);
  if (key === undefined || scale === "none" || value.length >= MAX_LITERAL_CHARS) return NO_SEVERITY;
  return readLiteral(value, key, scale);
}

function readString(text: string, key: KeyEntry | undefined, scale: Scale): Severity {
  if (text === "") return NO_SEVERITY;
  if (text.length <= SHORT_CHARS) {
    const grade = scale === "none" ? undefined : readGrade(text, key, scale);
    if (grade !== undefined) return grade;
    const word = text.toLowerCase();
    const failure = FAILURES.get(word);
    if (failure !== undefined) return worded(scale === "none" ? 0.7 * failure : failure);
    if (scale === "status" && CLEARED.has(word)) return worded(0, true);
  }
  if (scale === "error") return VERSION.test(text) ? NO_SEVERITY : worded(1.8);
  if (OUTCRY.test(text.slice(0, OUTCRY_CHARS))) return worded(1.1);
  return text.length < MAX_PROSE_CHARS && TROUBLE.test(text) ? worded(0.4) : NO_SEVERITY;
}

/** Reads a number, or a grade in the first of several words; undefined when the text is neither. */
function readGrade(text: string, key: KeyEntry | undefined, scale: Scale): Severity | undefined {
  const word = WORD.exec(text)?.[0].toLowerCase();
  const named = scale === "grade" || scale === "mild grade";
  if (word === undefined) {
    const value = scale === "grade" || scale === "score" ? Number(text) : Number.NaN;
    return Number.isNaN(value) ? undefined : gradeNumber(key, scale, value);
  }
  const grade = named ? GRADES.get(word) : undefined;
  return grade === undefined ? undefined : graded(grade, scale === "grade" ? 0 : 0.5);
}

function readLiteral(literal: string, key: KeyEntry, scale: Scale): Severity {
  const failing = FAILING_KEY.test(key.name);
  if (literal === "true" || literal === "false") {
    const wrong = scale === "error" ? literal === "true" : (literal === "true") === failing;
    return wrong && (scale === "error" || scale === "status") ? worded(1.5) : NO_SEVERITY;
  }
  const value = Number(literal);
  if (Number.isNaN(value)) return NO_SEVERITY;
  if (scale === "error" || (scale === "status" && failing)) return value > 0 ? worded(1.5) : NO_SEVERITY;
  if (scale === "status") return readHttpStatus(value);
  return gradeNumber(key, scale, value) ?? NO_SEVERITY;
}

function readHttpStatus(status: number): Severity {
  if (!Number.isInteger(status) || status < 400 || status > 599) return NO_SEVERITY;
  return worded(status >= 500 ? 2 : 1.2);
}

/** Grades from 0 to 5, scores up to 10, and levels of logs up to 60. */
function gradeNumber(key: KeyEntry | undefined, scale: Scale, value: number): Severity | undefined {
  if (value < 0 || value > 60) return undefined;
  if (scale === "score" && key !== undefined) {
    if (value > 1) key.beyondOne = true;
    // Of scores up to 1, such as those of audits, 0 is the worst.
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
