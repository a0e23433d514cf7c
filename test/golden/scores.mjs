import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { keptKeys } from "../../bench/quality/kept-keys.mjs";
import { casesOf, corpora } from "../../bench/quality/labelled-cases.mjs";

const ROOM = { strategy: "smart", maxBytes: 8000, maxLines: 5000 };
/** Smaller outputs would not be cut by a host. */
const LEAST_BYTES = 9000;

/** Any / all core key lines kept in 8,000 bytes, by set, kind and what was asked; empty where no set is at hand. */
export async function scores(root, preview) {
  const table = {};
  const count = (row, kept, keys) => {
    table[row] ??= { cases: 0, any: 0, core: 0 };
    const cell = table[row];
    cell.cases++;
    if (kept.includes(true)) cell.any++;
    if (kept.every((shown, index) => shown || !keys[index].core)) cell.core++;
  };
  for (const folder of corpora(root)) {
    for (const { kind, read } of casesOf(folder)) {
      const { keys, question, text } = read();
      for (const query of ["", question]) {
        const shown = preview(text, { ...ROOM, query }).text;
        count(`both, ${kind}${query === "" ? "" : ", asked"}`, keptKeys(keys, shown), keys);
      }
    }
  }
  const sessions = path.join(root, "..", "shared", "corpus3");
  if (!existsSync(sessions)) return table;
  const kept = await import(pathToFileURL(path.join(sessions, "kept.mjs")).href);
  for (const id of readdirSync(path.join(sessions, "cases")).sort()) {
    const folder = path.join(sessions, "cases", id);
    const { bytes, key, kind, task, question2, question, command } = JSON.parse(
      readFileSync(path.join(folder, "meta.json"), "utf8"),
    );
    if (bytes <= LEAST_BYTES) continue;
    const text = readFileSync(path.join(folder, "output.txt"), "utf8");
    const asked = {
      "": undefined,
      ", prompt": task,
      ", known": { task: `${question}\n${task ?? ""}`, assistantText: question2, command },
    };
    for (const [name, query] of Object.entries(asked)) {
      const shown = preview(text, { ...ROOM, ...(query === undefined ? {} : { query }) }).text;
      count(`sessions, ${kind}${name}`, kept.keptKeys(key, shown), key);
    }
  }
  return table;
}
