import { existsSync, realpathSync } from "node:fs";
import { cp, mkdir, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { stateFolder } from "../../artifacts/local/state-folder.ts";
import { SpillwayError } from "../../errors.ts";
import { PLATFORM } from "../../platform/platform.ts";
import { VERSION } from "../../version.ts";
import { dataFolder } from "./user-folders.ts";

/** What a host starts lies here, so that it outlives npx's cache; each version has a folder of its own. */
export function installedFolder(): string {
  return path.join(dataFolder(), VERSION);
}

/** Where fronts put outputs until it is known whether they are large. */
export function spoolFolder(): string {
  return path.join(stateFolder(), "spool");
}

/** The same, made anew where somebody has cleared it away. */
export async function ensureSpoolFolder(): Promise<string> {
  await mkdir(spoolFolder(), { recursive: true, mode: 0o700 });
  return spoolFolder();
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

/** Packages that the built files do not have inside, as far as they are installed. */
const BESIDE = ["zod", "@vscode/ripgrep", `@vscode/ripgrep-${PLATFORM.name}-${process.arch}`];

/** Copies this program to the user's data folder unless it runs from there; gives the folder. */
export async function installProgram(): Promise<string> {
  const from = packageFolder();
  const to = installedFolder();
  await ensureSpoolFolder();
  if (existsSync(to) && realpathSync(to) === from) return to;
  const staging = `${to}.${process.pid}`;
  for (const part of ["bin", "dist", "package.json"])
    await cp(path.join(from, part), path.join(staging, part), { recursive: true, dereference: true });
  const require = createRequire(path.join(from, "package.json"));
  for (const name of BESIDE) {
    const folder = findPackage(require, name);
    if (folder !== undefined)
      await cp(folder, path.join(staging, "node_modules", name), { recursive: true, dereference: true });
  }
  // What other hosts were told of lies in it too, and has to be there all the time but for a moment.
  const fronts = path.join(to, "hosts");
  if (existsSync(fronts)) await cp(fronts, path.join(staging, "hosts"), { recursive: true });
  const old = `${staging}.old`;
  if (existsSync(to)) await rename(to, old);
  await rename(staging, to);
  await rm(old, { recursive: true, force: true });
  return to;
}

function findPackage(require: NodeJS.Require, name: string): string | undefined {
  for (const folder of require.resolve.paths(name) ?? []) {
    const candidate = path.join(folder, name);
    if (existsSync(path.join(candidate, "package.json"))) return candidate;
  }
  return undefined;
}
