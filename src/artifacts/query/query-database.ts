import { createRequire } from "node:module";
import type { Database as SqliteDatabase } from "node-sqlite3-wasm";
import { invalidArgument } from "../../errors.ts";
import { guessName } from "../../limits/near-name.ts";
import type { ByteSource } from "../byte-source.ts";
import { checkStatement } from "./check-statement.ts";
import { loadLines, loadRows, type Progress, type RowKind } from "./load-tables.ts";
import {
  describeTable,
  ROW_NUMBER,
  type SqlValue,
  type TableInfo,
  type TablesInfo,
  TableWriter,
} from "./table-writer.ts";

export interface QueryAnswer {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly SqlValue[])[];
  /** True if the result has more rows than were returned. */
  readonly more: boolean;
}

/** The layout of saved databases; another one is built anew. */
const FORMAT = 1;
const LINES_INFO: TableInfo = {
  name: "lines",
  rows: 0,
  columns: [
    { name: ROW_NUMBER, type: "integer" },
    { name: "text", type: "text" },
  ],
};
const CACHE_KB = 16_384;
const BUSY_TRIES = 100;

function openDatabase(path: string, options: { readonly readOnly?: boolean } = {}): SqliteDatabase {
  const { Database } = createRequire(import.meta.url)("node-sqlite3-wasm") as typeof import("node-sqlite3-wasm");
  return new Database(path, options);
}

/** Loads rows and, if needed, lines of an output into a database at `path` (":memory:" for none). */
export async function buildDatabase(
  path: string,
  source: ByteSource,
  needs: { readonly rows: boolean; readonly lines: boolean },
  progress?: Progress,
): Promise<SqliteDatabase> {
  const db = openDatabase(path);
  try {
    db.exec(
      `PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE; PRAGMA cache_size=-${CACHE_KB}`,
    );
    db.exec("BEGIN");
    let kind: RowKind;
    let tables: TableInfo[] = [];
    if (needs.rows) {
      const writer = new TableWriter(db);
      kind = await loadRows(source, writer, progress);
      tables = writer.finish();
    }
    let lines = 0;
    if (needs.lines || tables.length === 0) {
      db.exec(`CREATE TABLE lines (${ROW_NUMBER} INTEGER PRIMARY KEY, text TEXT)`);
      const insert = db.prepare("INSERT INTO lines (text) VALUES (?)");
      await loadLines(
        source,
        (text) => {
          insert.run([text.replaceAll("\0", "\ufffd")]);
          lines++;
        },
        progress,
      );
      insert.finalize();
      tables.push({ ...LINES_INFO, rows: lines });
    }
    db.exec("CREATE TABLE spillway_tables (format INTEGER, info TEXT)");
    db.run("INSERT INTO spillway_tables VALUES (?, ?)", [
      FORMAT,
      JSON.stringify({ kind, tables } satisfies TablesInfo),
    ]);
    db.exec("COMMIT");
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Opens a saved database; undefined if it cannot be used or lacks a needed table. */
export function openSaved(
  path: string,
  needs: { readonly rows: boolean; readonly lines: boolean },
): SqliteDatabase | undefined {
  let db: SqliteDatabase | undefined;
  try {
    db = openDatabase(path, { readOnly: true });
    const info = describeTables(db);
    const hasLines = info.tables.some(({ name }) => name === "lines");
    const hasRows = info.tables.some(({ name }) => name !== "lines") || (hasLines && info.kind === undefined);
    if ((!needs.lines || hasLines) && (!needs.rows || hasRows)) return db;
  } catch {
    // Unreadable: built anew.
  }
  db?.close();
  return undefined;
}

export function describeTables(db: SqliteDatabase): TablesInfo {
  const row = retryBusy(() => db.get("SELECT format, info FROM spillway_tables")) as {
    format?: number;
    info?: string;
  } | null;
  if (row?.format !== FORMAT || row.info === undefined) throw new Error("another format");
  return JSON.parse(row.info) as TablesInfo;
}

/** Answers one statement. Errors name the columns and tables that exist. */
export function runQuery(
  db: SqliteDatabase,
  statement: string,
  most: { readonly rows: number; readonly bytes: number },
): QueryAnswer {
  const { sql } = checkStatement(statement);
  const info = describeTables(db);
  try {
    return retryBusy(() => collect(db, sql, most));
  } catch (error) {
    throw invalidArgument(explain((error as Error).message, info));
  }
}

/**
 * Runs the statement as a temporary view: SQLite accepts nothing but one SELECT there, gives every column a name of its
 * own, and tells the names even if there are no rows.
 */
function collect(
  db: SqliteDatabase,
  sql: string,
  most: { readonly rows: number; readonly bytes: number },
): QueryAnswer {
  db.exec("PRAGMA temp_store=MEMORY");
  db.exec(`CREATE TEMP VIEW spillway_answer AS ${sql}`);
  try {
    const columns = db.all("PRAGMA table_info(spillway_answer)").map((row) => String(row.name));
    const statement = db.prepare("SELECT * FROM spillway_answer");
    try {
      return readRows(statement.iterate(), columns, most);
    } finally {
      statement.finalize();
    }
  } finally {
    db.exec("DROP VIEW temp.spillway_answer");
  }
}

function readRows(
  found: Iterable<unknown>,
  columns: readonly string[],
  most: { readonly rows: number; readonly bytes: number },
): QueryAnswer {
  const rows: SqlValue[][] = [];
  let bytes = 0;
  for (const fields of found) {
    if (rows.length >= most.rows || bytes >= most.bytes) return { columns, rows, more: true };
    const row = columns.map((column) => toValue((fields as Record<string, unknown>)[column]));
    for (const value of row) bytes += typeof value === "string" ? value.length : 8;
    rows.push(row);
  }
  return { columns, rows, more: false };
}

function toValue(value: unknown): SqlValue {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  return value as SqlValue;
}

/** SQLite's message, and what there is if a name is unknown. */
function explain(message: string, { tables }: TablesInfo): string {
  const column = /no such column: (?:\w+\.)?["\w]+/.exec(message)?.[0];
  const table = /no such table: (\S+)/.exec(message)?.[1];
  if (column === undefined && table === undefined) return `SQLite: ${message}.`;
  const name = table ?? column?.split(/[ .]/).at(-1)?.replaceAll('"', "") ?? "";
  const known =
    table === undefined
      ? tables.flatMap((each) => each.columns.map((own) => own.name))
      : tables.map((each) => each.name);
  const what = table === undefined ? "column" : "table";
  return `There is no ${what} ${name}.${guessName(name, [...new Set(known)])} There are ${tables.map(describeTable).join("; ")}.`;
}

/** Another process may hold the database for a moment. */
function retryBusy<T>(work: () => T): T {
  for (let tries = 0; ; tries++) {
    try {
      return work();
    } catch (error) {
      if (tries >= BUSY_TRIES || !/database is locked/.test((error as Error).message)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}
