import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "tsdown";
import { buildPage } from "../../build/page.mjs";
import { digestWorker, frequent, modules, previewForNode } from "../../tsdown.config.ts";

export const PROJECT = fileURLToPath(new URL("../..", import.meta.url));

const CACHE = join(PROJECT, "node_modules", ".cache", "spillway-build");
const KEPT_MS = 60 * 60 * 1000;

/** The package as a user gets it, without type declarations: `package.json`, `bin/` and `dist/` in a folder. */
export interface BuiltPackage {
  readonly folder: string;
  /** The command line, to be run by `node`. */
  readonly bin: string;
  readonly dist: string;
}

let building: Promise<BuiltPackage> | undefined;

/** Builds the package once for all test files and runs that see the same sources. */
export function builtPackage(): Promise<BuiltPackage> {
  building ??= buildOrReuse();
  return building;
}

async function buildOrReuse(): Promise<BuiltPackage> {
  const folder = join(CACHE, fingerprint());
  if (!existsSync(folder)) {
    removeOld();
    const staging = join(CACHE, `staging-${process.pid}`);
    mkdirSync(staging, { recursive: true });
    const outDir = join(staging, "dist");
    for (const config of [modules, previewForNode, digestWorker, frequent]) {
      await build({ ...config, cwd: PROJECT, config: false, outDir, dts: false, logLevel: "error" });
    }
    await buildPage(join(outDir, "ui"));
    cpSync(join(PROJECT, "bin"), join(staging, "bin"), { recursive: true });
    cpSync(join(PROJECT, "package.json"), join(staging, "package.json"));
    try {
      renameSync(staging, folder);
    } catch {
      rmSync(staging, { recursive: true, force: true }); // another worker was faster
    }
  }
  return { folder, bin: join(folder, "bin", "spillway.mjs"), dist: join(folder, "dist") };
}

function fingerprint(): string {
  const hash = createHash("sha256");
  const sources = ["src", "build"].flatMap((folder) =>
    readdirSync(join(PROJECT, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  );
  for (const name of [
    ...sources.sort(),
    "package.json",
    "tsdown.config.ts",
    "bin/spillway.mjs",
    "bin/spillway-shell",
  ]) {
    const stats = statSync(join(PROJECT, name));
    if (stats.isFile()) hash.update(`${name} ${stats.size} ${stats.mtimeMs}\n`);
  }
  return hash.digest("hex").slice(0, 16);
}

function removeOld(): void {
  for (const name of existsSync(CACHE) ? readdirSync(CACHE) : []) {
    // Another process may be done with it by now.
    const since = statSync(join(CACHE, name), { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - since > KEPT_MS) rmSync(join(CACHE, name), { recursive: true, force: true });
  }
}
