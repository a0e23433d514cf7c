import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { preview } from "../../dist/preview.mjs";
import { madeCases, recordedCases } from "./cases.mjs";
import { byKind, goldenFile, misses } from "./golden.mjs";
import { scores } from "./scores.mjs";

// Writes the golden previews again and says by kind what changed. Where labelled outputs are at hand, it also scores them
// and compares with the scores that `npm run golden -- --store` kept last; GOLDEN_SCORES names the file that holds those.
const here = path.dirname(fileURLToPath(import.meta.url));
const folder = path.join(here, "previews");
const stored = process.env.GOLDEN_SCORES ?? path.join(tmpdir(), "spillway-golden-scores.json");
mkdirSync(folder, { recursive: true });

const made = byKind(madeCases());
for (const [kind, cases] of new Map([...made, ...byKind(recordedCases())])) {
  const file = path.join(folder, `${kind}.md`);
  const before = existsSync(file) ? sections(readFileSync(file, "utf8")) : [];
  const text = goldenFile(kind, cases, preview);
  const after = sections(text);
  const changed = after.filter((section) => !before.includes(section)).length;
  if (changed > 0 || before.length !== after.length)
    console.log(`${kind}: ${changed} of ${after.length} previews changed`);
  writeFileSync(file, text);
}

const floors = path.join(here, "floors.json");
const lowest = JSON.parse(readFileSync(floors, "utf8"));
for (const [kind, cases] of made) {
  const complete = cases.filter((each) => misses(each, preview).length === 0).length;
  const floor = lowest[kind] ?? 0;
  if (complete !== floor) console.log(`${kind}: ${complete} of ${cases.length} made cases complete, ${floor} before`);
  lowest[kind] = Math.max(floor, complete);
}
writeFileSync(floors, `${JSON.stringify(lowest, undefined, 2)}\n`);

const now = await scores(path.join(here, "..", ".."), preview);
const last = existsSync(stored) ? JSON.parse(readFileSync(stored, "utf8")) : {};
for (const [row, { cases, any, core }] of Object.entries(now).sort()) {
  const before = last[row];
  const same = before !== undefined && before.any === any && before.core === core;
  if (!same)
    console.log(`${row} (${cases}): any / core ${before?.any ?? "-"} / ${before?.core ?? "-"} -> ${any} / ${core}`);
}
if (process.argv.includes("--store")) writeFileSync(stored, JSON.stringify(now));

function sections(text) {
  return text.split(/^(?=## )/m).slice(1);
}
