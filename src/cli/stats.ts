import { readFile } from "node:fs/promises";
import path from "node:path";
import { Command } from "commander";
import { STATS_FILE } from "../gate/ledger.ts";
import type { ToolCounters } from "../gate/types.ts";
import { formatCount } from "../preview/omission.ts";
import { writeOut } from "./emit.ts";
import { addProjectOptions, type RootOptions, resolveProject } from "./options.ts";
import { formatBytes } from "./progress.ts";

/** `spillway stats` */
export function createStatsCommand(): Command {
  return addProjectOptions(new Command("stats"))
    .description("Show per tool how many results were truncated and how much smaller they became.")
    .option("--json", "as JSON")
    .action((flags: RootOptions & { readonly json?: boolean }) => stats(flags));
}

async function stats(flags: RootOptions & { readonly json?: boolean }): Promise<void> {
  const { root } = resolveProject(flags);
  // An agent or a server that was started in a folder below counts there.
  const roots = new Set([root, ...(flags.root === undefined ? [process.cwd()] : [])]);
  const counters = await readCounters([...roots].map((each) => path.join(each, STATS_FILE)));
  if (flags.json === true) {
    const rated = Object.entries(counters).map(([tool, row]) => [
      tool,
      { ...row, truncationRate: (row.truncated ?? 0) / row.calls },
    ]);
    return writeOut(`${JSON.stringify({ tools: Object.fromEntries(rated) }, null, 2)}\n`);
  }
  const tools = Object.entries(counters).sort(([, a], [, b]) => b.bytesBefore - a.bytesBefore);
  if (tools.length === 0)
    return writeOut(
      "No calls recorded yet: run, pipe, agent and proxy write their counts at exit, once something was over a limit.\n",
    );
  const rows = tools.map(([name, row]) => cellsOf(name, row));
  if (tools.length > 1) rows.push(cellsOf("all", sumOf(tools.map(([, row]) => row))));
  const table = [HEAD, ...rows];
  const widths = HEAD.map((_, column) => Math.max(...table.map((cells) => cells[column]!.length)));
  const lines = table.map((cells) => cells.map((cell, column) => align(cell, widths[column]!, column)).join("  "));
  await writeOut(`${lines.map((line) => line.trimEnd()).join("\n")}\n`);
}

const HEAD = ["tool", "calls", "truncated", "output", "shown", "saved", "tokens saved (estimate)"];

function align(cell: string, width: number, column: number): string {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width);
}

function cellsOf(name: string, row: ToolCounters): string[] {
  return [
    name,
    formatCount(row.calls),
    row.truncated === 0 ? "none" : `${formatCount(row.truncated)} (${percent(row.truncated, row.calls)})`,
    formatBytes(row.bytesBefore),
    formatBytes(row.bytesAfter),
    saved(row),
    formatCount(row.tokensBefore - row.tokensAfter),
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
  for (const row of rows) for (const key of Object.keys(sum) as (keyof ToolCounters)[]) sum[key] += row[key];
  return sum;
}

/** Adds up the counters of every run; a line that cannot be read is passed over. */
async function readCounters(files: readonly string[]): Promise<Record<string, ToolCounters>> {
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8").catch(() => "")));
  const sums = new Map<string, Record<string, number>>();
  for (const line of texts.join("\n").split("\n")) {
    for (const [tool, counters] of Object.entries(countersOf(line))) {
      const sum = sums.get(tool) ?? {};
      sums.set(tool, sum);
      for (const [key, value] of Object.entries(counters))
        if (typeof value === "number") sum[key] = (sum[key] ?? 0) + value;
    }
  }
  return Object.fromEntries(sums) as unknown as Record<string, ToolCounters>;
}

function countersOf(line: string): Readonly<Record<string, Record<string, unknown>>> {
  if (!line.includes('"counters"')) return {};
  try {
    return (JSON.parse(line) as { counters?: Record<string, Record<string, unknown>> }).counters ?? {};
  } catch {
    return {};
  }
}
