import { unitAt } from "../../lines/unit-at.ts";

/** Lowest and highest number of one column, and the rows they stand in. */
interface ColumnRange<Row> {
  readonly name: string;
  low: number;
  high: number;
  lowRow: Row | undefined;
  highRow: Row | undefined;
  numbers: number;
}

const DRAWN_EDGE = /^[|│┃║]|[|│┃║]$/g;
const QUOTE = 34;
const MAX_COLUMNS = 100;
const MAX_NUMBER_CHARS = 24;
const MAX_EXACT_DIGITS = 15;
const NUMBER = /^[-+]?(?:\d{1,15}|\d{1,3}(?:,\d{3})+)(?:\.\d+)?(?:[eE][-+]?\d{1,3})?%?$/;

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
  /** Columns in which the last row is the lowest or the highest so far. */
  readonly #lowest: number[] = [];
  readonly #highest: number[] = [];

  constructor(names: readonly string[]) {
    this.names = names;
  }

  /** Takes a row; true when it holds an extreme, and `hold` must be called with it. */
  take(row: string, delimiter: Delimiter): boolean {
    this.#begin();
    this.#takePlain(row, delimiter);
    return this.#lowest.length > 0 || this.#highest.length > 0;
  }

  /** The same for a row that is cut already. */
  takeCells(cells: readonly string[]): boolean {
    this.#begin();
    this.cells = cells.length;
    cells.forEach((cell, column) => {
      this.#takeCell(column, cell, 0, cell.length);
    });
    return this.#lowest.length > 0 || this.#highest.length > 0;
  }

  /** Remembers the row that was taken last where it is an extreme. */
  hold(row: Row): void {
    for (const column of this.#lowest) {
      const range = this.ranges[column];
      if (range !== undefined) range.lowRow = row;
    }
    for (const column of this.#highest) {
      const range = this.ranges[column];
      if (range !== undefined) range.highRow = row;
    }
  }

  /** Columns that are mostly numbers and vary. */
  numeric(): ColumnRange<Row>[] {
    return this.ranges.filter(
      (range): range is ColumnRange<Row> =>
        range !== undefined && range.numbers > this.#rows * 0.8 && range.low < range.high,
    );
  }

  #begin(): void {
    this.#rows++;
    if (this.#lowest.length > 0) this.#lowest.length = 0;
    if (this.#highest.length > 0) this.#highest.length = 0;
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
    const range = this.ranges[column];
    if (range === undefined) {
      const name = this.names[column] ?? `column ${column + 1}`;
      this.ranges[column] = { name, low: value, high: value, lowRow: undefined, highRow: undefined, numbers: 1 };
      this.#lowest.push(column);
      this.#highest.push(column);
      return;
    }
    range.numbers++;
    if (value < range.low) {
      range.low = value;
      this.#lowest.push(column);
    } else if (value > range.high) {
      range.high = value;
      this.#highest.push(column);
    }
  }
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
  const cell = row.slice(from, to);
  return NUMBER.test(cell) ? Number(/[,%]/.test(cell) ? cell.replace(/[,%]/g, "") : cell) : undefined;
}

/** Thousands, an exponent and a percent sign. */
function mayContinueNumber(unit: number): boolean {
  return unit === 44 || unit === 101 || unit === 69 || unit === 37;
}

function mayBeNumber(unit: number): boolean {
  return (unit >= 48 && unit <= 57) || unit === 45 || unit === 43;
}
