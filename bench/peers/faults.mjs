// The faults of test/faults, on us and on two peers that save what is too long as well; each try in a process of its own:
// node bench/peers/faults.mjs [--long] [--install]. Peers stand in bench/peers/node_modules with the versions of package.json.
import { execFileSync, spawn } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { randomNumbers } from "../log-text.mjs";
import { importBuilt } from "../measure.mjs";
import { chunksOf } from "./numbered-lines.mjs";

const HERE = path.dirname(fileURLToPath(import.meta.url));
const long = process.argv.includes("--long");
if (process.argv.includes("--install"))
  execFileSync("npm", ["install", "--prefix", HERE, "--ignore-scripts", "--no-audit", "--no-fund"], {
    stdio: "inherit",
  });
const PACKAGES = { gemini: "@google/gemini-cli-core", pi: "@mariozechner/pi-coding-agent" };
const missing = Object.values(PACKAGES).filter((name) => !existsSync(path.join(HERE, "node_modules", name)));
if (missing.length > 0) {
  console.log(`Skipped: ${missing.join(" and ")} not installed; node bench/peers/faults.mjs --install installs them.`);
  process.exit(0);
}
const NAMES = ["spillway", "gemini", "pi"];
const LINES = 6000;
const WHOLE = Buffer.concat([...chunksOf(LINES)]);
const { createSpillway } = await importBuilt("index");
const rows = [];

await row("a disk that is full, at every page of a write", fullDisk);
await row("kill -9 at any moment of a write", killed);
await row("50 processes that save under one id at once", sameId);
await row("a link in place of the folder, to one outside", linked);
await row("an output of 600 MB", large);

const versions = Object.values(PACKAGES).map((name) => {
  const { version } = JSON.parse(readFileSync(path.join(HERE, "node_modules", name, "package.json"), "utf8"));
  return `${name.replace(/^@.*\//, "")} ${version}`;
});
console.log(`\n| fault | tries | spillway | ${versions.join(" | ")} |\n|---|---|---|---|---|`);
for (const { fault, tries, cells } of rows) console.log(`| ${fault} | ${tries} | ${cells.join(" | ")} |`);

async function row(fault, run) {
  const cells = [];
  let tries = 0;
  for (const name of NAMES) {
    const folder = mkdtempSync(path.join(tmpdir(), "spillway-peers-"));
    const verdicts = await run(name, folder);
    rmSync(folder, { recursive: true, force: true });
    tries = verdicts.length;
    cells.push(count(verdicts));
    console.log(`${fault}, ${name}: ${cells.at(-1)}`);
  }
  rows.push({ fault, tries, cells });
}

async function fullDisk(name, folder) {
  const disk = path.join(folder, "disk");
  mkdirSync(disk);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1024k", "tmpfs", disk], { stdio: "pipe" });
  } catch {
    return ["not tried: a small disk needs root"];
  }
  const verdicts = [];
  try {
    const pages = Math.ceil(WHOLE.length / 4096) + 8;
    for (let free = 0; free <= pages; free += long ? 1 : 6) {
      const home = path.join(disk, `try-${free}`);
      mkdirSync(home);
      fill(disk, free);
      verdicts.push(judge(await saveAs(name, home)));
      rmSync(path.join(disk, "filler"), { force: true });
      rmSync(home, { recursive: true, force: true });
    }
  } finally {
    execFileSync("umount", ["--lazy", disk]);
  }
  return verdicts;
}

/** What is left of a cut write is either known as cut or passes for all of it. */
async function killed(name, folder) {
  const random = randomNumbers(41);
  const verdicts = [];
  for (let at = 0; at < (long ? 100 : 15); at++) {
    const home = path.join(folder, `try-${at}`);
    mkdirSync(home);
    await saveAs(name, home, { lines: 400_000, killAfterMs: random(400) });
    const files = filesBelow(home).filter((file) => /\.(?:txt|log)$/.test(file));
    if (files.length === 0) verdicts.push("nothing left");
    for (const file of files) {
      const cut = statSync(file).size < [...chunksOf(400_000)].reduce((sum, chunk) => sum + chunk.length, 0);
      verdicts.push(
        !cut
          ? "whole"
          : name === "spillway" && (await knownAsCut(home, file))
            ? "cut, and known as cut"
            : "cut, passes for whole",
      );
    }
  }
  return verdicts;
}

async function knownAsCut(home, file) {
  const { store } = createSpillway({ root: home, config: false, env: {} });
  const id = /_([0-9a-z]{22})\.txt$/.exec(file)?.[1];
  return id !== undefined && !(await store.verify(id)).ok;
}

async function sameId(name, folder) {
  const saved = await Promise.all(Array.from({ length: 50 }, (_, at) => saveAs(name, folder, { lines: LINES + at })));
  const claimed = new Set();
  return saved.map((one) => {
    const twice = claimed.has(one.path);
    claimed.add(one.path);
    return twice ? "overwritten by another" : judge(one, one.lines);
  });
}

async function linked(name, folder) {
  const [home, outside] = ["home", "outside"].map((each) => path.join(folder, each));
  for (const each of [home, outside]) mkdirSync(each);
  const target =
    name === "spillway" ? path.join(home, ".agents") : name === "gemini" ? path.join(home, "tool-outputs") : undefined;
  // Its folder is the system's own for temporary files, which nobody else can replace.
  if (target === undefined) return ["has no folder of its own"];
  symlinkSync(outside, target);
  const saved = await saveAs(name, home);
  return [filesBelow(outside).length > 0 ? "written outside" : judge(saved)];
}

async function large(name, folder) {
  const saved = await saveAs(name, folder, { lines: 17_000_000 });
  const size = saved.path !== undefined && existsSync(saved.path) ? statSync(saved.path).size : 0;
  const memory = saved.peakBytes === undefined ? "" : ` with ${Math.round(saved.peakBytes / 1e6)} MB of memory`;
  if (saved.died) return [`died (${saved.died})`];
  return [saved.said !== undefined ? `said: ${saved.said.slice(0, 60)}` : `${Math.round(size / 1e6)} MB kept${memory}`];
}

/** Saves in a process of its own; gives what its caller was told, or how the process died. */
function saveAs(name, home, { lines = LINES, killAfterMs } = {}) {
  const args = ["--max-old-space-size=4096", path.join(HERE, "save-as.mjs"), name, home, String(lines), "call_1"];
  const env = { ...process.env, XDG_STATE_HOME: path.join(home, "state") };
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"], env });
  const printed = { out: "", err: "" };
  child.stdout.on("data", (chunk) => {
    if (printed.out === "" && killAfterMs !== undefined) setTimeout(() => child.kill("SIGKILL"), killAfterMs);
    printed.out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    printed.err += chunk;
  });
  return new Promise((resolve) => {
    child.once("close", (code, signal) => {
      const answer = printed.out.split("\n")[1];
      const why = /^\w*Error: .*|FATAL ERROR: [^\n]*/m.exec(printed.err)?.[0] ?? signal ?? `exit code ${code}`;
      resolve({ lines, ...(answer ? JSON.parse(answer) : { died: why.slice(0, 60) }) });
    });
  });
}

/** Whole, told to be missing, or neither. */
function judge({ path: file, said, died }, lines = LINES) {
  if (died !== undefined) return "process died";
  if (said !== undefined) return "loss said";
  const saved = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  return saved.equals(Buffer.concat([...chunksOf(lines)])) ? "kept whole" : "silent loss";
}

function count(verdicts) {
  const counts = new Map();
  for (const verdict of verdicts) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  return [...counts].map(([verdict, times]) => (verdicts.length === 1 ? verdict : `${times} ${verdict}`)).join(", ");
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
}

/** Leaves this many pages free. */
function fill(disk, freePages) {
  const page = Buffer.alloc(4096);
  const spare = openSync(path.join(disk, "spare"), "w");
  for (let at = 0; at < freePages; at++) if (!writes(spare, page)) break;
  closeSync(spare);
  const filler = openSync(path.join(disk, "filler"), "w");
  while (writes(filler, page));
  closeSync(filler);
  rmSync(path.join(disk, "spare"));
}

function writes(file, page) {
  try {
    return writeSync(file, page) > 0;
  } catch {
    return false;
  }
}
