import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const FILE = process.env.SPILLWAY_MCP_RESULTS ?? fileURLToPath(new URL("results.json", import.meta.url));

/** What was seen of one agent; a check that was not run keeps what it was. */
export interface MatrixRow {
  readonly title: string;
  readonly version: string;
  readonly log?: boolean;
  readonly json?: boolean;
  readonly image?: boolean;
  readonly error?: boolean;
  readonly parallel?: boolean;
  readonly readers?: boolean;
  readonly slow?: boolean;
  readonly denied?: boolean;
}

const COLUMNS = {
  log: "log of 3 MB",
  json: "JSON with a schema",
  image: "image of 1.2 MB",
  error: "error of 3 MB",
  parallel: "three calls at once",
  readers: "the reader",
  slow: "a server that starts after 4 s",
  denied: "a denied tool stays denied",
} as const;

export function readRows(): Record<string, MatrixRow> {
  return existsSync(FILE) ? (JSON.parse(readFileSync(FILE, "utf8")) as Record<string, MatrixRow>) : {};
}

export function keepRow(host: string, row: MatrixRow): void {
  const rows = readRows();
  writeFileSync(FILE, `${JSON.stringify({ ...rows, [host]: { ...rows[host], ...row } }, null, 2)}\n`);
}

/** The table of docs/mcp.md. */
export function renderMatrix(): string {
  const keys = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];
  const word = (held: boolean | undefined): string => (held === undefined ? "not tried" : held ? "yes" : "no");
  return [
    `| agent | ${Object.values(COLUMNS).join(" | ")} |`,
    `|---|${keys.map(() => "---|").join("")}`,
    ...Object.values(readRows()).map(
      (row) => `| ${row.title} ${row.version} | ${keys.map((key) => word(row[key])).join(" | ")} |`,
    ),
  ].join("\n");
}
