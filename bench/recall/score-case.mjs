import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { keptKeys } from "../quality/kept-keys.mjs";
import { grep, namedRange, namesFile, wordsOf } from "./follow-up.mjs";

/** How one arm does on one output: what is seen at first, and after one call more that the notice allows. */
export async function scoreCase(arm, { keys, question, text }) {
  const folder = mkdtempSync(path.join(tmpdir(), "spillway-recall-"));
  const file = path.join(folder, "output.txt");
  const show = async (some) => {
    writeFileSync(file, some);
    return arm.show({ text: some, file, folder, question });
  };
  try {
    const shown = await show(text);
    if (shown === undefined) return { late: true, ...nothing() };
    const first = seen(keys, [shown]);
    const score = { late: false, first, bytes: Buffer.byteLength(shown), calls: 0, after: first, range: undefined };
    if (first.core) return { ...score, totalBytes: score.bytes };
    const part = namedRange(shown, text);
    if (part !== undefined) score.range = seen(keys, [shown, (await show(part)) ?? ""]).core;
    if (!namesFile(shown, file)) return { ...score, totalBytes: score.bytes };
    const found = (await show(grep(text, wordsOf(question)))) ?? "";
    const totalBytes = score.bytes + Buffer.byteLength(found);
    return { ...score, calls: 1, after: seen(keys, [shown, found]), totalBytes };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function nothing() {
  const none = { any: false, core: false };
  return { first: none, after: none, range: undefined, bytes: 0, totalBytes: 0, calls: 0 };
}

/** Whether any answer line, and whether every essential one, stands in the texts taken together. */
function seen(keys, texts) {
  const kept = texts.map((shown) => keptKeys(keys, shown));
  const each = keys.map((_, at) => kept.some((some) => some[at]));
  return { any: each.includes(true), core: keys.every(({ core }, at) => !core || each[at]) };
}
