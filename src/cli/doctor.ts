import { constants } from "node:fs";
import { access, statfs } from "node:fs/promises";
import path from "node:path";
import { Command } from "commander";
import { messageOf } from "../errors.ts";
import { createSpillway } from "../gate/spillway.ts";
import { findRipgrep } from "../process/ripgrep.ts";
import { colors } from "./colors.ts";
import { writeOut, writeStyled } from "./emit.ts";
import { addProjectOptions, type RootOptions, resolveProject } from "./options.ts";
import { formatBytes } from "./progress.ts";
import { forOutput } from "./terminal.ts";

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}

interface DoctorFlags extends RootOptions {
  readonly host?: string;
  readonly json?: boolean;
}

const LEAST_NODE = 20;

/** `spillway doctor` */
export function createDoctorCommand(): Command {
  return addProjectOptions(new Command("doctor"))
    .description("Check that this machine has what Spillway needs; exit 1 when something is missing.")
    .option("--host <name>", "check what init put into this agent, and try it (default: none)")
    .option("--json", "as JSON")
    .action((flags: DoctorFlags) => doctor(flags));
}

async function doctor(flags: DoctorFlags): Promise<void> {
  const checks = flags.host === undefined ? await checkMachine(flags) : await checkAgent(flags.host);
  if (checks.some(({ ok }) => !ok)) process.exitCode = 1;
  if (flags.json === true) return writeOut(`${JSON.stringify({ checks }, null, 2)}\n`);
  const rows = checks.map(
    ({ name, ok, detail }) =>
      `${ok ? colors.green("ok  ") : colors.red("FAIL")} ${name.padEnd(12)} ${forOutput(detail)}`,
  );
  await writeStyled(`${rows.join("\n")}\n`);
}

async function checkMachine(flags: DoctorFlags): Promise<readonly Check[]> {
  const place = resolveProject(flags);
  const [node, config, ...rest] = await Promise.all([
    checkNode(),
    checkConfig(place),
    checkRoot(place.root),
    checkStore(place),
    checkRipgrep(),
  ]);
  return [node, ...config, ...rest];
}

async function checkAgent(name: string): Promise<readonly Check[]> {
  const { findHost } = await import("../integrations/hosts/find-host.ts");
  const { checkHost } = await import("./init/check-host.ts");
  return checkHost(findHost(name));
}

async function checkNode(): Promise<Check> {
  const major = Number(process.versions.node.split(".")[0]);
  return { name: "node", ok: major >= LEAST_NODE, detail: `${process.versions.node} (needs ${LEAST_NODE} or newer)` };
}

async function checkConfig(place: ReturnType<typeof resolveProject>): Promise<readonly Check[]> {
  try {
    const spillway = createSpillway(place);
    await spillway.limits();
    const { files, ignored } = await spillway.config();
    const paths = files.map((file) => file.path).join(", ");
    const detail = paths === "" ? "no spillway.yaml; built-in limits" : paths;
    return [
      { name: "config", ok: true, detail },
      ...ignored.map(({ key, reason }) => ({
        name: "ignored",
        ok: true,
        detail: `${key}: ${reason}; see spillway trust`,
      })),
    ];
  } catch (error) {
    return [{ name: "config", ok: false, detail: messageOf(error) }];
  }
}

async function checkRoot(root: string): Promise<Check> {
  try {
    await access(root, constants.R_OK | constants.W_OK | constants.X_OK);
    return { name: "root", ok: true, detail: `${root} can be read and written` };
  } catch (error) {
    return { name: "root", ok: false, detail: messageOf(error) };
  }
}

/** Writes, reads back, verifies and removes a real artifact. */
async function checkStore(place: ReturnType<typeof resolveProject>): Promise<Check> {
  try {
    const spillway = createSpillway(place);
    const { storage } = await spillway.keep("spillway doctor\n", { tool: "doctor" });
    if ("lost" in storage) return { name: "artifacts", ok: false, detail: storage.lost };
    const { id, path: file } = storage.artifact;
    const verification = await spillway.store.verify(id);
    await spillway.store.remove(id);
    const folder = path.dirname(file);
    const { bavail, bsize } = await statfs(folder);
    return { name: "artifacts", ok: verification.ok, detail: `${folder}, ${formatBytes(bavail * bsize)} free` };
  } catch (error) {
    return { name: "artifacts", ok: false, detail: messageOf(error) };
  }
}

async function checkRipgrep(): Promise<Check> {
  const program = await findRipgrep();
  const detail = program ?? "not found; Grep falls back to a slower search in JavaScript";
  return { name: "ripgrep", ok: program !== null, detail };
}
