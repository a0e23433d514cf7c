// Runs real agents: node test/hosts/run.mjs [--install] [--long] [--latest] [--write] [HOST…]
//   --install  installs the agents first; where that cannot be done it says so and goes on
//   --long     everything, with the pinned agents and then the newest known; without it the short form with the newest known
//   --latest   the short form with what the registry has today, which tells whether a new release breaks Spillway
//   --write    puts what was measured into results.json and docs/hosts.md
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const PROJECT = fileURLToPath(new URL("../..", import.meta.url));
const flags = process.argv.slice(2).filter((word) => word.startsWith("--"));
const hosts = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const unknown = flags.filter((flag) => !["--install", "--latest", "--long", "--write"].includes(flag));
if (unknown.length > 0) {
  console.error(`test:hosts: unknown option ${unknown[0]}`);
  process.exit(2);
}

const FOLDERS = { pinned: HERE, newest: join(HERE, "newest"), latest: join(tmpdir(), "spillway-latest-agents") };
const isThere = (folder) => existsSync(join(folder, "node_modules", ".package-lock.json"));
const latest = flags.includes("--latest");
if (latest) {
  // The registry's versions of today, in a folder of their own. CI never asks for them.
  mkdirSync(FOLDERS.latest, { recursive: true });
  writeFileSync(join(FOLDERS.latest, "package.json"), '{ "private": true }\n');
  const { dependencies } = JSON.parse(readFileSync(join(FOLDERS.newest, "package.json"), "utf8"));
  for (const [name, known] of Object.entries(dependencies)) {
    // Node stays the one that the newest known agents were run with.
    const version = name === "node" ? known : "latest";
    if (save(`${name}@${version}`)) continue;
    console.log(`${name}@latest cannot be installed here; ${known} is run instead.`);
    if (!save(`${name}@${known}`)) console.log(`${name} could not be installed.`);
  }
}
const wanted = latest ? ["latest"] : flags.includes("--long") ? ["pinned", "newest"] : ["newest"];
if (flags.includes("--install") && !latest)
  for (const name of wanted)
    if (!install(FOLDERS[name]))
      console.log("The agents could not be installed: the registry lacks one of them, or there is no room.");
const own = process.env.SPILLWAY_AGENTS;
const folders = own === undefined ? wanted.map((name) => FOLDERS[name]).filter(isThere) : [own].filter(isThere);
if (folders.length === 0) {
  console.log("Skipped: the agents are not installed. npm run test:hosts -- --install installs them (about 2 GB).");
  process.exit(0);
}

/** Adds one package to the latest ones. It is saved, because npm removes what the folder's package.json does not name. */
function save(spec) {
  const npm = ["install", "--save-exact", "--no-audit", "--no-fund", "--prefix", FOLDERS.latest, spec];
  return spawnSync("npm", npm, { stdio: ["ignore", "ignore", "inherit"] }).status === 0;
}

/** As the lock file says. Not `npm ci`, which refuses a lock file without the binaries of other platforms, and a registry may lack those. */
function install(folder) {
  const npm = ["install", "--no-save", "--no-audit", "--no-fund", "--prefix", folder];
  return spawnSync("npm", npm, { stdio: "inherit" }).status === 0;
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
let worst = 0;
for (const folder of folders) {
  const run = { cwd: PROJECT, env: { ...env, SPILLWAY_AGENTS: folder }, stdio: "inherit" };
  worst = Math.max(worst, spawnSync(program, args, run).status ?? 1);
}
if (flags.includes("--write")) {
  const page = [...vitest.slice(0, 3), "test/docs/hosts.test.ts"];
  spawnSync(page[0], page.slice(1), { cwd: PROJECT, env: { ...process.env, UPDATE: "1" }, stdio: "inherit" });
}
process.exit(worst);
