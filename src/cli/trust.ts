import { readFileSync } from "node:fs";
import path from "node:path";
import { Command } from "commander";
import { invalidArgument, invalidConfig } from "../errors.ts";
import { CONFIG_FILE, lookAtFile, readConfiguration } from "../limits/configuration.ts";
import { distrustFolder, listTrusted, trustFolder, trustIn } from "../limits/trusted-folders.ts";
import { writeJson, writeOut } from "./emit.ts";
import { addProjectOptions, type RootOptions, resolveProject } from "./options.ts";

interface TrustFlags extends RootOptions {
  readonly list?: boolean;
  readonly remove?: boolean;
  readonly json?: boolean;
}

/** `spillway trust [DIR]` */
export function createTrustCommand(): Command {
  return addProjectOptions(new Command("trust"))
    .description(
      `Accept a project's ${CONFIG_FILE}, as it is now, as your own configuration. Otherwise it may set only limits, strategies, retention and summaries.`,
    )
    .argument("[dir]", "the project's folder, like --root")
    .option("--remove", "stop trusting it")
    .option("--list", "list the folders you trust")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      '\nThis prints what the file may now set. When the file changes, trust it again. "spillway config" shows what is ignored.',
    )
    .action((dir: string | undefined, flags: TrustFlags) => trust(dir, flags));
}

async function trust(dir: string | undefined, flags: TrustFlags): Promise<void> {
  if (flags.list === true) return list(flags);
  const { root } = resolveProject(dir === undefined ? flags : { ...flags, root: dir });
  if (flags.remove === true) {
    const removed = distrustFolder(root);
    return print(
      flags,
      { root, trusted: false, removed },
      removed ? `${root} is no longer trusted.` : `${root} was not trusted.`,
    );
  }
  const file = path.join(root, CONFIG_FILE);
  const source = readSource(file);
  // Before it is trusted, the reading says what it would set beyond what any file may.
  const { ignored } = await readConfiguration(root);
  trustFolder(root, source);
  await checkTrusted(root, source);
  const keys = ignored.map(({ key }) => key);
  const sets = keys.length === 0 ? "It sets nothing that needs trust." : `It may now also set ${keys.join(", ")}.`;
  return print(flags, { root, file, trusted: true, sets: keys }, `${file} is now trusted as it is. ${sets}`);
}

/** A file that makes no sense once all of it is read is not trusted after all. */
async function checkTrusted(root: string, source: Uint8Array): Promise<void> {
  try {
    await readConfiguration(root);
  } catch (error) {
    distrustFolder(root);
    throw error;
  }
  if (trustIn(root, source) !== "trusted") throw invalidConfig(`${root} could not be noted as trusted.`);
}

async function list(flags: TrustFlags): Promise<void> {
  const folders = listTrusted().map(({ root, sha256 }) => ({ root, sha256, state: stateOf(root) }));
  const rows = folders.map(({ root, state }) => (state === "trusted" ? root : `${root} (${state})`));
  return print(flags, { folders }, rows.length === 0 ? "No folder is trusted." : rows.join("\n"));
}

function stateOf(root: string): string {
  try {
    return trustIn(root, readSource(path.join(root, CONFIG_FILE))) === "trusted" ? "trusted" : "changed since then";
  } catch {
    return "no config file there now";
  }
}

function readSource(file: string): Buffer {
  if (lookAtFile(file) !== undefined) return readFileSync(file);
  throw invalidArgument(`There is no ${file} to trust.`);
}

function print(flags: TrustFlags, report: object, text: string): Promise<void> {
  return flags.json === true ? writeJson(report) : writeOut(`${text}\n`);
}
