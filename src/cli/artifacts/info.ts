import type { Command } from "commander";
import { closing } from "../../artifacts/byte-source.ts";
import { scanLineIndex } from "../../artifacts/read-lines.ts";
import { writeJson, writeOut } from "../emit.ts";
import {
  createSubcommand,
  findTarget,
  type JsonFlags,
  openArtifacts,
  openTarget,
  REFERENCE,
  type Target,
} from "./open-artifacts.ts";

/** `spillway artifacts info` */
export function createInfoCommand(): Command {
  return createSubcommand(
    "info",
    "Show what is known about an artifact: tool, call, size, hash, and whether it is complete.",
    ["info toolu_01AbC", "info .agents/tool-output/tool_….txt --json"],
  )
    .argument("<id|path>", REFERENCE)
    .action((reference: string, _flags: JsonFlags, command: Command) => info(reference, command.optsWithGlobals()));
}

async function info(reference: string, flags: JsonFlags): Promise<void> {
  const target = await findTarget(await openArtifacts(flags), reference);
  const facts = await describe(target);
  if (flags.json === true) return writeJson(facts);
  const rows = flatten(facts);
  const width = Math.max(...rows.map(([key]) => key.length));
  // What follows on further lines, such as a script in a command, stands below its beginning.
  const lines = rows.map(
    ([key, value]) => `${key.padEnd(width)}  ${value.replaceAll("\n", `\n${" ".repeat(width + 2)}`)}`,
  );
  await writeOut(`${lines.join("\n")}\n`);
}

/** Facts as rows of a table: those inside others by their path, lists of words on one row. */
function flatten(facts: object, prefix = ""): (readonly [key: string, value: string])[] {
  return Object.entries(facts).flatMap(([key, value]) => {
    if (typeof value !== "object" || value === null) return [[prefix + key, String(value)] as const];
    if (!Array.isArray(value)) return flatten(value, `${prefix}${key}.`);
    return value.length === 0 ? [] : [[prefix + key, value.join(", ")] as const];
  });
}

async function describe(target: Target): Promise<Readonly<Record<string, unknown>>> {
  if (target.artifact?.manifest !== undefined) return { ...target.artifact.manifest, path: target.path };
  if (target.artifact !== undefined) {
    for await (const row of target.artifact.store.list()) if (row.id === target.artifact.id) return { ...row };
  }
  const { bytes, lines } = await closing(await openTarget(target), scanLineIndex);
  return { path: target.path, bytes, lines, manifest: "none: not an artifact of Spillway's" };
}
