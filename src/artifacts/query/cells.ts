import type { SqlValue } from "./table-writer.ts";

/** Numbers without leading zeros, which only names have, and short enough to be exact. */
const NUMBER = /^-?(?:0|[1-9]\d{0,14})?(?:\.\d{1,15})?(?:[eE][-+]?\d{1,2})?$/;
const GROUPED = /^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;

/** The number that a text is, and nothing else. */
export function readNumber(text: string): number | undefined {
  return text !== "" && text !== "-" && /\d/.test(text) && NUMBER.test(text) ? Number(text) : undefined;
}

/** The cells of a line of CSV or its kin, exact: quotes removed, two of them read as one, blanks kept in quotes. */
export function splitCells(line: string, delimiter: string): string[] {
  if (!line.includes('"')) return line.split(delimiter).map((cell) => cell.trim());
  const cells: string[] = [];
  let at = 0;
  while (at <= line.length) {
    let start = at;
    while (line[start] === " " && delimiter !== " ") start++;
    if (line[start] === '"') {
      let end = start + 1;
      while (end < line.length && (line[end] !== '"' || line[end + 1] === '"')) end += line[end] === '"' ? 2 : 1;
      cells.push(line.slice(start + 1, end).replaceAll('""', '"'));
      const next = line.indexOf(delimiter, end);
      at = next < 0 ? line.length + 1 : next + 1;
    } else {
      const next = line.indexOf(delimiter, at);
      const end = next < 0 ? line.length : next;
      cells.push(line.slice(at, end).trim());
      at = end + 1;
    }
  }
  return cells;
}

type CellType = "number" | "percent" | "grouped" | "text";

/** Decides by the first rows which columns hold numbers; an empty cell of such a column is NULL. */
export class CellTypes {
  readonly #types: readonly CellType[];

  constructor(columns: number, sample: readonly (readonly string[])[]) {
    this.#types = Array.from({ length: columns }, (_, column) => {
      const filled = sample.map((cells) => cells[column] ?? "").filter((cell) => cell !== "" && cell !== "-");
      if (filled.length === 0) return "text";
      if (filled.every((cell) => readNumber(cell) !== undefined)) return "number";
      if (filled.every((cell) => cell.endsWith("%") && readNumber(cell.slice(0, -1)) !== undefined)) return "percent";
      return filled.every((cell) => readNumber(cell) !== undefined || GROUPED.test(cell)) ? "grouped" : "text";
    });
  }

  /** A row's cells by column name; cells beyond the header are `c<number>`. */
  fields(names: readonly string[], cells: readonly string[]): Map<string, SqlValue> {
    const fields = new Map<string, SqlValue>();
    for (let column = 0; column < Math.max(names.length, cells.length); column++) {
      const own = names[column] ?? "";
      const name = own === "" || fields.has(own) ? `${own === "" ? "c" : own}${column + 1}` : own;
      fields.set(name, this.#value(cells[column], column));
    }
    return fields;
  }

  #value(cell: string | undefined, column: number): SqlValue {
    const type = this.#types[column] ?? "text";
    if (cell === undefined) return null;
    if (type === "text") return cell;
    if (cell === "" || cell === "-") return null;
    if (type === "percent") return (cell.endsWith("%") ? readNumber(cell.slice(0, -1)) : readNumber(cell)) ?? cell;
    if (type === "grouped" && GROUPED.test(cell)) return Number(cell.replaceAll(",", ""));
    return readNumber(cell) ?? cell;
  }
}
