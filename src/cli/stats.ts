import { readFile } from "node:fs/promises";
import path from "node:path";
import { Command } from "commander";
import { formatBytes } from "../bytes/format-bytes.ts";
import { parseJson } from "../bytes/json/parse-json.ts";
import { STATS_FILES } from "../gate/ledger.ts";
import { parseRecord, type ToolCounters } from "../gate/records.ts";
import { formatCount } from "../preview/omission.ts";
import { addSessionsOption, openDatabase, openSessions, type SessionsFlags } from "./agent/open-sessions.ts";
import { writeJson, writeOut } from "./emit.ts";
import { addProjectOptions, resolveProject } from "./options.ts";
import { renderTable } from "./stats/host-stats.ts";

interface StatsFlags extends SessionsFlags {
  readonly hosts?: boolean;
  readonly json?: boolean;
}

/** `spillway stats` */
export function createStatsCommand(): Command {
  return addSessionsOption(addProjectOptions(new Command("stats")))
    .description(
      "Show, per tool, how many results were truncated and how much smaller they became. With sessions in a database, this covers all machines.",
    )
    .option("--hosts", "per agent and tool, compared with what the agent alone would have shown")
    .option("--json", "print JSON")
    .action((flags: StatsFlags) => stats(flags));
}

async function stats(flags: StatsFlags): Promise<void> {
  const { root } = resolveProject(flags);
  // An agent or a server that was started in a folder below counts there.
  const roots = new Set([root, ...(flags.root === undefined ? [process.cwd()] : [])]);
  const files = [...roots].flatMap((each) => STATS_FILES.map((file) => path.join(each, file)));
  if (flags.hosts === true) {
    const { showHostStats } = await import("./stats/host-stats.ts");
    return showHostStats(files, flags.json === true);
  }
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8").catch(() => "")));
  const lines = [...texts.join("\n").split("\n"), ...(await readFleet(flags))];
  const counters = sumCounters(lines);
  const saved = await savedByTool({ ...flags, root }, lines);
  if (flags.json === true) {
    const rated = Object.entries(counters).map(([tool, row]) => [
      tool,
      { ...row, savedTokens: saved.get(tool) ?? 0, truncationRate: (row.truncated ?? 0) / Math.max(1, row.calls) },
    ]);
    return writeJson({ tools: Object.fromEntries(rated) });
  }
  const tools = Object.entries(counters).sort(([, a], [, b]) => b.bytesBefore - a.bytesBefore);
  if (tools.length === 0)
    return writeOut(
      "No calls recorded yet. run, pipe, agent and proxy write their counts when they end, once something was over a limit.\n",
    );
  const rows = tools.map(([name, row]) => cellsOf(name, row, saved.get(name) ?? 0));
  const all = [...saved.values()].reduce((sum, each) => sum + each, 0);
  if (tools.length > 1) rows.push(cellsOf("all", sumOf(tools.map(([, row]) => row)), all));
  const table = renderTable([HEAD, ...rows], 1);
  const redacted = sumRedacted(tools.map(([, row]) => row));
  if (redacted.length > 0) table.push("", `secrets replaced: ${redacted.map((pair) => pair.join(" ")).join(", ")}`);
  await writeOut(`${table.join("\n")}\n`);
}

/** What every machine recorded in the database for sessions; nothing where there is none. */
async function readFleet(flags: StatsFlags): Promise<readonly string[]> {
  const database = await openDatabase({ ...flags, root: resolveProject(flags).root });
  const records = (await database?.readRecords().finally(() => database.close())) ?? [];
  return records.map((record) => JSON.stringify(record));
}

/** Estimated tokens that each tool's truncations kept out of models' inputs, as the inspector and sessions count them. */
async function savedByTool(flags: SessionsFlags, lines: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { savingsOf, withSessions } = await import("../ui/savings.ts");
  const opened = await openSessions(flags);
  const sessions = { list: () => opened.list(), read: (id: string) => opened.store.read(id) };
  const told = await withSessions(
    lines.flatMap((line) => parseRecord(line) ?? []),
    sessions,
  ).finally(() => opened.close());
  return new Map(savingsOf(told.records, "tool", told.rereads).rows.map((row) => [row.key, row.savedTokens]));
}

/** Kinds of secrets and how many were replaced over all tools, the most frequent first. */
function sumRedacted(rows: readonly ToolCounters[]): (readonly [kind: string, count: string])[] {
  const sums: Record<string, number> = {};
  for (const { redacted = {} } of rows) addCounts(sums, redacted);
  return Object.entries(sums)
    .sort(([, a], [, b]) => b - a)
    .map(([kind, count]) => [kind, formatCount(count)]);
}

function addCounts(sums: Record<string, number>, counts: Readonly<Record<string, unknown>>): void {
  for (const [kind, count] of Object.entries(counts))
    if (typeof count === "number") sums[kind] = (sums[kind] ?? 0) + count;
}

const HEAD = ["tool", "calls", "truncated", "output", "shown", "saved", "tokens saved (estimate)"];

function cellsOf(name: string, row: ToolCounters, savedTokens: number): string[] {
  return [
    name,
    formatCount(row.calls),
    row.truncated === 0 ? "none" : `${formatCount(row.truncated)} (${percent(row.truncated, row.calls)})`,
    formatBytes(row.bytesBefore),
    formatBytes(row.bytesAfter),
    saved(row),
    formatCount(savedTokens),
  ];
}

/** What is barely over a limit can be shorter than the notice about it. */
function saved({ bytesBefore, bytesAfter }: ToolCounters): string {
  if (bytesAfter > bytesBefore) return `${formatBytes(bytesAfter - bytesBefore)} more`;
  return bytesAfter === bytesBefore ? "nothing" : percent(bytesBefore - bytesAfter, bytesBefore);
}

/** Whole percents, with one decimal only where there is enough to tell, and never 100 for less than all. */
function percent(part: number, whole: number): string {
  const share = (100 * part) / whole;
  const digits = whole >= 1000 ? 1 : 0;
  const shown =
    Number(share.toFixed(digits)) === 100 && part < whole ? `>${digits === 0 ? 99 : 99.9}` : share.toFixed(digits);
  return `${shown} %`;
}

function sumOf(rows: readonly ToolCounters[]): ToolCounters {
  const sum = { calls: 0, truncated: 0, bytesBefore: 0, bytesAfter: 0, tokensBefore: 0, tokensAfter: 0 };
  for (const row of rows) for (const key of Object.keys(sum) as (keyof typeof sum)[]) sum[key] += row[key];
  return sum;
}

/** Adds up the counters of every run; a line that cannot be read is passed over. */
function sumCounters(lines: readonly string[]): Record<string, ToolCounters> {
  const sums = new Map<string, Record<string, number>>();
  const redacted = new Map<string, Record<string, number>>();
  for (const line of lines) {
    for (const [tool, counters] of Object.entries(countersOf(line))) {
      const sum = sums.get(tool) ?? {};
      sums.set(tool, sum);
      addCounts(sum, counters);
      if (typeof counters.redacted !== "object" || counters.redacted === null) continue;
      const kinds = redacted.get(tool) ?? {};
      redacted.set(tool, kinds);
      addCounts(kinds, counters.redacted as Record<string, unknown>);
    }
  }
  const rows = [...sums].map(([tool, sum]) => [tool, withKinds(sum, redacted.get(tool))]);
  return Object.fromEntries(rows) as unknown as Record<string, ToolCounters>;
}

function withKinds(sum: Record<string, number>, redacted: Record<string, number> | undefined): object {
  return redacted === undefined ? sum : { ...sum, redacted };
}

function countersOf(line: string): Readonly<Record<string, Record<string, unknown>>> {
  if (!line.includes('"counters"')) return {};
  return (parseJson(line) as { counters?: Record<string, Record<string, unknown>> } | undefined)?.counters ?? {};
}
