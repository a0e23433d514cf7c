import { readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { casesOf, corpora } from "../quality/labelled-cases.mjs";

/** The project's own labelled outputs, in the form of the others. */
function ownCases(root) {
  const folder = path.join(root, "test", "fixtures", "outputs");
  return JSON.parse(readFileSync(path.join(folder, "labels.json"), "utf8")).map(({ file, shape, needles, query }) => ({
    id: file,
    kind: shape,
    read: () => ({
      keys: needles.map((text) => ({ line: 1, text: text.replace(/\s+/g, " ").trim(), core: true })),
      question: query,
      text: gunzipSync(readFileSync(path.join(folder, file))).toString("utf8"),
    }),
  }));
}

/** The sets to score: labelled outputs that lie beside the project, else (or with `own`) those of the project itself. */
export function setsOf(root, own) {
  const folders = own ? [] : corpora(root);
  if (folders.length === 0) return [{ name: "own outputs", cases: ownCases(root) }];
  return [{ name: folders.map((folder) => path.basename(folder)).join(" and "), cases: folders.flatMap(casesOf) }];
}
