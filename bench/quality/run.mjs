import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

// Key-line recall of our strategies and of the baselines on a corpus of labelled outputs, which is not part of this
// project. SPILLWAY_CORPUS says where it is; QUALITY_BUDGETS and QUALITY_ONLY narrow the run.
const here = path.dirname(fileURLToPath(import.meta.url));
const corpus = path.resolve(process.env.SPILLWAY_CORPUS ?? path.join(here, "..", "..", "..", "shared", "corpus"));
const built = path.join(path.resolve(process.env.SPILLWAY_HOME ?? path.join(here, "..", "..")), "dist", "preview.mjs");
const budgets = (process.env.QUALITY_BUDGETS ?? "8000ch,4096B").split(",");
const only = process.env.QUALITY_ONLY?.split(",");

if (!existsSync(path.join(corpus, "score.mjs"))) {
  process.stdout.write(`No corpus at ${corpus}: skipped. Set SPILLWAY_CORPUS to the folder with score.mjs.\n`);
  process.exit(0);
}

const folder = mkdtempSync(path.join(tmpdir(), "spillway-quality-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

const contestants = [
  ...["smart", "head_tail", "head", "tail"].map((strategy) => ({
    name: `spillway ${strategy}`,
    module: write(strategy),
  })),
  ...readdirSync(path.join(corpus, "baselines"))
    .filter((file) => file.endsWith(".mjs") && !file.startsWith("_"))
    .map((file) => ({ name: file.replace(".mjs", ""), module: path.join(corpus, "baselines", file) })),
].filter(({ name }) => only === undefined || only.some((word) => name.includes(word)));

for (const budget of budgets) {
  for (const query of [false, true]) {
    process.stdout.write(`\n### ${budget}, ${query ? "with" : "without"} the question\n\n`);
    process.stdout.write("| strategy | any % | keys kept % | all core keys % | over budget |\n|---|---|---|---|---|\n");
    for (const { name, module } of contestants) process.stdout.write(`${rowOf(name, score(module, budget, query))}\n`);
  }
}
for (const query of [false, true]) {
  process.stdout.write(`\n### spillway smart by kind, 8000ch, ${query ? "with" : "without"} the question\n\n`);
  process.stdout.write("| kind | cases | any % | keys kept % | all core keys % |\n|---|---|---|---|---|\n");
  const kinds = new Map();
  for (const result of score(write("smart"), "8000ch", query)) {
    kinds.set(result.kind, [...(kinds.get(result.kind) ?? []), result]);
  }
  for (const [kind, results] of [...kinds].sort()) {
    process.stdout.write(
      `| ${kind} | ${results.length} | ${percent(results, "any")} | ${percent(results, "share")} | ${percent(results, "coreAll")} |\n`,
    );
  }
}

function write(strategy) {
  const file = path.join(folder, `${strategy}.mjs`);
  const source = `import { preview as show } from ${JSON.stringify(pathToFileURL(built).href)};
export const preview = (text, options) => show(text, { ...options, strategy: ${JSON.stringify(strategy)} });\n`;
  writeFileSync(file, source);
  return file;
}

function score(module, budget, query) {
  const out = path.join(folder, "scores.json");
  const words = [
    "score.mjs",
    module,
    "--split",
    "dev",
    "--budget",
    budget,
    "--json",
    out,
    ...(query ? ["--query"] : []),
  ];
  const { status, stderr } = spawnSync(process.execPath, words, { cwd: corpus, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(readFileSync(out, "utf8"));
}

function rowOf(name, results) {
  const over = results.filter((result) => result.over || result.err).length;
  return `| ${name} | ${percent(results, "any")} | ${percent(results, "share")} | ${percent(results, "coreAll")} | ${over} |`;
}

function percent(results, key) {
  return ((100 * results.reduce((sum, result) => sum + Number(result[key]), 0)) / results.length).toFixed(1);
}
