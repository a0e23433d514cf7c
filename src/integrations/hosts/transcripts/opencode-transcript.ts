import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { fieldsOf } from "../../../bytes/json/is-object.ts";
import { SpillwayError } from "../../../errors.ts";
import { inHome } from "../host.ts";
import { promptOf, stringOf, type TranscriptPlace } from "./transcript.ts";

const run = promisify(execFile);
const MOST_BYTES = 1024 * 1024 * 1024;

/** One JSON value a row, so that every reader gives the same lines. */
const QUERY =
  "select json_object('role', json_extract(m.data, '$.role'), 'part', json(p.data)) as line" +
  " from part p join message m on m.id = p.message_id order by p.session_id, p.time_created, p.id";

const database = (): string => join(process.env.XDG_DATA_HOME || inHome(".local", "share"), "opencode", "opencode.db");

/** opencode: a database of its own, with whole outputs in files beside it. */
export const opencodeTranscripts: TranscriptPlace = {
  host: "opencode",
  files: () => (existsSync(database()) ? [database()] : []),
  read: async function* (file) {
    for (const line of await readRows(file)) yield JSON.parse(line) as unknown;
  },
  parse: ({ role, part }) => {
    const { type, text, tool, callID, state } = fieldsOf(part);
    if (type === "text") return role === "user" ? promptOf(text) : [];
    if (type !== "tool") return [];
    const { status, input, output, error, metadata } = fieldsOf(state);
    const { outputPath, exit } = fieldsOf(metadata);
    const id = String(callID);
    return [
      { kind: "call", id, tool: String(tool), input: fieldsOf(input) },
      {
        kind: "result",
        id,
        text: stringOf(output) ?? stringOf(error) ?? "",
        failed: status === "error" || (typeof exit === "number" && exit !== 0),
        file: stringOf(outputPath),
      },
    ];
  },
};

/** Newer versions of node read such a database themselves; else `sqlite3` does, or opencode. */
async function readRows(file: string): Promise<readonly string[]> {
  const name = "node:sqlite";
  const sqlite = (await import(name).catch(() => undefined)) as SqliteModule | undefined;
  if (sqlite !== undefined) {
    const opened = new sqlite.DatabaseSync(file, { readOnly: true });
    try {
      return opened
        .prepare(QUERY)
        .all()
        .map(({ line }) => line);
    } finally {
      opened.close();
    }
  }
  const told = await run("sqlite3", ["-readonly", file, QUERY], { maxBuffer: MOST_BYTES })
    .catch(() => run("opencode", ["db", QUERY, "--format", "tsv"], { maxBuffer: MOST_BYTES }))
    .catch(() => {
      throw new SpillwayError(
        "STORE_FAILED",
        `${file} can be read with Node 22 or newer, with sqlite3 or with opencode itself; none of them is here.`,
      );
    });
  return told.stdout.split("\n").filter((line) => line.startsWith("{"));
}

interface SqliteModule {
  readonly DatabaseSync: new (
    file: string,
    options: { readonly readOnly: boolean },
  ) => {
    prepare(query: string): { all(): readonly { readonly line: string }[] };
    close(): void;
  };
}
