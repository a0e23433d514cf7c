import type { Command } from "commander";
import { formatBytes } from "../../bytes/format-bytes.ts";
import { invalidArgument } from "../../errors.ts";
import { given, parseBytes, parseLimit } from "../../limits/check.ts";
import { writeJson, writeRaw } from "../emit.ts";
import { startProgress } from "../progress.ts";
import { forOutput } from "../terminal.ts";
import {
  createSubcommand,
  findTarget,
  type JsonFlags,
  openArtifacts,
  REFERENCE,
  refuseFolder,
} from "./open-artifacts.ts";

interface QueryFlags extends JsonFlags {
  readonly csv?: boolean;
  readonly schema?: boolean;
  readonly limit?: string;
  readonly maxBytes?: string;
  readonly timeout?: string;
}

/** `spillway artifacts query` */
export function createQueryCommand(): Command {
  return createSubcommand(
    "query",
    "Answer a SQL SELECT about an artifact or file: its records are the table rows, its lines are lines(n, text). --schema shows all tables and columns.",
    [
      "query latest --schema",
      "query ID 'SELECT status, count(*) FROM rows GROUP BY status'",
      "query results.csv 'SELECT name, ms FROM rows ORDER BY ms DESC LIMIT 10' --csv",
    ],
  )
    .argument("<id|path>", REFERENCE)
    .argument("[sql]", "one SELECT in SQLite's SQL")
    .option("--schema", "show tables, columns and a query that works")
    .option("--csv", "print CSV")
    .option("--limit <n>", "most rows to print (default: 1000; 1000000 with --json or --csv)")
    .option("--max-bytes <n>", "most bytes of values to print (default: 16384; 100000000 with --json or --csv)")
    .option("--timeout <seconds>", "stop loading and answering after this time (default: 120)")
    .action((reference: string, sql: string | undefined, _flags: QueryFlags, command: Command) =>
      query(reference, sql, command.optsWithGlobals()),
    );
}

async function query(reference: string, sql: string | undefined, flags: QueryFlags): Promise<void> {
  if (sql === undefined && flags.schema !== true)
    throw invalidArgument("Give a SELECT, or --schema to see tables and columns.");
  const forProgram = flags.json === true || flags.csv === true;
  const artifacts = await openArtifacts(flags);
  const target = await findTarget(artifacts, reference);
  await refuseFolder(target);
  const { queryArtifact, queryPath } = await import("../../artifacts/query/query-artifact.ts");
  const { renderCsv, renderSchema, renderWithin } = await import("../../artifacts/query/render-answer.ts");
  let loaded = "";
  const progress = startProgress(() => loaded);
  const options = {
    maxRows: given(flags.limit, "--limit", parseLimit) ?? (forProgram ? 1_000_000 : 1000),
    maxBytes: given(flags.maxBytes, "--max-bytes", parseBytes) ?? (forProgram ? 100_000_000 : 16_384),
    timeoutMs: 1000 * (given(flags.timeout, "--timeout", parseLimit) ?? 120),
    onProgress: (readBytes: number, totalBytes: number) => {
      loaded = `${formatBytes(readBytes)} of ${formatBytes(totalBytes)} loaded`;
    },
  };
  const answer = await (target.artifact === undefined
    ? queryPath(target.path, sql, options)
    : queryArtifact(target.artifact.store, target.artifact.id, sql, options)
  ).finally(() => progress.stop());
  if (flags.schema === true) {
    const { kind, tables } = answer;
    if (flags.json === true) writeJson({ kind, tables });
    else await writeRaw(`${forOutput(renderSchema(answer))}\n`);
    return;
  }
  if (flags.json !== true) {
    const text = flags.csv === true ? renderCsv(answer) : `${renderWithin(answer, options.maxBytes)}\n`;
    await writeRaw(artifacts.clean(forOutput(text)));
    return;
  }
  const { columns, rows, more } = answer;
  const records = rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at]])));
  const plain = JSON.stringify({ columns, rows: records, more }, (_, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  );
  writeJson(JSON.parse(artifacts.clean(plain)));
}
