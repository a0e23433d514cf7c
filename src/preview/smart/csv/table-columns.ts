import { unitAt } from "../../../bytes/unit-at.ts";

/** A row with one of the lowest or highest numbers of a column. */
interface Extreme<Row> {
  readonly value: number;
  row: Row | undefined;
}

/** What is known of a column of numbers. */
interface ColumnRange<Row> {
  readonly name: string;
  numbers: number;
  /** The most extreme first. */
  readonly lowest: Extreme<Row>[];
  readonly highest: Extreme<Row>[];
  /** Every `stride`-th number. */
  sample: number[];
  stride: number;
}

/** Rows that are remembered at either end of a column. */
const MOST_EXTREMES = 4;
const MOST_SAMPLED = 256;
/** A number this many times the distance of the quartiles beyond them is unlike the others. */
const FENCE = 3;
/** What the row with the most unlike number of a column is worth, and that of an end that is like the others. */
const ODD_SCORE = 4.7;
const END_SCORE = 3;
const DRAWN_EDGE = /^[|│┃║]|[|│┃║]$/g;
const QUOTE = 34;
const MAX_COLUMNS = 100;
const MAX_NUMBER_CHARS = 24;
const MAX_EXACT_DIGITS = 15;
const NUMBER = /^([-+]?(?:\d{1,15}|\d{1,3}(?:,\d{3})+)(?:\.\d+)?(?:[eE][-+]?\d{1,3})?)(?: ?%|ms|m|s|B|([KMGT])i?B?)?$/;
const MULTIPLIERS: Readonly<Record<string, number>> = { K: 1e3, M: 1e6, G: 1e9, T: 1e12 };

/** How the cells of a table are told apart. */
export type Delimiter = "," | "\t" | ";" | "|" | "│" | "  ";

/** The delimiter that a table's first line speaks for. */
export function findDelimiter(header: string): Delimiter {
  const bare = header.replace(/"(?:[^"]|"")*"/g, "");
  const counts = (["\t", "│", "|", ";", ","] as const).map(
    (delimiter) => [delimiter, bare.split(delimiter).length - 1] as const,
  );
  const best = counts.reduce((most, next) => (next[1] > most[1] ? next : most));
  return best[1] > 0 ? best[0] : "  ";
}

/** The cells of a row, trimmed and without quotes. */
export function splitRow(row: string, delimiter: Delimiter): string[] {
  if (delimiter === "  ") return row.trim().split(/\s{2,}/, MAX_COLUMNS);
  const line = delimiter === "|" || delimiter === "│" ? row.trim().replace(DRAWN_EDGE, "") : row;
  if (!line.includes('"')) return line.split(delimiter, MAX_COLUMNS).map((cell) => cell.trim());
  const cells: string[] = [];
  let cell = "";
  let quoted = false;
  for (const unit of line) {
    if (unit === '"') quoted = !quoted;
    else if (unit === delimiter && !quoted) {
      cells.push(cell.trim());
      cell = "";
      if (cells.length >= MAX_COLUMNS) return cells;
    } else cell += unit;
  }
  cells.push(cell.trim());
  return cells;
}

/** Follows the extremes of every column that holds numbers. */
export class TableColumns<Row> {
  readonly ranges: (ColumnRange<Row> | undefined)[] = [];
  readonly names: readonly string[];
  /** Cells of the row that was taken last. */
  cells = 0;
  #rows = 0;
  /** Extremes that the last row is among. */
  readonly #entered: Extreme<Row>[] = [];

  constructor(names: readonly string[]) {
    this.names = names;
  }

  /** Takes a row; true when it holds an extreme, and `hold` must be called with it. */
  take(row: string, delimiter: Delimiter): boolean {
    this.#begin();
    this.#takePlain(row, delimiter);
    return this.#entered.length > 0;
  }

  /** The same for a row that is cut already. */
  takeCells(cells: readonly string[]): boolean {
    this.#begin();
    this.cells = cells.length;
    cells.forEach((cell, column) => {
      this.#takeCell(column, cell, 0, cell.length);
    });
    return this.#entered.length > 0;
  }

  /** Remembers the row that was taken last where it is an extreme. */
  hold(row: Row): void {
    for (const extreme of this.#entered) extreme.row = row;
  }

  /** Columns that are mostly numbers and vary. */
  numeric(): ColumnRange<Row>[] {
    return this.ranges.filter(
      (range): range is ColumnRange<Row> =>
        range !== undefined && range.numbers > this.#rows * 0.8 && lowOf(range) < highOf(range),
    );
  }

  #begin(): void {
    this.#rows++;
    if (this.#entered.length > 0) this.#entered.length = 0;
  }

  /** Cells are cut out only where a number may be. */
  #takePlain(row: string, delimiter: Delimiter): void {
    let column = 0;
    for (let from = 0; column < MAX_COLUMNS; column++) {
      let first = from;
      while (unitAt(row, first) === 32) first++;
      const quoted = unitAt(row, first) === QUOTE;
      const closing = quoted ? closingQuote(row, first) : first;
      const found = row.indexOf(delimiter, closing);
      if (quoted) first++;
      const end = quoted ? closing : found < 0 ? row.length : found;
      if (mayBeNumber(unitAt(row, first))) this.#takeCell(column, row, first, end);
      if (found < 0) {
        column++;
        break;
      }
      from = found + 1;
    }
    this.cells = column;
  }

  #takeCell(column: number, row: string, from: number, end: number): void {
    let to = end;
    while (to > from && row.charCodeAt(to - 1) <= 32) to--;
    const value = to - from <= MAX_NUMBER_CHARS ? numberAt(row, from, to) : undefined;
    if (value === undefined) return;
    const known = this.ranges[column];
    const name = this.names[column] ?? `column ${column + 1}`;
    const range = known ?? { name, numbers: 0, lowest: [], highest: [], sample: [], stride: 1 };
    if (known === undefined) this.ranges[column] = range;
    if (range.numbers++ % range.stride === 0) sampleNumber(range, value);
    this.#enter(range.lowest, value, (other) => value < other);
    this.#enter(range.highest, value, (other) => value > other);
  }

  #enter(extremes: Extreme<Row>[], value: number, beats: (other: number) => boolean): void {
    const last = extremes[MOST_EXTREMES - 1];
    if (last !== undefined && !beats(last.value)) return;
    const extreme = { value, row: undefined };
    const at = extremes.findIndex((other) => beats(other.value));
    extremes.splice(at < 0 ? extremes.length : at, 0, extreme);
    if (extremes.length > MOST_EXTREMES) extremes.pop();
    this.#entered.push(extreme);
  }
}

export function lowOf({ lowest }: ColumnRange<unknown>): number {
  return lowest[0]?.value ?? 0;
}

export function highOf({ highest }: ColumnRange<unknown>): number {
  return highest[0]?.value ?? 0;
}

/** Rows at the ends of a column: at each end the most extreme, and others whose number is unlike the rest. */
export function endsOf<Row>({ lowest, highest, sample }: ColumnRange<Row>): readonly {
  readonly row: Row | undefined;
  readonly end: "lowest" | "highest";
  readonly score: number;
}[] {
  const sorted = sample.toSorted((a, b) => a - b);
  const quartile = (part: number): number => sorted[Math.floor(part * (sorted.length - 1))] ?? 0;
  const reach = FENCE * (quartile(0.75) - quartile(0.25));
  const rank = (extremes: readonly Extreme<Row>[], end: "lowest" | "highest") =>
    extremes.flatMap(({ value, row }, index) => {
      const odd = end === "lowest" ? value < quartile(0.25) - reach : value > quartile(0.75) + reach;
      return odd ? [{ row, end, score: ODD_SCORE - 0.1 * index }] : index === 0 ? [{ row, end, score: END_SCORE }] : [];
    });
  return [...rank(lowest, "lowest"), ...rank(highest, "highest")];
}

/** Keeps every so many numbers, fewer when there are too many. */
function sampleNumber(range: ColumnRange<unknown>, value: number): void {
  range.sample.push(value);
  if (range.sample.length < MOST_SAMPLED) return;
  range.sample = range.sample.filter((_, index) => index % 2 === 0);
  range.stride *= 2;
}

/** Where a quoted cell ends; two quotes in a row stand for one. */
function closingQuote(row: string, opening: number): number {
  let at = row.indexOf('"', opening + 1);
  while (at >= 0 && unitAt(row, at + 1) === QUOTE) at = row.indexOf('"', at + 2);
  return at < 0 ? row.length : at;
}

/** The number that stands there and nothing else; undefined when there is none. */
function numberAt(row: string, from: number, to: number): number | undefined {
  const first = unitAt(row, from);
  if (!mayBeNumber(first)) return undefined;
  const start = first === 45 || first === 43 ? from + 1 : from;
  const limit = Math.min(to, start + MAX_EXACT_DIGITS);
  let value = 0;
  let point = -1;
  let at = start;
  for (; at < limit; at++) {
    const unit = row.charCodeAt(at);
    if (unit >= 48 && unit <= 57) value = value * 10 + unit - 48;
    else if (unit === 46 && point < 0 && at > start) point = at;
    else break;
  }
  if (at < limit && !mayContinueNumber(row.charCodeAt(at))) return undefined;
  // Plain numbers, the most of all, need no pattern.
  if (at === to && at > start && point !== at - 1) {
    return (first === 45 ? -value : value) / (point < 0 ? 1 : 10 ** (at - point - 1));
  }
  const [, digits, multiplier = ""] = NUMBER.exec(row.slice(from, to)) ?? [];
  return digits === undefined ? undefined : Number(digits.replaceAll(",", "")) * (MULTIPLIERS[multiplier] ?? 1);
}

/** Thousands, an exponent, a percent sign and units. */
function mayContinueNumber(unit: number): boolean {
  return unit === 44 || unit === 37 || unit === 32 || (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122);
}

function mayBeNumber(unit: number): boolean {
  return (unit >= 48 && unit <= 57) || unit === 45 || unit === 43;
}

/** How often one value of a column came, and the first rows that hold it. */
interface ValueCount<Row> {
  count: number;
  readonly rows: Row[];
}

interface ValueColumn<Row> {
  readonly index: number;
  /** Undefined once there were too many values for a column of states. */
  values: Map<string, ValueCount<Row>> | undefined;
  /** The same with numbers as one sign, for states such as "Up 3 weeks". */
  forms: Map<string, ValueCount<Row>> | undefined;
  /** Rows that have nothing there. */
  readonly empty: ValueCount<Row>;
}

/** A value that hardly any other row has, with its first rows. */
interface RareValue<Row> {
  readonly column: number;
  readonly count: number;
  readonly rows: readonly Row[];
}

const MOST_COLUMNS = 24;
const MOST_VALUES = 32;
const MOST_ROWS = 3;
const VALUE_CHARS = 60;
/** Values that at most this share of the rows have are rare, */
const RARE = 0.15;
/** if the others make up at least this share. */
const USUAL = 0.7;
/** Columns are counted by value in the heading up to so many values. */
const MOST_COUNTED = 8;

/** Follows the columns that hold one of a few values, such as a state, and remembers rows whose value is unusual. */
export class RareValues<Row> {
  readonly #columns: ValueColumn<Row>[] = [];
  readonly #places: ValueCount<Row>[] = [];
  #rows = 0;

  /** Takes the cells of a row; true when it is the first of its kind and `hold` must be called with it. */
  take(cells: readonly string[]): boolean {
    this.#rows++;
    // To set the length of an array takes long, even if it is the same.
    if (this.#places.length > 0) this.#places.length = 0;
    const width = Math.min(cells.length, MOST_COLUMNS);
    for (let index = 0; index < width; index++) {
      const column = this.#columns[index] ?? newColumn<Row>(index);
      this.#columns[index] = column;
      const value = beginningOf(cells[index] ?? "");
      if (value === "") this.#add(column.empty);
      if (column.forms === undefined && column.values === undefined) continue;
      if (column.values !== undefined && !this.#count(column.values, value)) column.values = undefined;
      if (
        column.forms !== undefined &&
        !this.#count(column.forms, /\d/.test(value) ? value.replace(/\d+/g, "0") : value)
      )
        column.forms = undefined;
    }
    return this.#places.length > 0;
  }

  /** Remembers the row that was taken last. */
  hold(row: Row): void {
    for (const place of this.#places) place.rows.push(row);
  }

  /** The rarest first; columns without a usual value have none. */
  rare(): RareValue<Row>[] {
    const found: RareValue<Row>[] = [];
    for (const { index, values, forms, empty } of this.#columns) {
      const filled = empty.count > 0 && empty.count <= RARE * this.#rows;
      const counted = this.#varied(values) ?? this.#varied(forms) ?? (filled ? [empty] : []);
      for (const { count, rows } of counted) {
        if (count <= RARE * this.#rows) found.push({ column: index, count, rows });
      }
    }
    return found.sort((a, b) => a.count - b.count || a.column - b.column);
  }

  /** What the columns of states hold, each value with its count. */
  summary(names: readonly string[]): string {
    return this.#columns
      .filter(({ values }) => values !== undefined && values.size > 1 && values.size <= MOST_COUNTED)
      .map(({ index, values }) => {
        const counts = [...(values ?? [])].sort((a, b) => b[1].count - a[1].count);
        const name = names[index];
        // Where there is no header, the first row stands in its place.
        const named = name !== undefined && values?.has(name) !== true;
        return `${named ? name : `column ${index + 1}`} ${counts.map(([value, { count }]) => `${value.replace(/\s+/g, " ") || '""'} ×${count}`).join(", ")}`;
      })
      .join("; ");
  }

  #varied(values: ReadonlyMap<string, ValueCount<Row>> | undefined): readonly ValueCount<Row>[] | undefined {
    if (values === undefined || values.size < 2) return undefined;
    const counts = [...values.values()];
    const usual = counts.filter(({ count }) => count > RARE * this.#rows);
    return usual.reduce((sum, { count }) => sum + count, 0) >= USUAL * this.#rows ? counts : undefined;
  }

  /** False when there are too many values. */
  #count(values: Map<string, ValueCount<Row>>, value: string): boolean {
    const known = values.get(value);
    if (known === undefined && values.size >= MOST_VALUES) return false;
    const entry = known ?? { count: 0, rows: [] };
    if (known === undefined) values.set(` ${value}`.slice(1), entry);
    this.#add(entry);
    return true;
  }

  #add(entry: ValueCount<Row>): void {
    entry.count++;
    if (entry.rows.length < MOST_ROWS) this.#places.push(entry);
  }
}

/** A cell, or as much of it as is counted: a cut one ends in "…", and never within a character. */
export function beginningOf(cell: string): string {
  return cell.length <= VALUE_CHARS ? cell : `${cell.slice(0, VALUE_CHARS).replace(/[\ud800-\udbff]$/, "")}…`;
}

function newColumn<Row>(index: number): ValueColumn<Row> {
  return { index, values: new Map(), forms: new Map(), empty: { count: 0, rows: [] } };
}
