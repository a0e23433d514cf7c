import { constants } from "node:fs";
import { access, statfs } from "node:fs/promises";
import path from "node:path";
import { Command } from "commander";
import { formatBytes } from "../bytes/format-bytes.ts";
import { messageOf } from "../errors.ts";
import { createSpillway } from "../gate/spillway.ts";
import { findRipgrep } from "../process/ripgrep.ts";
import { colors } from "./colors.ts";
import { writeJson, writeRaw } from "./emit.ts";
import type { HostCheck } from "./init/check-host.ts";
import { addProjectOptions, type RootOptions, resolveProject } from "./options.ts";
import { forOutput } from "./terminal.ts";

interface DoctorFlags extends RootOptions {
  readonly host?: string;
  readonly json?: boolean;
}

type Place = ReturnType<typeof resolveProject>;

const LEAST_NODE = 20;

/** `spillway doctor` */
export function createDoctorCommand(): Command {
  return addProjectOptions(new Command("doctor"))
    .description("Check that this machine has what Spillway needs; exit 1 if something is missing.")
    .option("--host <name>", "check what init changed in this agent, and try it (default: none)")
    .option("--json", "print JSON")
    .action((flags: DoctorFlags) => doctor(flags));
}

async function doctor(flags: DoctorFlags): Promise<void> {
  const checks = flags.host === undefined ? await checkMachine(flags) : await checkAgent(flags.host);
  if (checks.some(({ ok }) => !ok)) process.exitCode = 1;
  if (flags.json === true) return writeJson({ checks });
  const rows = checks.map(
    ({ name, ok, unproved, detail }) =>
      `${unproved ? colors.yellow("?   ") : ok ? colors.green("ok  ") : colors.red("FAIL")} ${name.padEnd(12)} ${forOutput(detail)}`,
  );
  await writeRaw(`${rows.join("\n")}\n`);
}

async function checkMachine(flags: DoctorFlags): Promise<readonly HostCheck[]> {
  const place = resolveProject(flags);
  const checks = [checkNode(), checkConfig(place), checkRoot(place.root), checkStore(place), checkRipgrep()];
  return (await Promise.all(checks)).flat();
}

async function checkAgent(name: string): Promise<readonly HostCheck[]> {
  const { findHost } = await import("../integrations/hosts/find-host.ts");
  const { checkHost, checkUse } = await import("./init/check-host.ts");
  const host = findHost(name);
  return [...(await checkHost(host)), ...checkUse(host)];
}

async function checkNode(): Promise<readonly HostCheck[]> {
  const major = Number(process.versions.node.split(".")[0]);
  return [{ name: "node", ok: major >= LEAST_NODE, detail: `${process.versions.node} (needs ${LEAST_NODE} or newer)` }];
}

function checkConfig(place: Place): Promise<readonly HostCheck[]> {
  return attempt("config", async () => {
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
  });
}

function checkRoot(root: string): Promise<readonly HostCheck[]> {
  return attempt("root", async () => {
    await access(root, constants.R_OK | constants.W_OK | constants.X_OK);
    return [{ name: "root", ok: true, detail: `${root} can be read and written` }];
  });
}

/** Writes, reads back, verifies and removes a real artifact. */
function checkStore(place: Place): Promise<readonly HostCheck[]> {
  return attempt("artifacts", async () => {
    const spillway = createSpillway(place);
    const { storage } = await spillway.keep("spillway doctor\n", { tool: "doctor" });
    if ("lost" in storage) return [{ name: "artifacts", ok: false, detail: storage.lost }];
    const { id, path: file } = storage.artifact;
    const verification = await spillway.store.verify(id);
    await spillway.store.remove(id);
    const folder = path.dirname(file);
    const { bavail, bsize } = await statfs(folder);
    return [{ name: "artifacts", ok: verification.ok, detail: `${folder}, ${formatBytes(bavail * bsize)} free` }];
  });
}

/** What throws is a check that failed. */
async function attempt(name: string, work: () => Promise<readonly HostCheck[]>): Promise<readonly HostCheck[]> {
  try {
    return await work();
  } catch (error) {
    return [{ name, ok: false, detail: messageOf(error) }];
  }
}

async function checkRipgrep(): Promise<readonly HostCheck[]> {
  const program = await findRipgrep();
  const detail = program ?? "not found; Grep uses a slower search in JavaScript";
  return [{ name: "ripgrep", ok: program !== null, detail }];
}
