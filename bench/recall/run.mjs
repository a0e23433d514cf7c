// Does the model still see the answer, in how many bytes and how many extra calls?
//   node bench/recall/run.mjs [--install] [--own] [--write] [--every N] [--only WORD]
//   --install  installs the packages that are compared with, pinned, into bench/peers (650 MB)
//   --own      the project's own labelled outputs, also where others lie beside the project
//   --write    writes the tables beside this file, and the chart to docs/images
//   --every N  every Nth case; --only WORD  arms with the word in their name
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { armsOf } from "./arms.mjs";
import { setsOf } from "./cases.mjs";
import { renderChart } from "./chart.mjs";
import { scoreCase } from "./score-case.mjs";
import { renderArms, renderKinds, summarize } from "./tables.mjs";
import { TimedArm } from "./timed-arm.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.join(here, "..", "..");
const text = { type: "string" };
const flag = { type: "boolean", default: false };
const { values: options } = parseArgs({
  options: { install: flag, own: flag, write: flag, every: { ...text, default: "1" }, only: text },
});
const limitMs = Number(process.env.RECALL_LIMIT_MS ?? 3000);

if (options.install) {
  // Not `npm ci`, which refuses a lock file without the binaries of other platforms; a registry may lack those.
  const npm = [
    "install",
    "--no-save",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--prefix",
    path.join(here, "..", "peers"),
  ];
  if (spawnSync("npm", npm, { stdio: "inherit" }).status !== 0) process.exit(1);
}

const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
const arms = armsOf(version).filter(({ name }) => options.only === undefined || name.includes(options.only));
for (const { name } of arms.filter(({ version }) => version === undefined))
  console.log(`Left out, not installed (--install): ${name}`);
const present = arms.filter(({ version }) => version !== undefined);

for (const set of setsOf(root, options.own)) {
  const cases = set.cases.filter((_, at) => at % Number(options.every) === 0);
  const kinds = [...new Set(cases.map(({ kind }) => kind))].map((kind) => {
    return { kind, cases: cases.filter((each) => each.kind === kind).length };
  });
  const rows = [];
  for (const { name, version, smart = false, every = 1 } of present) {
    const arm = new TimedArm(name, limitMs);
    const scores = [];
    for (const { kind, read } of cases.filter((_, at) => cases.length <= 100 || at % every === 0))
      scores.push({ kind, ...(await scoreCase(arm, read())) });
    await arm.close();
    const byKind = new Map(kinds.map(({ kind }) => [kind, summarize(scores.filter((score) => score.kind === kind))]));
    rows.push({ name, version, smart, byKind, summary: summarize(scores) });
    console.error(`${name}: ${scores.length} outputs`);
  }
  const title = `${cases.length} labelled outputs (${set.name}), ${limitMs / 1000} s of processor time for each`;
  const tables = `${title}:\n\n${renderArms(rows)}\n\nAll answer lines, first result / after one search, by kind:\n\n${renderKinds(rows, kinds)}`;
  console.log(`\n${tables}`);
  if (options.write) write(tables, renderChart(title, rows));
}

function write(tables, chart) {
  const page = path.join(here, "README.md");
  const marked = /<!-- measured -->[\s\S]*?<!-- end -->/;
  writeFileSync(
    page,
    readFileSync(page, "utf8").replace(marked, () => `<!-- measured -->\n\n${tables}\n\n<!-- end -->`),
  );
  writeFileSync(path.join(root, "docs", "images", "recall.svg"), chart);
}
