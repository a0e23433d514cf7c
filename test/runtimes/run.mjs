// Runs the package in runtimes other than Node: node test/runtimes/run.mjs [--install] [--long]
//   --install  brings Bun and Deno (npm) where they are missing
//   --long     300 MB through the command line instead of 30 MB
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const PROJECT = fileURLToPath(new URL("../..", import.meta.url));
const flags = process.argv.slice(2);
const unknown = flags.find((flag) => !["--install", "--long"].includes(flag));
if (unknown !== undefined) {
  console.error(`test:runtimes: unknown option ${unknown}`);
  process.exit(2);
}
if (flags.includes("--install"))
  spawnSync("npm", ["install", "--no-save", "--no-audit", "--no-fund", "--prefix", HERE], {
    cwd: HERE,
    stdio: ["ignore", "ignore", "inherit"],
  });
if (!existsSync(`${HERE}node_modules/bun`)) {
  console.log("Skipped: Bun and Deno are not installed. npm run test:runtimes -- --install installs them (300 MB).");
  process.exit(0);
}
const env = { ...process.env, SPILLWAY_RUNTIMES_LONG: flags.includes("--long") ? "1" : "0" };
const vitest = ["node_modules/vitest/vitest.mjs", "run", "--config", "vitest.runtimes.config.ts"];
process.exit(spawnSync(process.execPath, vitest, { cwd: PROJECT, env, stdio: "inherit" }).status ?? 1);
