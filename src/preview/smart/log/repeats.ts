import type { Candidate, Row } from "./row.ts";
import { SEGMENT_BYTES } from "./row-finder.ts";
import type { RowScanner } from "./row-scanner.ts";

/** Lines in a cycle, at most. */
const MOST_PERIOD = 5;
/** Fewer repeated rows than this are shown as they are. */
const LEAST_ROWS = 8;
const MOST_RUNS = 256;

const NEWLINE = 10;
const BLANK = 32;
const COLON = 58;

/** Rows that repeat the ones before them, alone or in a cycle of several, but for a time at their start. */
export interface Repeat {
  /** The rows that are repeated. */
  readonly rows: readonly Row[];
  /** Where the first copy begins, and where the last one ends. */
  readonly start: number;
  end: number;
  /** How many rows repeat. */
  count: number;
  /** True where they differ by the time at their start; then the last one is shown too. */
  readonly timed: boolean;
}

/** Finds runs of equal rows and of cycles while they are read. */
export class Repeats {
  readonly #scanner: RowScanner;
  /** Of the latest rows: where they begin in the output, where what is compared begins, and how long that is. */
  readonly #bytes = new Float64Array(MOST_PERIOD);
  readonly #bodies = new Float64Array(MOST_PERIOD);
  readonly #lengths = new Int32Array(MOST_PERIOD);
  /** A mix of some of their bytes: rows of different mixes differ. */
  readonly #mixes = new Int32Array(MOST_PERIOD);
  /** For each period, how many of the latest rows were equal to the one that many rows before. */
  readonly #streaks = new Int32Array(MOST_PERIOD + 1);
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
    const byte = this.#scanner.byteOf(0);
    const base = byte - start;
    const body = bodyStart(bytes, start, end);
    const length = (terminated ? end - 1 : end) - body;
    const mix = mixOf(bytes, body, length);
    const mixes = this.#mixes;
    if (this.#streaking || mixes.includes(mix)) this.#compare(bytes, body, length, mix, base);
    const slot = this.#seen++ % MOST_PERIOD;
    this.#bytes[slot] = byte;
    this.#bodies[slot] = body + base;
    this.#lengths[slot] = length;
    mixes[slot] = mix;
    if (!this.#streaking) {
      this.#open = undefined;
      return;
    }
    const open = this.#open;
    if (open !== undefined && (this.#streaks[this.#openPeriod] as number) > 0) {
      open.count++;
      open.end = end + base;
      return;
    }
    this.#open = undefined;
    for (let period = 1; period <= MOST_PERIOD; period++) {
      const count = this.#streaks[period] as number;
      if (count < Math.max(LEAST_ROWS, period)) continue;
      this.#begin(period, count, end + base, body > start);
      break;
    }
  }

  /** Counts for each period whether the latest row is equal to the one that many rows before. */
  #compare(bytes: Uint8Array, body: number, length: number, mix: number, base: number): void {
    this.#streaking = false;
    for (let period = 1; period <= MOST_PERIOD && period <= this.#seen; period++) {
      const slot = (this.#seen - period) % MOST_PERIOD;
      const other = ((this.#bodies[slot] as number) - base) | 0;
      const alike = this.#mixes[slot] === mix && this.#lengths[slot] === length;
      const same = alike && isSame(bytes, body, other, length);
      this.#streaks[period] = same ? (this.#streaks[period] as number) + 1 : 0;
      this.#streaking ||= same;
    }
  }

  #begin(period: number, count: number, end: number, timed: boolean): void {
    const scanner = this.#scanner;
    const last = this.#runs.at(-1);
    const start = scanner.byteOf(count - 1);
    if (last !== undefined && start < last.end) return;
    const rows = Array.from({ length: period }, (_, index) => scanner.row(count + period - 1 - index));
    if (rows.every(({ text }) => text.trim() === "")) return;
    this.#openPeriod = period;
    this.#open = { rows, start, end, count, timed };
    this.#runs.push(this.#open);
    if (this.#runs.length <= MOST_RUNS) return;
    const kept = new Set([...this.#runs].sort((a, b) => b.count - a.count).slice(0, MOST_RUNS / 2));
    this.#runs = this.#runs.filter((run) => kept.has(run));
  }

  /** In order of position. */
  get runs(): readonly Repeat[] {
    return this.#runs;
  }
}

/** Leaves out the copies of what repeats; the rows that they repeat are worth as much instead. */
export function withoutRepeats(candidates: readonly Candidate[], runs: readonly Repeat[]): readonly Candidate[] {
  if (runs.length === 0) return candidates;
  const best = new Map<Repeat, Candidate>();
  const held = new Map<number, Candidate>();
  for (const candidate of candidates) {
    const run = runOf(candidate.row, runs);
    if (run === undefined) held.set(candidate.row.byte, candidate);
    else if (candidate.value > (best.get(run)?.value ?? 0)) best.set(run, candidate);
  }
  for (const [{ rows }, { value, reason }] of best) {
    for (const row of rows) {
      const known = held.get(row.byte);
      if (known === undefined) held.set(row.byte, { row, value, reason, template: undefined });
      else if (known.value < value) held.set(row.byte, { ...known, value });
    }
  }
  return [...held.values()];
}

function runOf({ byte, bytes }: Row, runs: readonly Repeat[]): Repeat | undefined {
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((runs[middle] as Repeat).end > byte) high = middle;
    else low = middle + 1;
  }
  const run = runs[low];
  if (run === undefined || run.start > byte) return undefined;
  return run.timed && byte + bytes === run.end ? undefined : run;
}

/** A number made of the length and of eight bytes, spread over the row. */
function mixOf(bytes: Uint8Array, start: number, length: number): number {
  const last = start + length - 1;
  let mix = length;
  for (let at = last, count = 0; count < 8 && at >= start; at -= 1 + (length >> 3), count++)
    mix = Math.imul(mix, 31) + (bytes[at] as number);
  return mix | 0;
}

function isSame(bytes: Uint8Array, start: number, other: number, length: number): boolean {
  if (other < 0) return false;
  for (let index = 0; index < length; index++) if (bytes[start + index] !== bytes[other + index]) return false;
  return true;
}

/** Where a row begins after the time of day that it may start with, or after a date and that. */
function bodyStart(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  for (let token = 0; token < 2; token++) {
    let colons = 0;
    const from = at;
    for (; at < end && isOfTime(bytes[at] as number); at++) if (bytes[at] === COLON) colons++;
    if (at === from || bytes[at] !== BLANK) return start;
    at++;
    if (colons > 1) return at;
  }
  return start;
}

/** Digits, and `: . , / - + [ ] T Z`. */
function isOfTime(byte: number): boolean {
  return (byte >= 43 && byte <= 58) || byte === 91 || byte === 93 || byte === 84 || byte === 90;
}
