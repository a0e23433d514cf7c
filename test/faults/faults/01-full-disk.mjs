import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createSpillway } from "../../../dist/index.mjs";
import { filesBelow, isBeginning, numbered } from "../support.mjs";

export const fault = "a disk that is full, at every step of a write";

const PAGE = Buffer.alloc(4096);

/** What is kept must be how the output begins, and what is not kept must be said. */
export async function run({ long, folder }) {
  const disk = join(folder, "disk");
  mkdirSync(disk);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1024k", "tmpfs", disk], { stdio: "pipe" });
  } catch {
    return { skipped: "no tmpfs can be mounted here, that needs root" };
  }
  process.env.XDG_STATE_HOME = join(disk, "state");
  const output = numbered(6000);
  const pages = Math.ceil(output.length / PAGE.length) + 12;
  let [tries, lostBytes, leaks] = [0, 0, 0];
  try {
    for (let free = 0; free <= pages; free += long ? 1 : 3) {
      const root = join(disk, `root-${free}`);
      mkdirSync(root);
      fill(disk, free);
      const result = await createSpillway({ root }).govern(output, { tool: "Full" });
      tries++;
      if ("lost" in result.storage) {
        if (result.storage.lost === "") lostBytes += output.length;
      } else {
        const saved = readFileSync(result.storage.artifact.path);
        if (!isBeginning(saved, output)) lostBytes += saved.length;
        if (saved.length < output.length && !/could not|only|first/.test(result.notice))
          lostBytes += output.length - saved.length;
        // A second disk full of files that nobody knows of would be a leak.
        const known = [result.storage.artifact.id, ".gitignore", "stats.jsonl", "filler"];
        for (const file of filesBelow(root).keys()) if (!known.some((part) => file.includes(part))) leaks++;
      }
      rmSync(join(disk, "filler"), { force: true });
      rmSync(root, { recursive: true, force: true });
      rmSync(join(disk, "state"), { recursive: true, force: true });
      const after = join(disk, "after");
      mkdirSync(after);
      const healed = await createSpillway({ root: after }).govern(output, { tool: "Full" });
      if ("lost" in healed.storage || !readFileSync(healed.storage.artifact.path).equals(output))
        lostBytes += output.length;
      rmSync(after, { recursive: true, force: true });
    }
  } finally {
    execFileSync("umount", ["--lazy", disk]);
  }
  return { tries, lostBytes, leaks, note: "what does not fit is said; the rest stays readable" };
}

/** Leaves this many pages free. */
function fill(disk, freePages) {
  const spare = openSync(join(disk, "spare"), "w");
  try {
    for (let page = 0; page < freePages; page++) writeSync(spare, PAGE);
  } catch {}
  closeSync(spare);
  const filler = openSync(join(disk, "filler"), "w");
  try {
    for (;;) writeSync(filler, PAGE);
  } catch {}
  closeSync(filler);
  rmSync(join(disk, "spare"));
}
