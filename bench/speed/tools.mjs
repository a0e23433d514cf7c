import { spawn } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import {
  importBuilt,
  ms,
  peakMemory,
  race,
  report,
  reportTitle,
  scratchFolder,
  timeProgram,
  times,
} from "../measure.mjs";

const FILES = Number(process.env.BENCH_TOOL_FILES ?? 2000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7);
const MB = 1024 ** 2;

if (process.argv[2] === "map") {
  const registry = await openRegistry(process.argv[3]);
  const started = performance.now();
  const { status } = (await registry.call("RepoMap", {})).response;
  if (status === "error") throw new Error("RepoMap failed");
  process.send?.(performance.now() - started);
  process.disconnect?.();
} else {
  await compare();
}

async function openRegistry(root) {
  const { createSpillway } = await importBuilt("index");
  const { builtInTools, createToolRegistry } = await importBuilt("tools");
  return createToolRegistry({ spillway: createSpillway({ root, env: {}, config: false }), tools: builtInTools });
}

async function compare() {
  const { rgPath } = await import("@vscode/ripgrep");
  const root = scratchFolder("tools");
  const bytes = writeRepository(root);
  const registry = await openRegistry(root);
  const call = async (name, params) => {
    const { response } = await registry.call(name, params);
    if (response.status === "error") throw new Error(response.text);
    return response;
  };
  const rg = (...args) => drain(rgPath, ["--no-config", "--no-require-git", ...args], root);

  const few = await race(
    { rg: () => rg("-n", "openValve7\\b", "."), grep: () => call("Grep", { pattern: "openValve7\\b" }) },
    { rounds: ROUNDS },
  );
  const many = await race(
    { rg: () => rg("-n", "const", "."), grep: () => call("Grep", { pattern: "const" }) },
    { rounds: ROUNDS },
  );
  const { stats } = await call("Grep", { pattern: "const" });
  reportTitle(`Tools on ${FILES} source files (${Math.round(bytes / MB)} MB), medians of ${ROUNDS} interleaved rounds`);
  reportRatio("Grep, few matches", "`rg -n`", few, "grep", "rg");
  reportRatio(`Grep, ${stats.total_matches} matches, all counted`, "`rg -n`", many, "grep", "rg");

  const list = await race(
    {
      rg: () => rg("--files"),
      sorted: () => rg("--files", "--sortr=modified"),
      narrow: () => call("Glob", { pattern: "**/*7.ts" }),
      all: () => call("Glob", { pattern: "**/*" }),
    },
    { rounds: ROUNDS },
  );
  reportRatio("Glob, a tenth of the files", "`rg --files`", list, "narrow", "rg");
  reportRatio("Glob, every file, newest first", "`rg --files`", list, "all", "rg");
  reportRatio("Glob, every file, newest first", "`rg --files --sortr=modified`", list, "all", "sorted");
  await compareMaps(root);
}

function reportRatio(what, other, result, name, baseline) {
  const ratio = result.ratio(name, baseline);
  report({
    what: `${what}: ${ms(result.median(name))}, ${other}: ${ms(result.median(baseline))}`,
    result: times(ratio),
    budget: "<= 1.5 ×",
    holds: ratio <= 1.5,
  });
}

async function compareMaps(root) {
  const cache = path.join(root, ".agents", "cache");
  const maps = await race(
    { first: () => map(root), cached: () => map(root) },
    { rounds: 3, warmUps: 1, before: (name) => name === "first" && rmSync(cache, { recursive: true, force: true }) },
  );
  const first = maps.median("first");
  const cached = maps.median("cached");
  report({
    what: `RepoMap of ${FILES} files, nothing cached`,
    result: ms(first),
    budget: "<= 5 s",
    holds: first <= 5000,
  });
  report({ what: "RepoMap again, cached by hash", result: ms(cached), budget: "<= 0.5 s", holds: cached <= 500 });
  rmSync(cache, { recursive: true, force: true });
  const argv = [process.execPath, import.meta.filename, "map", root];
  const peak = await peakMemory(root, (env) => timeProgram(argv, { env }));
  report({
    what: "RepoMap, peak memory of the process",
    result: `${Math.round(peak)} MB`,
    budget: "<= 200 MB",
    holds: peak <= 200,
  });
}

/** One map in a process of its own, timed inside it: loading grammars counts, starting node does not. */
function map(root) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [import.meta.filename, "map", root], {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    child.once("message", resolve);
    child.once("error", reject);
    child.once("exit", (code) => code !== 0 && reject(new Error(`exit code ${code}`)));
  });
}

/** Runs a program and reads its output through a pipe, as any caller would. */
function drain(program, args, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ["ignore", "pipe", "ignore"] });
    child.stdout.resume();
    child.once("error", reject);
    child.once("close", () => resolve());
  });
}

/** Source files that use one another's definitions, about 6 KB each. */
function writeRepository(root) {
  let bytes = 0;
  for (let index = 0; index < FILES; index++) {
    const uses = [1, 7, 31].map((step) => (index * step + step) % FILES);
    const imports = uses.map((other) => `import { openValve${other} } from "../d${other % 40}/module${other}.ts";`);
    const functions = Array.from(
      { length: 18 },
      (_, part) => `
/** Computes step ${part} of module ${index}. */
export function computeStep${index}_${part}(input: number, options: StepOptions${index}): number {
  const scaled = input * options.factor + ${part};
  const checked = scaled > options.limit ? openValve${uses[part % 3]}(scaled) : scaled;
  return Math.max(checked, ${part});
}`,
    );
    const text = `${imports.join("\n")}

export interface StepOptions${index} {
  readonly factor: number;
  readonly limit: number;
}

export function openValve${index}(rate: number): number {
  return rate / 2;
}
${functions.join("\n")}
`;
    const folder = path.join(root, `d${index % 40}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, `module${index}.ts`), text);
    bytes += text.length;
  }
  return bytes;
}
