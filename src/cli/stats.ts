import { readFile } from "node:fs/promises";
import path from "node:path";
import { Command } from "commander";
import { STATS_FILE } from "../gate/ledger.ts";
import type { ToolCounters } from "../gate/types.ts";
import { writeOut } from "./emit.ts";
import { addRootOptions, type RootOptions, resolveRoot } from "./options.ts";
import { formatBytes } from "./progress.ts";

/** `spillway stats` */
export function createStatsCommand(): Command {
  return addRootOptions(new Command("stats"))
    .description("Show per tool how many results were truncated and how much smaller they became.")
    .option("--json", "as JSON")
    .action((flags: RootOptions & { readonly json?: boolean }) => stats(flags));
}

async function stats(flags: RootOptions & { readonly json?: boolean }): Promise<void> {
  const { root } = resolveRoot(flags);
  const counters = await readCounters(path.join(root, STATS_FILE));
  if (flags.json === true) {
    const rated = Object.entries(counters).map(([tool, row]) => [
      tool,
      { ...row, truncationRate: (row.truncated ?? 0) / row.calls },
    ]);
    return writeOut(`${JSON.stringify({ tools: Object.fromEntries(rated) }, null, 2)}\n`);
  }
  const tools = Object.entries(counters).sort(([, a], [, b]) => b.bytesBefore - a.bytesBefore);
  if (tools.length === 0)
    return writeOut("No calls recorded yet: run, pipe, agent and proxy write their counts at exit.\n");
  const width = Math.max(4, ...tools.map(([name]) => name.length));
  const rows = tools.map(([name, row]) => {
    const rate = `${((100 * row.truncated) / row.calls).toFixed(1)} %`;
    const less = `${(100 * (1 - row.bytesAfter / Math.max(1, row.bytesBefore))).toFixed(1)} %`;
    const sizes = `${formatBytes(row.bytesBefore)} -> ${formatBytes(row.bytesAfter)}`;
    return `${name.padEnd(width)} ${String(row.calls).padStart(7)} ${String(row.truncated).padStart(9)} ${rate.padStart(8)}  ${sizes.padEnd(24)} ${less.padStart(8)} ${(row.tokensBefore - row.tokensAfter).toLocaleString("en-US").padStart(13)}`;
  });
  const head = `${"tool".padEnd(width)} ${"calls".padStart(7)} ${"truncated".padStart(9)} ${"rate".padStart(8)}  ${"before -> after".padEnd(24)} ${"less".padStart(8)} ${"tokens saved".padStart(13)}`;
  await writeOut(`${head}\n${rows.join("\n")}\n`);
}

/** Adds up the counters of every run; a line that cannot be read is passed over. */
async function readCounters(file: string): Promise<Record<string, ToolCounters>> {
  const text = await readFile(file, "utf8").catch(() => "");
  const sums = new Map<string, Record<string, number>>();
  for (const line of text.split("\n")) {
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
