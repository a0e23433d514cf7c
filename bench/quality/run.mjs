import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { keptKeys } from "./kept-keys.mjs";
import { casesOf, corpora } from "./labelled-cases.mjs";

// Key-line recall of our strategies and of the baselines on folders of labelled outputs, which are not part of this
// project: SPILLWAY_CORPUS lists them. Also by kind, and by fold: cases of one source are always in the same fold.
// QUALITY_BUDGETS, QUALITY_ONLY and QUALITY_KINDS narrow the run.
const root = path.join(path.dirname(fileURLToPath(import.meta.url)), "..", "..");
const home = path.resolve(process.env.SPILLWAY_HOME ?? root);
const { preview } = await import(pathToFileURL(path.join(home, "dist", "preview.mjs")).href);
const BUDGETS = {
  "8000ch": { maxChars: 8000, maxBytes: 8000, maxLines: 2000 },
  "4096B": { maxBytes: 4096, maxLines: 2000 },
};
const FOLDS = 5;
const budgets = (process.env.QUALITY_BUDGETS ?? "8000ch,4096B").split(",");
const only = process.env.QUALITY_ONLY?.split(",");
const kinds = process.env.QUALITY_KINDS?.split(",");
const folders = corpora(root);
if (folders.length === 0) {
  print("No labelled outputs: skipped. Set SPILLWAY_CORPUS to folders with index.json and cases.\n");
  process.exit(0);
}

for (const folder of folders) {
  const contestants = await contestantsOf(folder);
  const results = new Map(contestants.map(({ name }) => [name, []]));
  for (const { id, kind, group, read } of casesOf(folder)) {
    if (kinds !== undefined && !kinds.includes(kind)) continue;
    const { keys, question, text } = read();
    for (const budget of budgets) {
      for (const asked of [false, true]) {
        for (const { name, show } of contestants) {
          const limits = { ...BUDGETS[budget], ...(asked ? { query: question } : {}) };
          const shown = show(text, limits);
          const kept = keptKeys(keys, shown);
          const core = kept.filter((_, index) => keys[index].core);
          const over = shown.length > (limits.maxChars ?? Infinity) || Buffer.byteLength(shown) > limits.maxBytes + 2;
          const entry = { id, kind, fold: foldOf(group), budget, asked };
          results.get(name).push({ ...entry, any: kept.includes(true), core: !core.includes(false), over });
        }
      }
    }
  }
  for (const budget of budgets) {
    print(`\n### ${path.basename(folder)}, ${budget}\n\n${HEADER("strategy")}`);
    for (const [name, all] of results) print(row(name, ofBudget(all, budget)));
    const smart = ofBudget(results.get("spillway smart") ?? [], budget);
    for (const by of ["kind", "fold"]) {
      print(`\nsmart by ${by}:\n\n${HEADER(by)}`);
      for (const [value, some] of [...groupBy(smart, by)].sort()) print(row(value, some));
    }
  }
}

async function contestantsOf(folder) {
  const own = ["smart", "head_tail", "head", "tail"].map((strategy) => ({
    name: `spillway ${strategy}`,
    show: (text, limits) => preview(text, { ...limits, strategy }).text,
  }));
  const beside = path.join(folder, "baselines");
  const files = existsSync(beside) ? readdirSync(beside).filter((file) => /^[^_].*\.mjs$/.test(file)) : [];
  const baselines = await Promise.all(
    files.map(async (file) => {
      const module = await import(pathToFileURL(path.join(beside, file)).href);
      return { name: file.replace(".mjs", ""), show: (text, limits) => module.preview(text, limits) };
    }),
  );
  return [...own, ...baselines].filter(({ name }) => only === undefined || only.some((word) => name.includes(word)));
}

function foldOf(group) {
  let hash = 7;
  for (const letter of String(group)) hash = (hash * 31 + letter.charCodeAt(0)) % 1_000_003;
  return hash % FOLDS;
}

function ofBudget(results, budget) {
  return results.filter((result) => result.budget === budget);
}

function HEADER(first) {
  return `| ${first} | cases | any % / all core keys % | with the question | over budget |\n|---|---|---|---|---|\n`;
}

function row(name, results) {
  const pair = (asked) => {
    const some = results.filter((result) => result.asked === asked);
    return `${percent(some, "any")} / ${percent(some, "core")}`;
  };
  const over = results.filter((result) => result.over).length;
  return `| ${name} | ${results.length / 2} | ${pair(false)} | ${pair(true)} | ${over} |\n`;
}

function percent(results, key) {
  return ((100 * results.filter((result) => result[key]).length) / results.length).toFixed(1);
}

function print(text) {
  process.stdout.write(text);
}

function groupBy(results, key) {
  const groups = new Map();
  for (const result of results) groups.set(result[key], [...(groups.get(result[key]) ?? []), result]);
  return groups;
}
