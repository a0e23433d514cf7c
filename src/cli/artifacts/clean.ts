import type { Command } from "commander";
import { formatBytes } from "../../bytes/format-bytes.ts";
import { relativeTo } from "../../gate/render/hint-text.ts";
import { given, parseBytes } from "../../limits/check.ts";
import { parseDays } from "../../limits/environment.ts";
import { writeJson, writeOut } from "../emit.ts";
import { createSubcommand, type JsonFlags, openArtifacts } from "./open-artifacts.ts";

interface CleanFlags extends JsonFlags {
  readonly retentionDays?: string;
  readonly quota?: string;
  readonly dryRun?: boolean;
}

/** `spillway artifacts clean` */
export function createCleanCommand(): Command {
  return createSubcommand(
    "clean",
    "Remove what has expired or is over the quota. Files being written, pinned by a session or not made by Spillway are never removed.",
    ["clean", "clean --retention-days 1", "clean --quota 500MB --dry-run"],
  )
    .option("--retention-days <n>", "days to keep artifacts (default: as configured, else 7)")
    .option(
      "--quota <bytes>",
      "most bytes per folder; the oldest artifacts go first (default: as configured, else none)",
    )
    .option("--dry-run", "only show what would be removed")
    .action((_flags: CleanFlags, command: Command) => clean(command.optsWithGlobals()));
}

async function clean(flags: CleanFlags): Promise<void> {
  const dryRun = flags.dryRun === true;
  const { root, stores, ...configured } = await openArtifacts(flags);
  const retentionDays =
    flags.retentionDays === undefined ? configured.retentionDays : parseDays(flags.retentionDays, "--retention-days");
  const quotaBytes = given(flags.quota, "--quota", parseBytes) ?? configured.quotaBytes ?? Number.POSITIVE_INFINITY;
  const reports = [];
  for (const store of stores) {
    reports.push({ dir: relativeTo(root, store.dir), ...(await store.cleanup({ retentionDays, quotaBytes, dryRun })) });
  }
  if (flags.json === true) return writeJson({ dryRun, folders: reports });
  const rows = reports.map(
    ({ dir, removed, freedBytes, keptBytes }) =>
      `${dir}: ${dryRun ? "would remove" : "removed"} ${removed.length}, ${dryRun ? "free" : "freed"} ${formatBytes(freedBytes)}, ${dryRun ? "keep" : "kept"} ${formatBytes(keptBytes)}\n${dryRun ? removed.map((id) => `  ${id}\n`).join("") : ""}`,
  );
  await writeOut(rows.join(""));
}
