import type { Row } from "../row.ts";

/** Values told apart at one position; beyond that it is judged as numbers, or not at all. */
const MOST_VALUES = 16;
/** Rows kept of each value, and of either end of a range. */
const KEPT_ROWS = 3;
const KEPT_EXTREMES = 4;
/** A position is judged once it has so many rows; one where all but a few are one number, with fewer. */
const LEAST_ROWS = 100;
export const FEWEST_ROWS = 20;
/** Numbers other than the usual one may be this share of the rows. */
const EXCEPTION_SHARE = 0.05;
/** Rare values are at most this share of the rows; a usual one at least that of `USUAL_SHARE`. */
const RARE_SHARE = 0.01;
const USUAL_SHARE = 0.02;
const MOST_USUAL = 10;
/** More new extremes than random numbers give: the position counts up or down. */
const MOST_RECORDS = 160;
const SOME_RECORDS = 48;
/** Range of numbers in half octaves, with places for negative numbers and zero. */
const NEGATIVE = 0;
const ZERO = 1;
const FIRST_POSITIVE = 2;
const BUCKETS = 130;
const LOWEST_EXPONENT = 1023 - 16;
const ONE = FIRST_POSITIVE + 2 * (1023 - LOWEST_EXPONENT);
/** Numbers this many half octaves (a factor of 8) beyond all others are out of range. */
const LEAST_GAP = 6;

/** A row that stands out at one position, and how many rows do so together with it. */
export interface Outlier {
  readonly row: Row;
  readonly count: number;
}

interface Value {
  readonly hash: number;
  /** NaN for a word. */
  readonly number: number;
  readonly rows: Row[];
  count: number;
}

interface Extreme {
  /** The number, or for the low end its negative. */
  readonly rank: number;
  readonly row: Row;
}

const float = new Float64Array(1);
const words = new Uint32Array(float.buffer);

/** What stood at one position of lines of one form: a few values, a range of numbers, or (dropped) nothing that repeats. */
export class ValueTrack {
  /** True when this position tells nothing: its values are all different, count up, or are times. */
  dropped = false;
  #values: Value[] = [];
  #latest: Value | undefined;
  /** How often an earlier value came back. */
  #returns = 0;
  /** Rows with values that came after `MOST_VALUES` others, at a position where these are rare. */
  #others: Row[] = [];
  #otherCount = 0;
  #buckets: Uint32Array | undefined;
  #high: Extreme[] = [];
  #low: Extreme[] = [];
  #records = 0;
  #highest = Number.NEGATIVE_INFINITY;
  #lowest = Number.POSITIVE_INFINITY;

  /** True once it holds so many numbers that only their range is known. */
  get numeric(): boolean {
    return this.#buckets !== undefined;
  }

  /** True for a value that came before. */
  knows(hash: number): boolean {
    return this.#find(hash) !== undefined;
  }

  #find(hash: number): Value | undefined {
    const values = this.#values;
    for (let at = 0; at < values.length; at++) if ((values[at] as Value).hash === hash) return values[at];
    return undefined;
  }

  /** Takes the value that the first rows, so many of them, held. */
  addFirst(hash: number, number: number, count: number, row: Row): void {
    this.#latest = { hash, number, rows: [row], count };
    this.#values.push(this.#latest);
  }

  /** Takes a further row with a known value; false for any other. */
  count(hash: number, row: () => Row): boolean {
    let value = this.#latest;
    if (value?.hash !== hash) {
      value = this.#find(hash);
      if (value === undefined) return false;
      this.#returns++;
      this.#latest = value;
    }
    value.count++;
    if (value.rows.length < KEPT_ROWS && value.count <= KEPT_ROWS) value.rows.push(row());
    return true;
  }

  /** Takes a value that is not known. */
  add(hash: number, number: number, row: () => Row): void {
    const values = this.#values;
    if (values.length < MOST_VALUES) {
      this.#latest = { hash, number, rows: [row()], count: 1 };
      values.push(this.#latest);
      return;
    }
    const rows = values.reduce((sum, { count }) => sum + count, this.#otherCount);
    const rare = this.#usual(rows).reduce((rest, { count }) => rest - count, rows);
    if (rows >= LEAST_ROWS && rare <= USUAL_SHARE * rows) {
      this.#otherCount++;
      if (this.#others.length < KEPT_ROWS) this.#others.push(row());
    } else if (values.every((value) => !Number.isNaN(value.number))) this.#readAsNumbers(number, row);
    else this.drop();
  }

  /** Lets go of rows with usual values; gives how many are left. */
  release(): number {
    const rows = this.#values.reduce((sum, { count }) => sum + count, this.#otherCount);
    if (rows >= LEAST_ROWS) for (const value of this.#usual(rows)) value.rows.length = 0;
    return this.#values.reduce((sum, value) => sum + value.rows.length, this.#others.length + 2 * KEPT_EXTREMES);
  }

  #usual(rows: number): readonly Value[] {
    return this.#values.filter(({ count }) => count >= USUAL_SHARE * rows);
  }

  #readAsNumbers(number: number, row: () => Row): void {
    const values = this.#values;
    this.#values = [];
    this.#latest = undefined;
    this.#buckets = new Uint32Array(BUCKETS);
    for (const value of values) {
      for (const kept of value.rows) this.addNumber(value.number, () => kept);
      const bucket = bucketOf(value.number);
      this.#buckets[bucket] = (this.#buckets[bucket] as number) + value.count - value.rows.length;
    }
    this.#records = 0;
    this.addNumber(number, row);
  }

  /** Takes a number once all are. */
  addNumber(number: number, row: () => Row): void {
    if (Number.isNaN(number)) {
      this.drop();
      return;
    }
    const buckets = this.#buckets as Uint32Array;
    buckets[bucketOf(number)] = (buckets[bucketOf(number)] as number) + 1;
    if (number <= this.#highest && number >= this.#lowest) return;
    if (++this.#records > MOST_RECORDS) {
      this.drop();
      return;
    }
    const taken = row();
    if (number > this.#highest) this.#highest = keep(this.#high, { rank: number, row: taken });
    if (number < this.#lowest) this.#lowest = -keep(this.#low, { rank: -number, row: taken });
  }

  /** Forgets all: nothing here will be an outlier. */
  drop(): void {
    this.dropped = true;
    this.#values = [];
    this.#latest = undefined;
    this.#others = [];
    this.#buckets = undefined;
    this.#high = [];
    this.#low = [];
  }

  outliers(): readonly Outlier[] {
    if (this.dropped) return [];
    return this.#buckets === undefined ? this.#rareValues() : this.#farNumbers(this.#buckets);
  }

  /** What differs where nearly all rows hold one number, such as "0 failed". */
  #exceptions(rows: number): readonly Outlier[] | undefined {
    const usual = this.#values.find(({ count }) => count >= (1 - EXCEPTION_SHARE) * rows);
    if (usual === undefined || usual.count === rows || Number.isNaN(usual.number)) return undefined;
    const others = this.#values.filter((value) => value !== usual);
    // A number that changes and does not come back is a step of something that goes on.
    if (rows < FEWEST_ROWS || others.some(({ number }) => Number.isNaN(number)) || this.#latest !== usual)
      return undefined;
    return [
      ...others.flatMap((value) => value.rows.map((row) => ({ row, count: value.count }))),
      ...this.#others.map((row) => ({ row, count: this.#otherCount })),
    ];
  }

  #rareValues(): readonly Outlier[] {
    const rows = this.#values.reduce((sum, { count }) => sum + count, this.#otherCount);
    const exceptions = this.#exceptions(rows);
    if (exceptions !== undefined) return exceptions;
    if (rows < LEAST_ROWS) return [];
    const usual = this.#usual(rows);
    const rare = this.#values.filter(({ count }) => count < USUAL_SHARE * rows);
    const count = usual.reduce((rest, value) => rest - value.count, rows);
    if (usual.length === 0 || usual.length > MOST_USUAL || count > RARE_SHARE * rows) return [];
    // Values that follow each other and never come back are the steps of something that goes on.
    if (this.#returns === 0 && this.#values.length > 2) return [];
    const far = rare.filter(({ number }) => !continues(number, usual));
    return [
      ...far.flatMap((value) => value.rows.map((row) => ({ row, count: value.count }))),
      ...this.#others.map((row) => ({ row, count: this.#otherCount })),
    ];
  }

  #farNumbers(buckets: Uint32Array): readonly Outlier[] {
    const rows = buckets.reduce((sum, count) => sum + count, 0);
    if (rows < LEAST_ROWS || this.#records > SOME_RECORDS + rows / 16) return [];
    const most = Math.max(1, RARE_SHARE * rows);
    let middle = 0;
    for (let below = buckets[0] as number; below < rows / 2; ) below += buckets[++middle] as number;
    const beyond = (from: number, step: 1 | -1): number => {
      let count = 0;
      for (let at = from; at !== middle; at += step) {
        count += buckets[at] as number;
        if (count > most) return 0;
        if (buckets[at] === 0) continue;
        let next = at + step;
        while (buckets[next] === 0) next += step;
        if (Math.abs(placeOf(next) - placeOf(at)) > Math.max(LEAST_GAP, Math.abs(placeOf(next) - placeOf(middle))))
          return count;
      }
      return 0;
    };
    const above = beyond(BUCKETS - 1, -1);
    const below = beyond(0, 1);
    return [
      ...this.#high.slice(0, above).map(({ row }) => ({ row, count: above })),
      ...this.#low.slice(0, below).map(({ row }) => ({ row, count: below })),
    ];
  }
}

/** Adds to the extremes, highest first, and gives the rank that the next one must surpass. */
function keep(extremes: Extreme[], extreme: Extreme): number {
  extremes.push(extreme);
  extremes.sort((a, b) => b.rank - a.rank);
  extremes.length = Math.min(extremes.length, KEPT_EXTREMES);
  return extremes.length < KEPT_EXTREMES ? Number.NEGATIVE_INFINITY : (extremes.at(-1) as Extreme).rank;
}

function bucketOf(number: number): number {
  if (number <= 0) return number < 0 ? NEGATIVE : ZERO;
  float[0] = number;
  const half = ((words[1] as number) >>> 19) - 2 * LOWEST_EXPONENT;
  return Math.max(FIRST_POSITIVE, Math.min(BUCKETS - 1, FIRST_POSITIVE + half));
}

/** Where a bucket lies on the scale: zero as 1, negative numbers apart. */
function placeOf(bucket: number): number {
  if (bucket >= FIRST_POSITIVE) return bucket;
  return bucket === ZERO ? ONE : ONE - 1 - LEAST_GAP;
}

/** True when a number goes on where the usual ones, all integers from one to another, end. */
function continues(number: number, usual: readonly Value[]): boolean {
  if (usual.length < 3 || Number.isNaN(number)) return false;
  const numbers = usual.map((value) => value.number);
  const lowest = Math.min(...numbers);
  const highest = Math.max(...numbers);
  return highest - lowest === usual.length - 1 && number > lowest / 4 && number < 4 * highest;
}
