import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

/** Where labelled outputs may stand; none of them is part of this project. */
export function corpora(root) {
  const listed = process.env.SPILLWAY_CORPUS?.split(path.delimiter);
  const folders = listed ?? ["corpus", "corpus2"].map((name) => path.join(root, "..", "shared", name));
  return folders.map((folder) => path.resolve(folder)).filter((folder) => existsSync(path.join(folder, "index.json")));
}

/** The cases of one folder: what a tool printed, its key lines, and the question that was asked of it. */
export function casesOf(folder) {
  const { cases } = JSON.parse(readFileSync(path.join(folder, "index.json"), "utf8"));
  return cases.map(({ id, kind, group }) => ({
    id,
    kind,
    group,
    set: path.basename(folder),
    read: () => {
      const { key: keys, question } = JSON.parse(readFileSync(path.join(folder, "cases", id, "meta.json"), "utf8"));
      return { keys, question, text: readFileSync(path.join(folder, "cases", id, "output.txt"), "utf8") };
    },
  }));
}
