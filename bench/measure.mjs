import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const HERE = path.dirname(fileURLToPath(import.meta.url));

/** The package under test: the folder with `bin/` and `dist/`. `SPILLWAY_HOME` points to another build. */
export const HOME = path.resolve(process.env.SPILLWAY_HOME ?? path.join(HERE, ".."));
/** Arguments that make node run the command line under test. */
export const CLI = path.join(HOME, "bin", "spillway.mjs");

/** A module of the build under test, such as `importBuilt("index")`. */
export function importBuilt(entry) {
  return import(pathToFileURL(path.join(HOME, "dist", `${entry}.mjs`)).href);
}

/** A folder for large files, removed at the end of the process. `BENCH_DIR` says where. */
export function scratchFolder(name) {
  const folder = path.join(process.env.BENCH_DIR ?? tmpdir(), `spillway-bench-${name}-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  process.once("SIGINT", () => process.exit(130));
  process.once("SIGTERM", () => process.exit(143));
  return folder;
}

/**
 * Runs each of `contestants` (name → function) once per round, in turning order, so that whatever else the machine does
 * falls on all of them alike. A function may return its own time in milliseconds. `before` runs untimed ahead of each.
 * With `collect`, memory is collected ahead of each; that throws compiled code away too, so a warm race must not.
 */
export async function race(contestants, { rounds = 5, warmUps = 1, before, collect = true } = {}) {
  const names = Object.keys(contestants);
  const times = new Map(names.map((name) => [name, []]));
  for (let round = -warmUps; round < rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(turn + round + warmUps) % names.length];
      await before?.(name);
      if (collect) globalThis.gc?.();
      const started = performance.now();
      const own = await contestants[name]();
      const elapsed = typeof own === "number" ? own : performance.now() - started;
      if (round >= 0) times.get(name).push(elapsed);
    }
  }
  return new Race(times);
}

/** The times of a race, in milliseconds. */
class Race {
  constructor(times) {
    this.times = times;
  }

  median(name) {
    return median(this.times.get(name));
  }

  best(name) {
    return Math.min(...this.times.get(name));
  }

  /** Median over the rounds of `name`'s time divided by `other`'s time in the same round. */
  ratio(name, other) {
    const others = this.times.get(other);
    return median(this.times.get(name).map((time, round) => time / others[round]));
  }

  /** Median over the rounds of `name`'s time less `other`'s time in the same round. */
  difference(name, other) {
    const others = this.times.get(other);
    return median(this.times.get(name).map((time, round) => time - others[round]));
  }
}

export function median(numbers) {
  const sorted = [...numbers].sort((left, right) => left - right);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Runs a program to its end, output ignored unless `stdio` says otherwise, and gives the wall time in milliseconds. */
export function timeProgram(argv, options = {}) {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(argv[0], argv.slice(1), { stdio: "ignore", ...options });
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      if (code === 0) resolve(performance.now() - started);
      else reject(new Error(`${argv.join(" ")} ended with ${code ?? signal}`));
    });
  });
}

/** A line for the shell, timed like a program; words go in as "$1", "$2", … */
export function timeShell(line, words = [], options = {}) {
  return timeProgram(["/bin/sh", "-c", line, "sh", ...words], options);
}

const RSS_HOOK = pathToFileURL(path.join(HERE, "report-peak-memory.mjs")).href;

/** Peak memory, in MB, of the node process that `start(env)` runs with the given environment. */
export async function peakMemory(folder, start) {
  const file = path.join(folder, "peak-memory");
  rmSync(file, { force: true });
  await start({ ...process.env, NODE_OPTIONS: `--import=${RSS_HOOK}`, BENCH_PEAK_MEMORY_FILE: file });
  if (!existsSync(file)) throw new Error("the process did not report its memory");
  return Number(readFileSync(file, "utf8"));
}

/** Prints one result: what was measured, what came out, the budget, and whether it holds (undefined: no budget). */
export function report({ what, result, budget, holds }) {
  const verdict = holds === undefined ? "" : holds ? "met" : "NOT MET";
  process.stdout.write(`| ${what} | ${result} | ${budget ?? ""} | ${verdict} |\n`);
}

/** Prints the head of a table of results. */
export function reportTitle(title) {
  process.stdout.write(`\n### ${title}\n\n| what | result | budget | |\n|---|---|---|---|\n`);
}

/** 0.4567 as "0.46 ×". */
export function times(ratio) {
  return `${ratio.toFixed(ratio < 10 ? 2 : 0)} ×`;
}

/** Milliseconds for people. */
export function ms(value) {
  if (value < 0.1) return `${(value * 1000).toFixed(1)} µs`;
  return value < 10 ? `${value.toFixed(2)} ms` : `${Math.round(value).toLocaleString("en-US")} ms`;
}
