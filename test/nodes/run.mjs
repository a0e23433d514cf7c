/**
 * Runs tests on other versions of Node, which npm's `node` package brings along: `npm run test:nodes`, or
 * `npm run test:nodes -- 22` for one of them, `-- --all` for the whole suite. Says so and goes on where a version cannot
 * be had.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const VERSIONS = ["22", "24"];
/** The packed package (command line, gate, stores), the examples (agent, streams), the proxy in front of a real server. */
const SHORT = [
  "test/e2e",
  "test/examples",
  "test/gate/spillway.test.ts",
  "test/integrations/mcp-proxy/everything.test.ts",
];

const project = fileURLToPath(new URL("../..", import.meta.url));
const given = process.argv.slice(2);
const chosen = given.filter((word) => /^\d+$/.test(word));
const files = given.includes("--all") ? [] : SHORT;
let failed = 0;

for (const version of chosen.length > 0 ? chosen : VERSIONS) {
  const node = findNode(version);
  if (node === undefined) {
    console.log(`Skipped: Node ${version} is not to be had here.`);
    continue;
  }
  const exact = execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
  // What the tests start by name is of that version too.
  const env = { ...process.env, PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH ?? ""}` };
  const vitest = path.join(project, "node_modules", "vitest", "vitest.mjs");
  const { status } = spawnSync(node, [vitest, "run", ...files], {
    cwd: project,
    env,
    stdio: "inherit",
  });
  console.log(`Node ${exact}: ${status === 0 ? "passed" : "failed"}.`);
  if (status !== 0) failed++;
}
process.exitCode = failed;

/** The program of a version, from npm's cache or registry. */
function findNode(version) {
  // Outside the project, whose own settings for packages do not matter here.
  const folder = mkdtempSync(path.join(tmpdir(), "spillway-nodes-"));
  try {
    const asked = ["--yes", `node@${version}`, "-p", "process.execPath"];
    const out = execFileSync("npx", asked, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    return out.trim().split("\n").at(-1);
  } catch {
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
