import { isDigit } from "../../../bytes/is-digit.ts";
import type { Candidate, Row } from "./row.ts";
import { type RowScanner, SEGMENT_BYTES } from "./row-scanner.ts";

/** Lines in a cycle, at most. */
const MOST_PERIOD = 5;
/** Fewer repeated rows than this are shown as they are. */
const LEAST_ROWS = 8;
/** The same for rows with counters, since a short list of numbers may be what a reader looks for. */
const LEAST_COUNTING_ROWS = 50;
const MOST_RUNS = 256;
/**
 * Reasons for showing lines that differ from others only by a number: the number stands out or was asked for, or the line is
 * a result of a run that passed.
 */
const KEPT_REASONS = /^(?:rare value|result|question: .*|around line \d+)$/s;
/** Bytes from the end of a row that a hash is made of, runs of digits or of blanks as one. */
const HASHED_BYTES = 12;

const NEWLINE = 10;
const BLANK = 32;
const ZERO = 48;
const COLON = 58;

/** Rows that repeat the ones before them, alone or in a cycle of several, but for times and counters. */
export interface Repeat {
  /** The rows that are repeated. */
  readonly rows: readonly Row[];
  /** First byte of the first copy, and the end of the last one. */
  readonly start: number;
  end: number;
  /** Number of the line after the last copy. */
  endLine: number;
  /** How many rows repeat. */
  count: number;
  /** True where they differ by a time or a counter; then the last one is shown too. */
  varies: boolean;
  /** True where they differ by a number that is no time. */
  counts: boolean;
}

/** Finds runs of equal and near-equal rows, and of cycles of these, while they are read. */
export class Repeats {
  readonly #scanner: RowScanner;
  /** Hashes of the ends of the latest rows: rows with different ones differ. */
  readonly #hashes = new Int32Array(MOST_PERIOD);
  /** For each period, how many of the latest rows repeat the one that many rows before. */
  readonly #streaks = new Int32Array(MOST_PERIOD + 1);
  /** For each period, how the rows of the streak differ: EQUAL, TIMED or COUNTING. */
  readonly #alike = new Uint8Array(MOST_PERIOD + 1);
  #seen = 0;
  /** True while a streak is longer than nothing. */
  #streaking = false;
  #open: Repeat | undefined;
  #openPeriod = 0;
  #runs: Repeat[] = [];

  constructor(scanner: RowScanner) {
    this.#scanner = scanner;
  }

  /** True while the latest rows repeat others. */
  get running(): boolean {
    return this.#streaking;
  }

  /** In order of position. */
  get runs(): readonly Repeat[] {
    return this.#runs;
  }

  /** The next row does not follow the one before. */
  interrupt(): void {
    this.#streaks.fill(0);
    this.#streaking = false;
    this.#seen = 0;
    this.#open = undefined;
  }

  /** Takes the latest row, which stands in these bytes. */
  add(bytes: Uint8Array, start: number, end: number): void {
    const terminated = bytes[end - 1] === NEWLINE;
    if (!terminated && end - start >= SEGMENT_BYTES) {
      this.interrupt();
      return;
    }
    const hash = hashOfEnd(bytes, start, terminated ? end - 1 : end);
    const hashes = this.#hashes;
    if (this.#streaking || hashes.includes(hash)) this.#compare(bytes, start, end, hash);
    hashes[this.#seen++ % MOST_PERIOD] = hash;
    if (!this.#streaking) {
      this.#open = undefined;
      return;
    }
    const open = this.#open;
    const period = this.#openPeriod;
    if (open !== undefined && (this.#streaks[period] as number) > 0) {
      open.count++;
      open.end += end - start;
      open.endLine++;
      open.varies ||= (this.#alike[period] as number) > EQUAL;
      open.counts ||= this.#alike[period] === COUNTING;
      return;
    }
    this.#open = undefined;
    for (let next = 1; next <= MOST_PERIOD; next++) {
      const least = this.#alike[next] === COUNTING ? LEAST_COUNTING_ROWS : LEAST_ROWS;
      if ((this.#streaks[next] as number) < least) continue;
      this.#begin(bytes, start, next);
      break;
    }
  }

  /** Counts for each period whether the latest row repeats the one that many rows before. */
  #compare(bytes: Uint8Array, start: number, end: number, hash: number): void {
    this.#streaking = false;
    const base = this.#scanner.byteOf(0) - start;
    for (let period = 1; period <= MOST_PERIOD && period <= this.#seen; period++) {
      let alike = DIFFERENT;
      if (this.#hashes[(this.#seen - period) % MOST_PERIOD] === hash) {
        const from = (this.#scanner.byteOf(period) - base) | 0;
        const to = (this.#scanner.byteOf(period - 1) - base) | 0;
        if (from >= 0) alike = compareRows(bytes, from, to, start, end);
      }
      if (alike === DIFFERENT) this.#streaks[period] = this.#alike[period] = 0;
      else {
        this.#streaks[period] = (this.#streaks[period] as number) + 1;
        this.#alike[period] = Math.max(this.#alike[period] as number, alike);
        this.#streaking = true;
      }
    }
  }

  #begin(bytes: Uint8Array, latestStart: number, period: number): void {
    const scanner = this.#scanner;
    const runs = this.#runs;
    const earliest = runs.at(-1)?.end ?? 0;
    const base = scanner.byteOf(0) - latestStart;
    const reach = scanner.reach(latestStart) - period - 1;
    let count = this.#streaks[period] as number;
    let varies = (this.#alike[period] as number) > EQUAL;
    // Where rows are read in samples, the run began before the sample.
    for (const at = (ago: number) => scanner.byteOf(ago) - base; count < reach; count++) {
      const other = at(count + period);
      if (other < 0 || scanner.byteOf(count) < earliest) break;
      const alike = compareRows(bytes, other, at(count + period - 1), at(count), at(count - 1));
      if (alike === DIFFERENT) break;
      varies ||= alike > EQUAL;
    }
    const start = scanner.byteOf(count - 1);
    if (start < earliest) return;
    const rows = Array.from({ length: period }, (_, index) => scanner.row(count + period - 1 - index));
    // Lines that are mere numbers are a list of these.
    const content = this.#alike[period] === COUNTING ? /\p{L}{2}/u : /\S/;
    if (!rows.some(({ text }) => content.test(text))) return;
    const latest = scanner.row(0);
    const end = latest.byte + latest.bytes;
    this.#openPeriod = period;
    const counts = this.#alike[period] === COUNTING;
    this.#open = { rows, start, end, endLine: latest.line + 1, count, varies, counts };
    runs.push(this.#open);
    if (runs.length <= MOST_RUNS) return;
    const kept = new Set([...runs].sort((a, b) => b.count - a.count).slice(0, MOST_RUNS / 2));
    this.#runs = runs.filter((run) => kept.has(run));
  }
}

/** The runs that are folded: an output of nothing but lines with a counter is a list, whose entries may each matter. */
export function foldedRuns(runs: readonly Repeat[], totalBytes: number): readonly Repeat[] {
  return runs.filter(({ counts, rows, end }) => !counts || rows[0]?.byte !== 0 || end < totalBytes);
}

/** Leaves out the copies of what repeats; the rows that they repeat are worth as much instead. */
export function withoutRepeats(candidates: readonly Candidate[], runs: readonly Repeat[]): readonly Candidate[] {
  if (runs.length === 0) return candidates;
  const best = new Map<Repeat, Candidate>();
  const held = new Map<number, Candidate>();
  for (const candidate of candidates) {
    const { row, value, reason } = candidate;
    const run = runAt(row.byte, runs);
    const last = run?.varies === true && row.byte + row.bytes === run.end;
    if (run === undefined || last || (run.varies && KEPT_REASONS.test(reason))) held.set(row.byte, candidate);
    else if (value > (best.get(run)?.value ?? 0)) best.set(run, candidate);
  }
  for (const [{ rows }, { value, reason }] of best) {
    for (const row of rows) {
      const known = held.get(row.byte);
      if (known === undefined) held.set(row.byte, { row, value, reason });
      else if (known.value < value) held.set(row.byte, { ...known, value });
    }
  }
  return [...held.values()];
}

/** The run with a copy at this byte. */
export function runAt(byte: number, runs: readonly Repeat[]): Repeat | undefined {
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((runs[middle] as Repeat).end > byte) high = middle;
    else low = middle + 1;
  }
  const run = runs[low];
  return run === undefined || run.start > byte ? undefined : run;
}

function hashOfEnd(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0;
  let at = end - 1;
  for (let count = 0; count < HASHED_BYTES && at >= start; count++) {
    let byte = bytes[at--] as number;
    if (isDigit(byte)) {
      byte = ZERO;
      while (at >= start && isDigit(bytes[at])) at--;
    } else if (byte === BLANK) while (at >= start && bytes[at] === BLANK) at--;
    hash = Math.imul(hash, 31) + byte;
  }
  return hash | 0;
}

const DIFFERENT = 0;
const EQUAL = 1;
/** Rows that differ by times alone, and rows that differ by other numbers that rise. */
const TIMED = 2;
const COUNTING = 3;
/** A number with so many digits that rises is a time. */
const TIME_DIGITS = 9;

/** What `compareNumbers` says, with where the numbers end. */
const HIGHER = 1;
const LOWER = 2;
const TIME = 3;
/** Numbers joined by a point or a dash, or very long, that rise. */
const LATER = 4;
let numberEnd = 0;
let otherNumberEnd = 0;

/** Compares a row with a later one. */
function compareRows(bytes: Uint8Array, first: number, firstTo: number, second: number, secondTo: number): number {
  const firstEnd = bytes[firstTo - 1] === NEWLINE ? firstTo - 1 : firstTo;
  const secondEnd = bytes[secondTo - 1] === NEWLINE ? secondTo - 1 : secondTo;
  let at = first;
  let other = second;
  let alike = EQUAL;
  let lower = false;
  let newMonth = false;
  for (;;) {
    while (at < firstEnd && other < secondEnd && bytes[at] === bytes[other]) {
      at++;
      other++;
    }
    if (at === firstEnd && other === secondEnd) return lower && !newMonth ? DIFFERENT : alike;
    const back = at - numberStart(bytes, first, at);
    // A number with fewer digits may be padded.
    if (back === 0 && bytes[at] === BLANK && isDigit(bytes[other])) while (bytes[at] === BLANK) at++;
    else if (back === 0 && bytes[other] === BLANK && isDigit(bytes[at])) while (bytes[other] === BLANK) other++;
    const order = compareNumbers(bytes, at - back, firstEnd, other - back, secondEnd);
    // What differs may stand behind numbers that were compared before.
    if (order !== DIFFERENT && (numberEnd > at || otherNumberEnd > other)) {
      // Only a day may be lower than the one before, if a month has ended.
      if (order === LOWER && numberEnd - (at - back) > 2) return DIFFERENT;
      lower ||= order === LOWER;
      const time = order === TIME || order === LATER || isDayOfMonth(bytes, first, at - back);
      alike = Math.max(alike, time ? TIMED : COUNTING);
      at = numberEnd;
      other = otherNumberEnd;
      continue;
    }
    const word = nameStart(bytes, first, at);
    if (!isCalendarName(bytes, word) || !isCalendarName(bytes, other - (at - word))) return DIFFERENT;
    newMonth = true;
    alike = Math.max(alike, TIMED);
    other += word + 3 - at;
    at = word + 3;
  }
}

/** Where the number begins that `at` is in or right behind; `at` itself if there is none. Times and dates are one number. */
function numberStart(bytes: Uint8Array, least: number, at: number): number {
  let start = at;
  while (start > least) {
    const before = bytes[start - 1];
    if (isDigit(before)) start--;
    else if (start - 1 > least && JOINS[before as number] === 1 && isDigit(bytes[start - 2]) && isDigit(bytes[start]))
      start -= 2;
    else break;
  }
  return start;
}

/** 1 for what joins digits to a time, a date or a number. */
const JOINS = new Uint8Array(256);
for (const sign of ":.,/-T") JOINS[sign.charCodeAt(0)] = 1;

/** How a number goes on in a later row: part by part, the first that differs decides. Times may be any. */
function compareNumbers(bytes: Uint8Array, from: number, end: number, otherFrom: number, otherEnd: number): number {
  let at = from;
  let other = otherFrom;
  let order = 0;
  let times = 0;
  let parts = 1;
  for (;;) {
    const start = at;
    const otherStart = other;
    let number = 0;
    let otherNumber = 0;
    for (; at < end && isDigit(bytes[at]); at++) number = 10 * number + ((bytes[at] as number) - ZERO);
    for (; other < otherEnd && isDigit(bytes[other]); other++)
      otherNumber = 10 * otherNumber + ((bytes[other] as number) - ZERO);
    if (at === start || other === otherStart) return DIFFERENT;
    if (order === 0 && number !== otherNumber) order = otherNumber > number ? HIGHER : LOWER;
    if (times > 0 && at - start === 2 && bytes[start - 1] === COLON) times++;
    const joins = at + 1 < end && JOINS[bytes[at] as number] === 1 && isDigit(bytes[at + 1]);
    const otherJoins = other + 1 < otherEnd && JOINS[bytes[other] as number] === 1 && isDigit(bytes[other + 1]);
    if (!joins || !otherJoins || bytes[at] !== bytes[other]) {
      if (joins || otherJoins || order === 0) return DIFFERENT;
      break;
    }
    if (times === 0 && bytes[at] === COLON && at - start <= 4) times = 1;
    at++;
    other++;
    parts++;
  }
  numberEnd = at;
  otherNumberEnd = other;
  if (times > 1) return TIME;
  return order === HIGHER && (parts > 1 || at - from >= TIME_DIGITS) ? LATER : order;
}

/** True for a number behind the name of a month or a day. */
function isDayOfMonth(bytes: Uint8Array, least: number, start: number): boolean {
  let at = start;
  while (at > least && bytes[at - 1] === BLANK) at--;
  return at < start && at - 3 >= least && isCalendarName(bytes, at - 3);
}

/** Where the last three letters before and at a byte may begin. */
function nameStart(bytes: Uint8Array, least: number, at: number): number {
  let start = at;
  while (start > least && start > at - 2 && (bytes[start] as number) >= 97 && isLetter(bytes[start - 1])) start--;
  return start;
}

const CALENDAR = new Set("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec Mon Tue Wed Thu Fri Sat Sun".split(" "));

function isCalendarName(bytes: Uint8Array, start: number): boolean {
  if (isLetter(bytes[start + 3])) return false;
  return CALENDAR.has(
    String.fromCharCode(bytes[start] as number, bytes[start + 1] as number, bytes[start + 2] as number),
  );
}

function isLetter(byte: number | undefined): boolean {
  return byte !== undefined && ((byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122));
}
