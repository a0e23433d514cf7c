import path from "node:path";
import { fileURLToPath } from "node:url";
import { keptKeys } from "./kept-keys.mjs";
import { casesOf, corpora } from "./labelled-cases.mjs";
import { watchedPreview } from "./watched-preview.mjs";

// Fits the weights by which the lines of diffs or sources are ranked: `fit-weights.mjs diff|code`. Listwise: softmax over
// the lines of a case, the likelihood of its key lines, L2 towards 0. Five folds over the sources of the cases tell what
// is kept on sources left out; then come the weights of all. FIT_L2, FIT_DROP (features to leave out), FIT_SET
// (`gone=-2.2`: weights that stay as they are, where labels never lie) and FIT_FOLDS=0 (score the weights as they stand).
const root = path.join(path.dirname(fileURLToPath(import.meta.url)), "..", "..");
const kind = process.argv[2] ?? "diff";
const BUDGETS = { "8000 characters": { maxChars: 8000, maxBytes: 8000 }, "4,096 bytes": { maxBytes: 4096 } };
const FOLDS = Number(process.env.FIT_FOLDS ?? 5);
const L2 = Number(process.env.FIT_L2 ?? 0.003);
const ROUNDS = 150;
const CUT_ROUNDS = Number(process.env.FIT_CUT_ROUNDS ?? 80);
/** What the lines themselves get of previews of 8,000 characters and of 4,096 bytes. */
const CUT_CHARS = [5400, 2600];
const MARKER_CHARS = 5;
const dropped = new Set(process.env.FIT_DROP?.split(","));
const { preview, weights, lastRead } = await watchedPreview();
const fitted = weights[kind];
const names = Object.keys(fitted);
const fixed = new Map(
  (process.env.FIT_SET ?? "")
    .split(",")
    .filter(Boolean)
    .map((entry) => entry.split("=")),
);
const cases = readCases();
print(`${cases.length} cases of ${new Set(cases.map(({ group }) => group)).size} sources\n`);
report("weights as they stand", cases, () => {});
if (FOLDS > 0) {
  const groups = [...new Set(cases.map(({ group }) => group))].sort();
  const fold = new Map(groups.map((group, index) => [group, index % FOLDS]));
  const byFold = Array.from({ length: FOLDS }, (_, left) =>
    fitTo(cases.filter(({ group }) => fold.get(group) !== left)),
  );
  report("folds left out", cases, ({ group }) => Object.assign(fitted, byFold[fold.get(group)]));
  const all = fitTo(cases);
  for (const name of names) print(`  ${name}: ${all[name].toFixed(2)},\n`);
}

function readCases() {
  return corpora(root)
    .flatMap(casesOf)
    .filter((one) => one.kind === kind)
    .flatMap(({ id, group, read }) => {
      const { keys, question, text } = read();
      globalThis.lastRead = undefined;
      preview(text, { ...BUDGETS["8000 characters"], maxLines: 2000, strategy: "smart", query: question });
      const seen = lastRead();
      const wanted = new Set(keys.filter(({ core }) => core).map(({ line }) => line));
      if (seen?.shape !== kind) return [{ id, group, keys, question, text }];
      const chars = Float64Array.from(seen.chars, (count) => count + MARKER_CHARS);
      const rows = Float64Array.from(seen.numbers.flatMap((_, row) => names.map((name) => seen.columns[name][row])));
      const hits = seen.numbers.flatMap((number, row) => (wanted.has(number) ? [row] : []));
      return [{ id, group, keys, question, text, rows, hits, chars }];
    });
}

/** Gradient ascent with a step for each weight that adapts (Adam). */
function fitTo(some) {
  const usable = some.filter(({ rows, hits }) => rows !== undefined && hits.length > 0);
  const free = names.map((name) => !dropped.has(name) && !fixed.has(name));
  const found = names.map((name) => (fixed.has(name) ? Number(fixed.get(name)) : 0));
  const mean = new Float64Array(names.length);
  const spread = new Float64Array(names.length);
  for (let round = 1; round <= ROUNDS; round++) {
    const slope = names.map((_, at) => -L2 * usable.length * found[at]);
    for (const { rows, hits } of usable) addSlope(rows, hits, found, slope);
    names.forEach((_, at) => {
      if (!free[at]) return;
      mean[at] = 0.9 * mean[at] + 0.1 * slope[at];
      spread[at] = 0.99 * spread[at] + 0.01 * slope[at] ** 2;
      const step = (0.1 * (mean[at] / (1 - 0.9 ** round))) / (Math.sqrt(spread[at] / (1 - 0.99 ** round)) + 1e-9);
      found[at] += step * Math.min(1, (2 * (ROUNDS - round)) / ROUNDS);
    });
  }
  if (CUT_ROUNDS > 0) moveToCut(usable, found, free);
  return Object.fromEntries(names.map((name, at) => [name, found[at]]));
}

/** Moves weights so that key lines come before the line at which the room is full. */
function moveToCut(usable, found, free) {
  const mean = new Float64Array(names.length);
  const spread = new Float64Array(names.length);
  const start = [...found];
  for (let round = 1; round <= CUT_ROUNDS; round++) {
    const slope = names.map((_, at) => -L2 * usable.length * (found[at] - start[at]));
    for (const one of usable) addCutSlope(one, found, slope);
    names.forEach((_, at) => {
      if (!free[at]) return;
      mean[at] = 0.9 * mean[at] + 0.1 * slope[at];
      spread[at] = 0.99 * spread[at] + 0.01 * slope[at] ** 2;
      found[at] += (0.03 * (mean[at] / (1 - 0.9 ** round))) / (Math.sqrt(spread[at] / (1 - 0.99 ** round)) + 1e-9);
    });
  }
}

function addCutSlope({ rows, hits, chars }, found, slope) {
  const width = names.length;
  const worth = worthOf(rows, found);
  const order = [...worth.keys()].sort((a, b) => worth[b] - worth[a]);
  for (const room of CUT_CHARS) {
    let cut = 0;
    for (let left = room; cut < order.length && left > 0; cut++) left -= chars[order[cut]];
    if (cut === order.length) continue;
    const at = worth[order[cut]];
    const about = order.slice(Math.max(0, cut - 15), cut + 15);
    const worst = hits.reduce((low, hit) => (worth[hit] < worth[low] ? hit : low), hits[0]);
    for (const [hit, share] of [...hits.map((hit) => [hit, 0.5 / hits.length]), [worst, 0.5]]) {
      const over = 1 / (1 + Math.exp(-(worth[hit] - at)));
      const push = share * over * (1 - over);
      for (let name = 0; name < width; name++) {
        slope[name] += push * rows[hit * width + name];
        for (const row of about) slope[name] -= (push * rows[row * width + name]) / about.length;
      }
    }
  }
}

function worthOf(rows, found) {
  const width = names.length;
  const worth = new Float64Array(rows.length / width);
  for (let row = 0; row < worth.length; row++)
    for (let at = 0; at < width; at++) worth[row] += rows[row * width + at] * found[at];
  return worth;
}

/** Each case counts the same, however many key lines it has. */
function addSlope(rows, hits, found, slope) {
  const width = names.length;
  const count = rows.length / width;
  const shares = worthOf(rows, found);
  const most = shares.reduce((high, worth) => Math.max(high, worth), -Infinity);
  let total = 0;
  for (let row = 0; row < count; row++) {
    shares[row] = Math.exp(shares[row] - most);
    total += shares[row];
  }
  for (const hit of hits) for (let at = 0; at < width; at++) slope[at] += rows[hit * width + at] / hits.length;
  for (let row = 0; row < count; row++) {
    const share = shares[row] / total;
    if (share < 1e-7) continue;
    for (let at = 0; at < width; at++) slope[at] -= share * rows[row * width + at];
  }
}

function report(title, some, prepare) {
  for (const [budget, limits] of Object.entries(BUDGETS)) {
    let any = 0;
    let core = 0;
    for (const one of some) {
      prepare(one);
      const shown = preview(one.text, { ...limits, maxLines: 2000, strategy: "smart", query: one.question }).text;
      const kept = keptKeys(one.keys, shown);
      if (kept.includes(true)) any++;
      if (one.keys.every(({ core: needed }, at) => !needed || kept[at])) core++;
    }
    const percent = (count) => ((100 * count) / some.length).toFixed(1);
    print(`${title}, ${budget}: any ${percent(any)}, core ${percent(core)}\n`);
  }
}

function print(text) {
  process.stdout.write(text);
}
