/** Lowest and highest number of one column, and the rows they stand in. */
interface ColumnRange<Row> {
  readonly name: string;
  low: number;
  high: number;
  lowRow: Row;
  highRow: Row;
  numbers: number;
}

const MAX_COLUMNS = 100;
const NUMBER = /^[-+]?(?:\d{1,15}|\d{1,3}(?:,\d{3})+)(?:\.\d+)?(?:[eE][-+]?\d{1,3})?%?$/;

/** How the cells of a table are told apart. */
export type Delimiter = "," | "\t" | ";" | "|" | "  ";

/** The delimiter that a table's first line speaks for. */
export function findDelimiter(header: string): Delimiter {
  const bare = header.replace(/"(?:[^"]|"")*"/g, "");
  const counts = (["\t", "|", ";", ","] as const).map(
    (delimiter) => [delimiter, bare.split(delimiter).length - 1] as const,
  );
  const best = counts.reduce((most, next) => (next[1] > most[1] ? next : most));
  return best[1] > 0 ? best[0] : "  ";
}

/** The cells of a row, trimmed and without quotes. */
export function splitRow(row: string, delimiter: Delimiter): string[] {
  if (delimiter === "  ") return row.trim().split(/\s{2,}/, MAX_COLUMNS);
  const line = delimiter === "|" ? row.trim().replace(/^\||\|$/g, "") : row;
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

/** A rule between header and rows, as psql, markdown and others draw it. */
export function isRule(row: string): boolean {
  return /^[\s|+:=-]{3,}$/.test(row) && row.includes("-");
}

/** Follows the extremes of every column that holds numbers. */
export class TableColumns<Row> {
  readonly ranges: (ColumnRange<Row> | undefined)[] = [];
  readonly names: readonly string[];
  #rows = 0;

  constructor(names: readonly string[]) {
    this.names = names;
  }

  take(cells: readonly string[], row: () => Row): void {
    this.#rows++;
    for (let index = 0; index < cells.length; index++) {
      const cell = cells[index] ?? "";
      const first = cell.charCodeAt(0);
      if (cell.length > 24 || !((first >= 48 && first <= 57) || first === 45 || first === 43) || !NUMBER.test(cell))
        continue;
      const value = Number(cell.replace(/[,%]/g, ""));
      const range = this.ranges[index];
      if (range === undefined) {
        const held = row();
        const name = this.names[index] ?? `column ${index + 1}`;
        this.ranges[index] = { name, low: value, high: value, lowRow: held, highRow: held, numbers: 1 };
        continue;
      }
      range.numbers++;
      if (value < range.low) {
        range.low = value;
        range.lowRow = row();
      } else if (value > range.high) {
        range.high = value;
        range.highRow = row();
      }
    }
  }

  /** Columns that are mostly numbers and vary. */
  numeric(): ColumnRange<Row>[] {
    return this.ranges.filter(
      (range): range is ColumnRange<Row> =>
        range !== undefined && range.numbers > this.#rows * 0.8 && range.low < range.high,
    );
  }
}
