import { existsSync, readFileSync } from "node:fs";
import { createSpillway } from "../../../dist/index.mjs";
import { createRandom, numbered } from "../support.mjs";

export const fault = "outputs above the quota, one after the other";

export async function run({ long, folder }) {
  const random = createRandom(10);
  const tries = long ? 500 : 60;
  let lostBytes = 0;
  for (let at = 0; at < tries; at++) {
    const output = numbered(3000 + Math.floor(random() * 4000));
    // A project's file may not set less than the floor, but the user's own may set anything.
    const gate = createSpillway({ root: folder, env: {}, quotaBytes: 1 + Math.floor(random() * 100_000) });
    const { storage } = await gate.govern(output, { tool: "Quota" });
    await gate.flush();
    if ("lost" in storage) continue;
    // What was announced as saved is there, whatever the quota says.
    const { path } = storage.artifact;
    if (!existsSync(path) || !readFileSync(path).equals(output)) lostBytes += output.length;
  }
  return { tries, lostBytes, leaks: 0, note: "each output announced as saved was there after the clean-up" };
}
