// Runs the agents of this folder: node test/hosts/run.mjs [--install] [--long] [--write] [HOST…]
//   --install  installs the pinned agents here first; where that cannot be done it says so and goes on
//   --long     everything; without it the short form
//   --write    puts what was measured into results.json and docs/hosts.md
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const PROJECT = fileURLToPath(new URL("../..", import.meta.url));
const flags = process.argv.slice(2).filter((word) => word.startsWith("--"));
const hosts = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const unknown = flags.filter((flag) => !["--install", "--long", "--write"].includes(flag));
if (unknown.length > 0) {
  console.error(`test:hosts: unknown option ${unknown[0]}`);
  process.exit(2);
}

// As the lock file says; about 1.4 GB. Not `npm ci`, which refuses a lock file without the binaries of other platforms,
// and a registry may lack those.
if (flags.includes("--install")) {
  const npm = ["install", "--no-save", "--no-audit", "--no-fund", "--prefix", HERE];
  const { status } = spawnSync("npm", npm, { stdio: "inherit" });
  if (status !== 0) console.log("The agents could not be installed: the registry has them not, or there is no room.");
}
if (!existsSync(`${process.env.SPILLWAY_AGENTS ?? HERE}/node_modules/.package-lock.json`)) {
  console.log("Skipped: the agents are not installed. npm run test:hosts -- --install installs them (about 1.4 GB).");
  process.exit(0);
}

const env = {
  ...process.env,
  SPILLWAY_HOSTS_LONG: flags.includes("--long") ? "1" : "0",
  ...(!flags.includes("--write") && {
    SPILLWAY_HOSTS_RESULTS: join(mkdtempSync(join(tmpdir(), "hosts-")), "results.json"),
  }),
  ...(hosts.length > 0 && { SPILLWAY_HOSTS_ONLY: hosts.join(",") }),
};
const vitest = [process.execPath, "node_modules/vitest/vitest.mjs", "run", "--config", "vitest.hosts.config.ts"];
const alone = ["unshare", "-rnm", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"];
const canUnshare = spawnSync(alone[0], [...alone.slice(1), "true"], { stdio: "ignore" }).status === 0;
if (!canUnshare) console.log("No network namespace here: the agents run with the network that there is.");
const [program, ...args] = canUnshare ? [...alone, ...vitest] : vitest;
const { status } = spawnSync(program, args, { cwd: PROJECT, env, stdio: "inherit" });
if (flags.includes("--write")) {
  const page = [...vitest.slice(0, 3), "test/docs/hosts.test.ts"];
  spawnSync(page[0], page.slice(1), { cwd: PROJECT, env: { ...process.env, UPDATE: "1" }, stdio: "inherit" });
}
process.exit(status ?? 1);
