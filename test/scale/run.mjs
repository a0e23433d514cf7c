/**
 * The suites against real servers: Ceph's RADOS Gateway and PostgreSQL from Debian, started here, on loopback.
 * `--long` runs the whole of each, then 20,000 calls of 64 workers, and prints the table of docs/scale.md (`--write` puts it there);
 * `--no-load` leaves these calls out, `--only s3|postgres` leaves the other server out; names of spec files run these alone.
 */
import { spawn, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { startCeph } from "./ceph.mjs";
import { startPostgres } from "./postgres.mjs";

const root = path.join(import.meta.dirname, "../..");
const args = process.argv.slice(2);
const long = args.includes("--long");
const only = args.includes("--only") ? args[args.indexOf("--only") + 1] : undefined;
const files = args.filter((arg) => arg.endsWith(".spec.ts"));
const facts = path.join(mkdtempSync(path.join(tmpdir(), "spillway-facts-")), "facts.jsonl");
writeFileSync(facts, "");

const install = spawnSync("bash", [path.join(import.meta.dirname, "install.sh")], { encoding: "utf8" });
if (install.status !== 0) {
  console.log(
    `test:scale skipped: ${install.stdout.trim() || install.stderr.trim() || "the servers cannot be installed"}.`,
  );
  process.exit(0);
}
installPeers();

const started = [];
const start = async (name, open) => {
  if (only !== undefined && only !== name) return undefined;
  const at = performance.now();
  try {
    const server = await open();
    started.push(server);
    console.log(`${name} answers after ${((performance.now() - at) / 1000).toFixed(1)} s.`);
    return server;
  } catch (error) {
    console.log(`test:scale: ${name} could not be started, its suites fail: ${error.message}`);
    process.exitCode = 1;
    return undefined;
  }
};

try {
  const [ceph, postgres] = [await start("s3", startCeph), await start("postgres", startPostgres)];
  const s3 = ceph && {
    endpoint: ceph.endpoint,
    accessKeyId: ceph.accessKeyId,
    secretAccessKey: ceph.secretAccessKey,
    osds: ceph.osds,
  };
  const servers = JSON.stringify({ s3, postgres: postgres?.url, long });
  // The one that kills a part of the cluster comes last.
  const last = "test/scale/osd-killed.spec.ts";
  if (files.length > 0) await runVitest(files, servers);
  else {
    await runVitest(["--exclude", last], servers);
    if (long && s3 && postgres && !args.includes("--no-load"))
      await runNode(["bench/scale/run.mjs", "--only", "load"], servers);
    if (s3) await runVitest([last], servers);
  }
  if (long) showTable();
} finally {
  await Promise.all(started.map((server) => server.stop()));
}

/** The real client of AWS and a pool of `pg`, for the suites that give them to the stores. */
function installPeers() {
  const peers = path.join(root, "bench/scale/peers");
  const [wanted, mark] = [path.join(peers, "package.json"), path.join(peers, "node_modules/.spillway-installed")];
  if (existsSync(mark) && readFileSync(mark, "utf8") === readFileSync(wanted, "utf8")) return;
  const npm = ["install", "--prefix", peers, "--ignore-scripts", "--no-audit", "--no-fund", "--no-save"];
  const { status, stderr } = spawnSync("npm", npm, { encoding: "utf8" });
  if (status === 0) copyFileSync(wanted, mark);
  else console.log(`test:scale: the suites with clients of others are skipped, npm could not install them: ${stderr}`);
}

function runVitest(some, servers) {
  return runNode(["node_modules/vitest/vitest.mjs", "run", "--config", "vitest.scale.config.ts", ...some], servers);
}

async function runNode(words, servers) {
  const env = { ...process.env, SPILLWAY_SCALE_SERVERS: servers, SPILLWAY_SCALE_FACTS: facts };
  const child = spawn(process.execPath, words, { cwd: root, stdio: "inherit", env });
  const code = await new Promise((resolve) => child.once("exit", resolve));
  if (code !== 0) process.exitCode = code ?? 1;
}

/** The facts of the run as a table; with `--write` in docs/scale.md, between its marks. */
function showTable() {
  const rows = readFileSync(facts, "utf8")
    .trim()
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const table = ["| what | seen |", "|---|---|", ...rows.map(({ what, measured }) => `| ${what} | ${measured} |`)].join(
    "\n",
  );
  console.log(table);
  if (!args.includes("--write") || process.exitCode) return;
  const page = path.join(root, "docs/scale.md");
  const text = readFileSync(page, "utf8");
  writeFileSync(
    page,
    text.replace(/(<!-- long -->\n)[\s\S]*?(<!-- \/long -->)/, (_, open, close) => `${open}${table}\n${close}`),
  );
}
