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
