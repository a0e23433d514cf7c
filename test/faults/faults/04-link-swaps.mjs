import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { createSpillway } from "../../../dist/index.mjs";
import { builtInTools, createToolRegistry } from "../../../dist/tools.mjs";

export const fault = "links swapped in and out below the root while tools read, walk and write";

const SWAP = `
  const { renameSync, unlinkSync, symlinkSync } = require("node:fs");
  const { workerData: { real, aside, outside } } = require("node:worker_threads");
  const attempt = (action) => { try { action(); } catch {} };
  for (;;) {
    attempt(() => renameSync(real, aside));
    attempt(() => symlinkSync(outside, real));
    attempt(() => unlinkSync(real));
    attempt(() => renameSync(aside, real));
  }`;

const CALLS = [
  ["Grep", { pattern: "OUTSIDE|inside" }],
  ["Glob", { pattern: "**/*" }],
  ["RepoStructure", {}],
  ["RepoMap", {}],
  ["Read", { path: "swap/0.ts" }],
  ["LS", { path: "swap" }],
  ["Edit", { path: "swap/0.ts", old_string: "OUTSIDE", new_string: "changed" }],
];

export async function run({ long, folder }) {
  if (process.platform !== "linux") return { skipped: "descriptors have no names here" };
  const [root, outside] = [join(folder, "root"), join(folder, "outside")];
  for (const place of [join(root, "swap"), outside]) mkdirSync(place, { recursive: true });
  for (let at = 0; at < 40; at++) {
    writeFileSync(join(root, "swap", `${at}.ts`), `export function inside${at}() {}\n`);
    writeFileSync(join(outside, `${at}.ts`), `export function OUTSIDE${at}() {}\n`);
    writeFileSync(join(outside, `OUTSIDE-${at}.ts`), "export const OUTSIDE = 1;\n");
  }
  const registry = createToolRegistry({ spillway: createSpillway({ root }), tools: builtInTools });
  const swapper = new Worker(SWAP, {
    eval: true,
    workerData: { real: join(root, "swap"), aside: join(root, "aside"), outside },
  });
  let [tries, leaks] = [0, 0];
  try {
    for (let round = 0; round < (long ? 400 : 40); round++) {
      for (const [tool, params] of CALLS) {
        const { response } = await registry.call(tool, params);
        tries++;
        if (JSON.stringify(response.data).replaceAll("OUTSIDE|inside", "").includes("OUTSIDE")) leaks++;
      }
    }
  } finally {
    await swapper.terminate();
  }
  if (readFileSync(join(outside, "0.ts"), "utf8") !== "export function OUTSIDE0() {}\n") leaks++;
  return { tries, lostBytes: 0, leaks, note: "nothing from outside is shown, nothing outside is changed" };
}
