// The official conformance suite against a server, directly and through the proxy, HTTP to HTTP:
//   node test/conformance/run.mjs [--long] [URL of another server, instead of the project's own]
// and its scenarios of authorization against the SDK's own client, alone and before the proxy (--long: of both revisions).
// Prints what each scenario passes on both ways, and fails where the proxy passes less. The suite is brought by npm, and so
// is the version of Node that it needs; says so and goes on where they cannot be had.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compareAuth } from "./auth.mjs";

const SUITE = "@modelcontextprotocol/conformance@0.2.0-alpha.12";
const NODE = "node@22";
const REVISIONS = ["2025-11-25", "2026-07-28"];
const PROJECT = fileURLToPath(new URL("../..", import.meta.url));

const folder = mkdtempSync(join(tmpdir(), "conformance-"));
const children = [];
try {
  const suite = install();
  if (suite === undefined) console.log("Skipped: npm cannot bring the conformance suite, or the Node that it needs.");
  else {
    const [given] = process.argv.slice(2).filter((word) => !word.startsWith("--"));
    const revisions = process.argv.includes("--long") ? REVISIONS : REVISIONS.slice(-1);
    process.exitCode = (await compare(suite, given)) | (await compareAuth(suite, folder, revisions));
  }
} finally {
  for (const child of children) child.kill("SIGTERM");
  rmSync(folder, { recursive: true, force: true });
}

function install() {
  const quiet = { cwd: folder, stdio: ["ignore", "pipe", "ignore"], encoding: "utf8" };
  try {
    execFileSync("npm", ["install", "--prefix", folder, "--no-audit", "--no-fund", "--ignore-scripts", SUITE], quiet);
    const node = execFileSync("npx", ["--yes", NODE, "-p", "process.execPath"], quiet).trim().split("\n").at(-1);
    return [node, join(folder, "node_modules/@modelcontextprotocol/conformance/dist/index.js")];
  } catch {
    return undefined;
  }
}

async function compare(suite, given) {
  const direct = given ?? (await start([fileURLToPath(new URL("server.mjs", import.meta.url))]));
  const proxy = [
    "bin/spillway.mjs",
    "proxy",
    "--root",
    folder,
    "--listen",
    "127.0.0.1:0",
    "--no-token",
    "--url",
    direct,
  ];
  const proxied = await start(proxy);
  let worse = 0;
  for (const revision of REVISIONS) {
    const [alone, through] = [direct, proxied].map((url) => run(suite, url, revision));
    const names = Object.keys(alone).filter((name) => alone[name] !== through[name]);
    const sum = (passed) => Object.values(passed).reduce((total, count) => total + count, 0);
    console.log(`${revision}: ${sum(alone)} checks pass directly, ${sum(through)} through the proxy.`);
    for (const name of names)
      console.log(`  ${name}: ${alone[name]} directly, ${through[name] ?? 0} through the proxy`);
    if (sum(alone) === 0 || names.some((name) => (through[name] ?? 0) < alone[name])) worse = 1;
  }
  return worse;
}

/** How many checks of each scenario pass. */
function run([node, suite], url, revision) {
  const { stdout } = spawnSync(node, [suite, "server", "--url", url, "--requirements", revision], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  const rows = stdout.matchAll(/^[✓✗] ([\w-]+): (\d+) passed, \d+ failed$/gm);
  return Object.fromEntries([...rows].map(([, name, passed]) => [name, Number(passed)]));
}

/** Starts a server and gives the address that it prints. */
function start(args) {
  const child = spawn(process.execPath, args, { cwd: PROJECT, stdio: ["ignore", "ignore", "pipe"] });
  children.push(child);
  return new Promise((resolve, reject) => {
    let seen = "";
    child.stderr.on("data", (chunk) => {
      seen += chunk;
      const url = /http:\/\/\S+/.exec(seen)?.[0];
      if (url) resolve(url);
    });
    child.once("exit", () => reject(new Error(`It did not start: ${seen}`)));
  });
}
