import type { Database, Statement } from "node-sqlite3-wasm";

/** A value as SQLite stores it. */
export type SqlValue = string | number | bigint | null;

/** One row: values by the names that the output uses for them. */
export type Fields = ReadonlyMap<string, SqlValue>;

/** Receives the rows of one table. */
export interface RowSink {
  /** Adds a row and returns its number, from 1. */
  add(fields: Fields): number;
}

/** Receives the tables of one output. */
export interface TableSink {
  /** The table of a name; created on first use. */
  table(name: string): RowSink;
}

export interface ColumnInfo {
  readonly name: string;
  readonly type: "integer" | "real" | "text" | "mixed" | "empty";
}

export interface TableInfo {
  readonly name: string;
  readonly rows: number;
  readonly columns: readonly ColumnInfo[];
}

/** The tables of one output. */
export interface TablesInfo {
  /** What the rows are, such as "JSON"; absent if the output has only lines. */
  readonly kind?: string | undefined;
  readonly tables: readonly TableInfo[];
}

/** "rows(status, path, ms)", with the row number left out. */
export function describeTable({ name, columns }: TableInfo): string {
  return `${name}(${columns.map((column) => column.name).join(", ")})`;
}

/** The number of the row in every table; child tables refer to it. */
export const ROW_NUMBER = "n";
/** Column for fields beyond `MOST_COLUMNS`, as JSON. */
const OTHER_FIELDS = "other_fields";
const MOST_COLUMNS = 400;
const MOST_TABLES = 40;
const MOST_NAME_CHARS = 60;

/** Keywords that SQLite does not take as the name of a column. */
const RESERVED = new Set(
  (
    "add all alter and as autoincrement between case cast check collate commit constraint create current_date " +
    "current_time current_timestamp default deferrable delete distinct drop else escape except exists foreign from " +
    "group having in index insert intersect into is isnull join limit not nothing notnull null on or order primary " +
    "raise references returning select set table then to transaction union unique update using values when where"
  ).split(" "),
);

/** A valid, unreserved SQL identifier for a name of the output, unlike all in `taken` (lower case). */
export function toIdentifier(name: string, taken: ReadonlySet<string>): string {
  const words = name
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, MOST_NAME_CHARS);
  const bare = words === "" ? "field" : /^\d/.test(words) ? `c_${words}` : words;
  const plain = RESERVED.has(bare.toLowerCase()) ? `${bare}_` : bare;
  let identifier = plain;
  for (let count = 2; taken.has(identifier.toLowerCase()); count++) identifier = `${plain}_${count}`;
  return identifier;
}

/** Creates the tables of one output in a database. Columns are added when a row first has them. */
export class TableWriter implements TableSink {
  readonly #db: Database;
  readonly #tables = new Map<string, Table>();
  readonly #names = new Set<string>(["lines", "sqlite_master", "sqlite_schema"]);

  constructor(db: Database) {
    this.#db = db;
  }

  table(name: string): RowSink {
    const known = this.#tables.get(name);
    if (known !== undefined) return known;
    if (this.#tables.size >= MOST_TABLES) return IGNORED;
    const identifier = toIdentifier(name, this.#names);
    this.#names.add(identifier.toLowerCase());
    const table = new Table(this.#db, identifier);
    this.#tables.set(name, table);
    return table;
  }

  /** Ends all inserts and describes the tables. */
  finish(): TableInfo[] {
    return [...this.#tables.values()].map((table) => table.finish());
  }
}

const IGNORED: RowSink = { add: () => 0 };

interface Column {
  readonly name: string;
  integers: number;
  reals: number;
  texts: number;
}

class Table implements RowSink {
  readonly #db: Database;
  readonly #name: string;
  readonly #columns = new Map<string, Column>();
  readonly #taken = new Set<string>([ROW_NUMBER, OTHER_FIELDS]);
  #insert: Statement | undefined;
  #rows = 0;
  #hasOthers = false;

  constructor(db: Database, name: string) {
    this.#db = db;
    this.#name = name;
    db.exec(`CREATE TABLE ${name} (${ROW_NUMBER} INTEGER PRIMARY KEY)`);
  }

  add(fields: Fields): number {
    let others: Record<string, SqlValue> | undefined;
    for (const name of fields.keys()) {
      if (this.#columns.has(name)) continue;
      if (this.#columns.size < MOST_COLUMNS) this.#addColumn(name);
      else {
        others ??= {};
        const value = fields.get(name) ?? null;
        others[name] = typeof value === "bigint" ? String(value) : value;
      }
    }
    if (others !== undefined && !this.#hasOthers) this.#addOthers();
    const values: SqlValue[] = [];
    for (const [name, column] of this.#columns) {
      const value = fields.get(name) ?? null;
      if (typeof value === "string") column.texts++;
      else if (typeof value === "bigint" || Number.isInteger(value)) column.integers++;
      else if (value !== null) column.reals++;
      // SQLite's texts end at a NUL.
      values.push(typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\ufffd") : value);
    }
    if (this.#hasOthers) values.push(others === undefined ? null : JSON.stringify(others));
    this.#insert ??= this.#prepare();
    this.#insert.run(values);
    return ++this.#rows;
  }

  finish(): TableInfo {
    this.#insert?.finalize();
    this.#insert = undefined;
    const columns = [...this.#columns.values()].map((column) => ({ name: column.name, type: typeOf(column) }));
    const others = this.#hasOthers ? [{ name: OTHER_FIELDS, type: "text" as const }] : [];
    return { name: this.#name, rows: this.#rows, columns: [...columns, ...others] };
  }

  #addColumn(name: string): void {
    const identifier = toIdentifier(name, this.#taken);
    this.#taken.add(identifier.toLowerCase());
    this.#columns.set(name, { name: identifier, integers: 0, reals: 0, texts: 0 });
    this.#alter(identifier);
  }

  #addOthers(): void {
    this.#hasOthers = true;
    this.#alter(OTHER_FIELDS);
  }

  #alter(column: string): void {
    this.#insert?.finalize();
    this.#insert = undefined;
    this.#db.exec(`ALTER TABLE ${this.#name} ADD COLUMN ${column}`);
  }

  #prepare(): Statement {
    const names = [...this.#columns.values()].map(({ name }) => name);
    if (this.#hasOthers) names.push(OTHER_FIELDS);
    if (names.length === 0) return this.#db.prepare(`INSERT INTO ${this.#name} DEFAULT VALUES`);
    return this.#db.prepare(
      `INSERT INTO ${this.#name} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`,
    );
  }
}

function typeOf({ integers, reals, texts }: Column): ColumnInfo["type"] {
  if (texts > 0) return integers + reals > 0 ? "mixed" : "text";
  if (reals > 0) return "real";
  return integers > 0 ? "integer" : "empty";
}
