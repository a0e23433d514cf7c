import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { cp, mkdir, readdir, rename, rm, stat, unlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path, { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stateFolder } from "../../artifacts/local/store-folder.ts";
import { SpillwayError } from "../../errors.ts";
import { PLATFORM } from "../../platform/platform.ts";
import { dataFolder } from "./host.ts";

/** The copy that hosts start, which outlives npx's cache. The path has no version, so settings stay valid after upgrades. */
export function installedFolder(): string {
  return path.join(dataFolder(), "program");
}

/** A path below a program folder, also one of versions that had a folder for each version. */
export const INSTALLED = /[/\\]spillway[/\\](?:program|\d+\.\d+\.\d+[^/\\]*)[/\\]/;

/** The version of the copy that hosts start; undefined without one. */
export function installedVersion(): string | undefined {
  try {
    return (JSON.parse(readFileSync(path.join(installedFolder(), "package.json"), "utf8")) as { version: string })
      .version;
  } catch {
    return undefined;
  }
}

/** Where wrappers put outputs until their size is known. */
export function spoolFolder(): string {
  return path.join(stateFolder(), "spool");
}

/** The same, created if it is missing. */
export async function ensureSpoolFolder(): Promise<string> {
  await mkdir(spoolFolder(), { recursive: true, mode: 0o700 });
  return spoolFolder();
}

const KEPT_MS = 24 * 60 * 60 * 1000;

/** Removes files of commands that were killed, or that were named while their command ran. */
export async function removeOldFiles(folder: string, keptMs = KEPT_MS): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const file = path.join(folder, name);
    const stats = await stat(file).catch(() => undefined);
    if (stats !== undefined && Date.now() - stats.mtimeMs > keptMs) await unlink(file).catch(() => undefined);
  }
}

/** The folder of the package that this very process runs from. */
export function packageFolder(): string {
  let folder = path.dirname(realpathSync(fileURLToPath(import.meta.url)));
  while (!existsSync(path.join(folder, "bin", "spillway-shell"))) {
    const parent = path.dirname(folder);
    if (parent === folder) throw new SpillwayError("STORE_FAILED", "cannot find the folder of this program");
    folder = parent;
  }
  return folder;
}

/** Packages that are not bundled, copied if they are installed. */
const BESIDE = ["zod", "@vscode/ripgrep", `@vscode/ripgrep-${PLATFORM.name}-${process.arch}`];

/** The copied files and folders, each with its path below the program folder. */
function copiedParts(): readonly (readonly [from: string, to: string])[] {
  const from = packageFolder();
  const require = createRequire(path.join(from, "package.json"));
  const own = ["bin", "dist", "package.json"].map((part) => [path.join(from, part), part] as const);
  const beside = BESIDE.flatMap((name) => {
    const folder = findPackage(require, name);
    return folder === undefined ? [] : [[folder, path.join("node_modules", name)] as const];
  });
  return [...own, ...beside];
}

/** How much `installProgram` copies. */
export function programBytes(): number {
  return copiedParts().reduce((sum, [from]) => sum + bytesBelow(from), 0);
}

function bytesBelow(file: string): number {
  const stats = statSync(file);
  if (!stats.isDirectory()) return stats.size;
  return readdirSync(file).reduce((sum, name) => sum + bytesBelow(path.join(file, name)), 0);
}

/** Copies this program to the user's data folder unless it runs from there. */
export async function installProgram(): Promise<void> {
  const to = installedFolder();
  await ensureSpoolFolder();
  makeStampFolder();
  if (existsSync(to) && realpathSync(to) === packageFolder()) return;
  const staging = `${to}.${process.pid}`;
  for (const [from, part] of copiedParts())
    await cp(from, path.join(staging, part), { recursive: true, dereference: true });
  // Keeps the files of other hosts, which may be in use.
  const ownFiles = path.join(to, "hosts");
  if (existsSync(ownFiles)) await cp(ownFiles, path.join(staging, "hosts"), { recursive: true });
  const old = `${staging}.old`;
  if (existsSync(to)) await rename(to, old);
  await rename(staging, to);
  await rm(old, { recursive: true, force: true });
}

function findPackage(require: NodeJS.Require, name: string): string | undefined {
  for (const folder of require.resolve.paths(name) ?? []) {
    const candidate = path.join(folder, name);
    if (existsSync(path.join(candidate, "package.json"))) return candidate;
  }
  return undefined;
}

/** Below the temporary folder, for agents whose sandbox forbids writing to the user's state folder. */
export const TEMPORARY_STAMPS = "spillway-used";

/** Holds one empty file per agent; its time is when the agent last ran a wrapper, hook or plugin of ours. */
export function stampFolder(): string {
  return join(stateFolder(), "used");
}

export function makeStampFolder(): void {
  mkdirSync(stampFolder(), { recursive: true, mode: 0o700 });
}

/** When an agent last used Spillway; undefined if never. */
export function lastUse(host: string): Date | undefined {
  const times = [stampFolder(), join(tmpdir(), TEMPORARY_STAMPS)]
    .map((folder) => statSync(join(folder, host), { throwIfNoEntry: false })?.mtimeMs)
    .filter((time) => time !== undefined);
  return times.length === 0 ? undefined : new Date(Math.max(...times));
}
