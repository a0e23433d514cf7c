import { readFileSync } from "node:fs";
import { createSpillway } from "../../../dist/index.mjs";
import { createRandom, numbered } from "../support.mjs";

export const fault = "a clock that jumps back and forth by up to five days";

const DAY_MS = 24 * 60 * 60 * 1000;

export async function run({ long, folder }) {
  const random = createRandom(5);
  const output = numbered(4000);
  const trueNow = Date.now;
  const made = new Map();
  let lostBytes = 0;
  const tries = long ? 2000 : 200;
  const gate = createSpillway({ root: folder });
  try {
    for (let at = 0; at < tries; at++) {
      const jump = Math.round((random() * 2 - 1) * 2.5 * DAY_MS);
      Date.now = () => trueNow() + jump;
      const { storage } = await gate.govern(output, { tool: "Clock", callId: `call-${at}` });
      if ("lost" in storage) lostBytes += output.length;
      else made.set(storage.artifact.id, storage.artifact.path);
    }
  } finally {
    Date.now = trueNow;
  }
  if (made.size !== tries) lostBytes += (tries - made.size) * output.length;
  for (const [id, file] of made) {
    if (!readFileSync(file).equals(output) || !(await gate.store.verify(id)).ok) lostBytes += output.length;
  }
  return { tries, lostBytes, leaks: 0, note: "every id once, every artifact verified" };
}
