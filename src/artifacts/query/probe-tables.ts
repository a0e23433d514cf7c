import { decode } from "../../bytes/utf8.ts";
import { cleanLines } from "../../preview/clean.ts";
import { detectShape } from "../../preview/smart/detect-shape.ts";
import { DocumentTables } from "./json-rows.ts";
import { JsonStream } from "./json-stream.ts";
import { findLineReader } from "./line-rows.ts";
import { exampleQuery, summarizeTables } from "./render-answer.ts";
import { type Fields, type RowSink, type TableInfo, type TableSink, toIdentifier } from "./table-writer.ts";

/** Tables that a query can ask, told by the beginning of an output. */
export interface TablesHint {
  /** `rows(status, path, ms)` */
  readonly summary: string;
  /** A query that works as it is. */
  readonly example: string;
}

const SAMPLE_BYTES = 32 * 1024;
const LEAST_ROWS = 3;
const SUMMARY_CHARS = 140;

/** The tables of an output with rows; undefined for other outputs. */
export function probeTables(beginning: Uint8Array): TablesHint | undefined {
  const head = beginning.subarray(0, SAMPLE_BYTES);
  const sink = new ColumnCollector();
  const shape = detectShape(head);
  const lines = cleanLines(decode(head).replace(/^\ufeff/, "")).slice(0, -1);
  const reader = findLineReader(lines, sink, shape);
  if (reader !== undefined) {
    for (const line of lines) reader.line(line);
    reader.end?.();
  } else if (shape === "json") {
    const tables = new DocumentTables(sink);
    new JsonStream(({ path, inList, value }) => {
      // Facts outside of lists may turn out to be records of a map.
      if (inList) tables.item(path, value);
    }).write(head);
    tables.end();
  }
  const rows = sink.tables().find(({ name }) => name === "rows");
  if (rows === undefined || rows.rows < LEAST_ROWS || rows.columns.length === 0) return undefined;
  return { summary: summarizeTables([rows], SUMMARY_CHARS), example: exampleQuery([rows]) };
}

/** Takes note of the names of tables and columns, as a database would have them. */
class ColumnCollector implements TableSink {
  readonly #tables = new Map<
    string,
    { rows: number; readonly columns: Map<string, string>; readonly taken: Set<string> }
  >();

  table(name: string): RowSink {
    const table = this.#tables.get(name) ?? {
      rows: 0,
      columns: new Map<string, string>(),
      taken: new Set(["n", "other_fields"]),
    };
    this.#tables.set(name, table);
    return {
      add(fields: Fields) {
        for (const key of fields.keys()) {
          if (table.columns.has(key)) continue;
          const identifier = toIdentifier(key, table.taken);
          table.taken.add(identifier.toLowerCase());
          table.columns.set(key, identifier);
        }
        return ++table.rows;
      },
    };
  }

  tables(): TableInfo[] {
    return [...this.#tables].map(([name, { rows, columns }]) => ({
      name,
      rows,
      columns: [...columns.values()].map((column) => ({ name: column, type: "mixed" as const })),
    }));
  }
}
