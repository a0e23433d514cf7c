// Runs the frameworks of this folder: node test/frameworks/run.mjs [--install] [NAME…]
//   --install  installs the pinned frameworks first, where they are not there yet or the pins changed
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const PROJECT = fileURLToPath(new URL("../..", import.meta.url));
const INSTALLED = join(HERE, "node_modules", ".spillway-lock");
const lock = readFileSync(join(HERE, "package-lock.json"), "utf8");
const flags = process.argv.slice(2).filter((word) => word.startsWith("--"));
const names = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const unknown = flags.filter((flag) => flag !== "--install");
if (unknown.length > 0) {
  console.error(`test:frameworks: unknown option ${unknown[0]}`);
  process.exit(2);
}

const upToDate = () => existsSync(INSTALLED) && readFileSync(INSTALLED, "utf8") === lock;
if (flags.includes("--install") && !upToDate()) {
  // Not `npm ci`, which refuses a lock file without the binaries of other platforms; a registry may lack those.
  const npm = ["install", "--no-save", "--no-audit", "--no-fund", "--prefix", HERE];
  if (spawnSync("npm", npm, { cwd: HERE, stdio: ["ignore", "ignore", "inherit"] }).status === 0)
    writeFileSync(INSTALLED, lock);
}
if (!upToDate()) {
  console.log(
    "Skipped: the frameworks are not installed. npm run test:frameworks -- --install installs them (1.1 GB).",
  );
  process.exit(0);
}

const node = (...args) => spawnSync(process.execPath, args, { cwd: PROJECT, stdio: "inherit" }).status ?? 1;
const types = node("node_modules/typescript/bin/tsc", "--noEmit", "-p", HERE);
const tests = node("node_modules/vitest/vitest.mjs", "run", "--config", "vitest.frameworks.config.ts", ...names);
process.exit(types || tests);
