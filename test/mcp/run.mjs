// Runs MCP in real agents: node test/mcp/run.mjs [--long] [--write] [HOST…]. The agents are those of test/hosts.
//   --long   slow starts and denied tools too
//   --write  puts what was seen into results.json and docs/mcp.md
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const FOLDERS = ["../hosts/newest", "../hosts"].map((name) => fileURLToPath(new URL(name, import.meta.url)));
const AGENTS =
  process.env.SPILLWAY_AGENTS ??
  FOLDERS.find((folder) => existsSync(`${folder}/node_modules/.package-lock.json`)) ??
  "";
const PROJECT = fileURLToPath(new URL("../..", import.meta.url));
const flags = process.argv.slice(2).filter((word) => word.startsWith("--"));
const hosts = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const unknown = flags.find((flag) => !["--long", "--write"].includes(flag));
if (unknown !== undefined) {
  console.error(`test:mcp: unknown option ${unknown}`);
  process.exit(2);
}
if (!existsSync(`${AGENTS}/node_modules/.package-lock.json`)) {
  console.log("Skipped: the agents are not installed. npm run test:hosts -- --install installs them (about 1.4 GB).");
  process.exit(0);
}
const env = {
  ...process.env,
  SPILLWAY_AGENTS: AGENTS,
  SPILLWAY_MCP_LONG: flags.includes("--long") ? "1" : "0",
  ...(!flags.includes("--write") && {
    SPILLWAY_MCP_RESULTS: join(mkdtempSync(join(tmpdir(), "mcp-")), "results.json"),
  }),
  ...(hosts.length > 0 && { SPILLWAY_MCP_ONLY: hosts.join(",") }),
};
const vitest = [process.execPath, "node_modules/vitest/vitest.mjs", "run"];
const alone = ["unshare", "-rnm", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"];
const canUnshare = spawnSync(alone[0], [...alone.slice(1), "true"], { stdio: "ignore" }).status === 0;
if (!canUnshare) console.log("No network namespace here: the agents run with the network that there is.");
const [program, ...args] = [...(canUnshare ? alone : []), ...vitest, "--config", "vitest.mcp.config.ts"];
const { status } = spawnSync(program, args, { cwd: PROJECT, env, stdio: "inherit" });
if (flags.includes("--write"))
  spawnSync(vitest[0], [...vitest.slice(1), "test/docs/mcp.test.ts"], {
    cwd: PROJECT,
    env: { ...process.env, UPDATE: "1" },
    stdio: "inherit",
  });
process.exit(status ?? 1);
