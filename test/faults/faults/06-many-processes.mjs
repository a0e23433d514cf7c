import { readFileSync } from "node:fs";
import { numbered, startSpillway } from "../support.mjs";

export const fault = "100 processes that write to one folder at once";

export async function run({ long, folder, project }) {
  const rounds = long ? 5 : 1;
  let lostBytes = 0;
  for (let round = 0; round < rounds; round++) {
    const all = Array.from({ length: 100 }, async (_, number) => {
      const output = Buffer.concat([Buffer.from(`process ${number}\n`), numbered(4000)]);
      const { child, ended } = startSpillway(project, ["pipe", "--json", "--root", folder], { cwd: folder });
      child.stdin.end(output);
      const { out, exitCode, err } = await ended;
      if (exitCode !== 0) throw new Error(`process ${number} ended with ${exitCode}: ${err}`);
      const saved = readFileSync(JSON.parse(out).artifact_path);
      return saved.equals(output) ? 0 : output.length;
    });
    lostBytes += (await Promise.all(all)).reduce((sum, lost) => sum + lost, 0);
  }
  const verified = await startSpillway(project, ["artifacts", "verify", "--root", folder], { cwd: folder }).ended;
  const leaks = verified.exitCode === 0 ? 0 : 1;
  return { tries: 100 * rounds, lostBytes, leaks, note: "each output whole in a file of its own" };
}
