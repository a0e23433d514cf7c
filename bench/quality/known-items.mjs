import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { shownLine } from "./kept-keys.mjs";

// Known items: any line of any text, asked for by its three rarest words, must be in the preview, as a terminal leaves it.
//   node bench/quality/known-items.mjs FILE…        KNOWN_ITEMS=30 lines of each file
const root = path.join(path.dirname(fileURLToPath(import.meta.url)), "..", "..");
const home = path.resolve(process.env.SPILLWAY_HOME ?? root);
const { preview } = await import(pathToFileURL(path.join(home, "dist", "preview.mjs")).href);
const ITEMS = Number(process.env.KNOWN_ITEMS ?? 30);
const BUDGETS = { "8,000 characters": { maxChars: 8000, maxBytes: 8000 }, "4,096 bytes": { maxBytes: 4096 } };
const files = process.argv.slice(2);
if (files.length === 0) process.stdout.write("No files given: nothing to ask for.\n");

const totals = new Map(Object.keys(BUDGETS).map((name) => [name, { found: 0, asked: 0 }]));
for (const file of files) {
  const text = readFileSync(file, "utf8");
  const items = knownItems(text);
  for (const [name, limits] of Object.entries(BUDGETS)) {
    const found = items.filter(({ line, words }) => {
      const query = `Where is ${words.join(" and ")}?`;
      const shown = preview(text, { strategy: "smart", ...limits, query }).text;
      return shown.includes(line.trim()) || shown.split("\n").map(shownLine).join("\n").includes(shownLine(line));
    });
    totals.get(name).found += found.length;
    totals.get(name).asked += items.length;
    if (found.length < items.length) process.stdout.write(`${file}, ${name}: ${found.length} of ${items.length}\n`);
  }
}
for (const [name, { found, asked }] of totals) {
  process.stdout.write(`${name}: ${found} of ${asked} (${((100 * found) / Math.max(1, asked)).toFixed(2)} %)\n`);
}

function knownItems(text) {
  const wordsOf = (line) => [...new Set(line.match(/[A-Za-z_][A-Za-z0-9_]{3,}/g) ?? [])];
  const lines = text.split("\n");
  const counts = new Map();
  for (const line of lines) for (const word of wordsOf(line)) counts.set(word, (counts.get(word) ?? 0) + 1);
  let seed = 42;
  const random = (below) => {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    return seed % below;
  };
  const items = [];
  for (let tries = 0; tries < 4000 && items.length < ITEMS; tries++) {
    const line = lines[random(lines.length)];
    if (line.length < 25 || line.length > 200) continue;
    const words = wordsOf(line)
      .sort((a, b) => counts.get(a) - counts.get(b))
      .slice(0, 3);
    if (words.length > 1 && counts.get(words[0]) <= 6) items.push({ line, words });
  }
  return items;
}
