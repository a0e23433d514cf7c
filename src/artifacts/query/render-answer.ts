import { pluralOf } from "../../preview/omission.ts";
import type { AnsweredQuery } from "./answer-query.ts";
import { describeTable, type SqlValue, type TablesInfo } from "./table-writer.ts";

/** The answer as text: a line of column names, a line for each row with tabs between cells, and how many rows there are. */
export function renderAnswer({ columns, rows, more }: AnsweredQuery): string {
  const lines = [columns, ...rows].map((cells) => cells.map(showCell).join("\t"));
  const count = `${rows.length.toLocaleString("en")} ${pluralOf(rows.length, "row")}`;
  return `${lines.join("\n")}\n[${more ? `the first ${count}; there are more: add LIMIT, WHERE or GROUP BY` : count}]`;
}

/** The same with as many rows as fit into so many bytes. */
export function renderWithin(answer: AnsweredQuery, maxBytes: number): string {
  let shown = answer;
  for (;;) {
    const text = renderAnswer(shown);
    const bytes = Buffer.byteLength(text);
    if (bytes <= maxBytes) return text;
    if (shown.rows.length === 0)
      return "[the names of the columns alone are longer than an answer may be; select fewer]";
    const fitting = Math.floor((shown.rows.length * maxBytes) / bytes);
    shown = { ...shown, rows: shown.rows.slice(0, Math.min(fitting, shown.rows.length - 1)), more: true };
  }
}

export function renderCsv({ columns, rows }: AnsweredQuery): string {
  const cell = (value: SqlValue): string => {
    const text = value === null ? "" : String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [columns, ...rows].map((cells) => `${cells.map(cell).join(",")}\n`).join("");
}

/** The tables of an output, their columns with types, and a query that works. */
export function renderSchema({ kind, tables }: TablesInfo): string {
  const lines = tables.map(({ name, rows, columns }) => {
    const fields = columns.map((column) => `${column.name} ${column.type}`).join(", ");
    return `${name}(${fields}): ${rows.toLocaleString("en")} ${pluralOf(rows, "row")}`;
  });
  const about = kind === undefined ? "The output has no rows; its lines can be asked." : `Rows read as ${kind}.`;
  return `${[about, ...lines].join("\n")}\nTry: ${exampleQuery(tables)}`;
}

/** A query over the first table that works as it is, the more telling the fewer values a column is likely to have. */
export function exampleQuery(tables: TablesInfo["tables"]): string {
  const table = tables.find(({ name }) => name === "rows") ?? tables[0];
  if (table === undefined || table.name === "lines")
    return "SELECT n, text FROM lines WHERE text LIKE '%error%' LIMIT 20";
  const names = table.columns.map(({ name }) => name);
  const state = [
    "status",
    "state",
    "level",
    "severity",
    "result",
    "type",
    "kind",
    "action",
    "rule",
    "code",
    "method",
  ].find((name) => names.includes(name));
  if (state !== undefined) return `SELECT ${state}, count(*) FROM ${table.name} GROUP BY ${state} ORDER BY 2 DESC`;
  if (names.includes("file")) return `SELECT file, count(*) FROM ${table.name} GROUP BY file ORDER BY 2 DESC LIMIT 20`;
  return `SELECT ${names.slice(0, 4).join(", ")} FROM ${table.name} LIMIT 5`;
}

/** `rows(status, path, ms)`: tables with their columns, as far as they fit into so many characters. */
export function summarizeTables(tables: TablesInfo["tables"], mostChars: number): string {
  let text = "";
  for (const table of tables) {
    const next = shorten(describeTable(table), mostChars);
    if (text !== "" && text.length + next.length + 2 > mostChars) return `${text}, …`;
    text += text === "" ? next : `, ${next}`;
  }
  return text;
}

function shorten(text: string, mostChars: number): string {
  return text.length <= mostChars ? text : `${text.slice(0, text.lastIndexOf(",", mostChars - 3))}, …)`;
}

function showCell(value: SqlValue): string {
  if (value === null) return "NULL";
  return typeof value === "string" ? value.replace(/[\t\r\n]+/g, " ") : String(value);
}
