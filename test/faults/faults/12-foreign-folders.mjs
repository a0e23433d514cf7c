import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSpillway } from "../../../dist/index.mjs";
import { filesBelow, numbered } from "../support.mjs";

export const fault = "folders that belong to other users, or that they can write to";

const NOBODY = 65_534;
const KINDS = {
  "everybody may write": (path) => chmodSync(path, 0o777),
  "the group may write": (path) => chmodSync(path, 0o775),
  ...(process.getuid?.() === 0 ? { "it is another user's": (path) => chownSync(path, NOBODY, NOBODY) } : {}),
};

export async function run({ folder }) {
  const output = numbered(4000);
  let [tries, lostBytes, leaks] = [0, 0, 0];
  for (const [kind, plant] of Object.entries(KINDS)) {
    for (const below of [".agents", join(".agents", "tool-output")]) {
      const root = join(folder, `${tries++}`);
      mkdirSync(join(root, below), { recursive: true, mode: 0o700 });
      plant(join(root, below));
      const { storage } = await createSpillway({ root, env: {} }).govern(output, { tool: "Foreign" });
      if ("lost" in storage || !readFileSync(storage.artifact.path).equals(output)) lostBytes += output.length;
      else if (kind !== "the group may write" && storage.artifact.path.startsWith(root)) leaks++;
    }
    // A planted configuration must not decide.
    if (kind !== "it is another user's") continue;
    const root = join(folder, `${tries++}`);
    mkdirSync(root);
    writeFileSync(join(root, "spillway.yaml"), "dir: planted\nlimits:\n  max_lines: 1\n");
    chownSync(root, NOBODY, NOBODY);
    chownSync(join(root, "spillway.yaml"), NOBODY, NOBODY);
    const { kind: how } = await createSpillway({ root, env: {} }).govern("a\nb\nc\n");
    if (how !== "whole" || [...filesBelow(root).keys()].length !== 1) leaks++;
  }
  return { tries, lostBytes, leaks, note: "outputs went to the user's own folder, planted settings were ignored" };
}
