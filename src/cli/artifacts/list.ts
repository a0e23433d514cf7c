import type { Command } from "commander";
import type { Manifest } from "../../artifacts/types.ts";
import { formatBytes } from "../../bytes/format-bytes.ts";
import { relativeTo } from "../../gate/render/hint-text.ts";
import { given, parseLimit } from "../../limits/check.ts";
import { formatPlural } from "../../preview/omission.ts";
import { writeJson, writeOut, writeRaw } from "../emit.ts";
import { createSubcommand, type JsonFlags, openArtifacts } from "./open-artifacts.ts";

interface ListFlags extends JsonFlags {
  readonly limit?: string;
  readonly name?: string;
  readonly all?: boolean;
}

const COMMAND_CHARS = 120;

type Row = Manifest & { readonly path: string };

/** `spillway artifacts list` */
export function createListCommand(): Command {
  return createSubcommand("list", "List saved outputs, newest last.", [
    "list",
    "list --name Bash --limit 10",
    "list --all --json",
  ])
    .alias("ls")
    .option("--limit <n>", "how many of the newest to show (default: 50)")
    .option("--all", "show all of them")
    .option("--name <tool>", "only those of this tool (default: all)")
    .action((_flags: ListFlags, command: Command) => list(command.optsWithGlobals()));
}

async function list(flags: ListFlags): Promise<void> {
  const limit = flags.all === true ? Number.POSITIVE_INFINITY : (given(flags.limit, "--limit", parseLimit) ?? 50);
  const { root, stores } = await openArtifacts(flags);
  const rows: Row[] = [];
  for (const store of stores) {
    for await (const manifest of store.list()) {
      if (flags.name === undefined || manifest.tool === flags.name) rows.push(manifest);
    }
  }
  rows.sort((left, right) => (left.id < right.id ? -1 : 1));
  const shown = limit === Number.POSITIVE_INFINITY ? rows : rows.slice(-limit);
  if (flags.json === true) return writeJson({ total: rows.length, artifacts: shown });
  if (rows.length === 0) {
    const named = flags.name === undefined ? "" : ` of a tool called ${JSON.stringify(flags.name)}`;
    return writeOut(`No artifacts${named} in ${stores.map((store) => relativeTo(root, store.dir)).join(" or ")}.\n`);
  }
  const { colors } = await import("../colors.ts");
  const older = rows.length - shown.length;
  if (older > 0) await writeRaw(colors.dim(`${older} older not shown; --all shows every one\n`));
  await writeOut(`${shown.map((row) => formatRow(row, relativeTo(root, row.path))).join("\n")}\n`);
}

function formatRow(row: Row, label: string): string {
  const size = `${formatPlural(row.lines, "line")}, ${formatBytes(row.bytes)}`;
  const reason = row.reason ?? "cut short";
  const state = row.complete ? "" : `  (${reason.startsWith("incomplete") ? "" : "incomplete: "}${reason})`;
  const time = row.createdAt.slice(0, 19).replace("T", " ");
  const command = row.command === undefined ? "" : `  $ ${shorten(row.command)}`;
  return `${row.id}  ${time}  ${row.tool.slice(0, 40).padEnd(12)}  ${size.padEnd(28)}  ${label}${state}${command}`;
}

/** A command on one line, as far as it helps to recognize it. */
function shorten(command: string): string {
  const line = command.replaceAll(/\s+/g, " ").trim();
  return line.length > COMMAND_CHARS ? `${line.slice(0, COMMAND_CHARS - 1)}…` : line;
}
