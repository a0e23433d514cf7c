import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

// Runs the benchmarks one after the other, each in a process of its own: every `bench/speed/*.mjs`, and in the other
// folders their `run.mjs`. With words, only those whose path holds one of them: `npm run bench -- speed/core`.
const here = path.dirname(fileURLToPath(import.meta.url));
const words = process.argv.slice(2);

const files = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !["peers", "node_modules"].includes(entry.name))
  .flatMap(({ name }) => benchesIn(name))
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .sort();

let failed = 0;
for (const file of files) {
  process.stdout.write(`\n## bench/${file}\n`);
  const { status } = spawnSync(process.execPath, ["--expose-gc", path.join(here, file)], { stdio: "inherit" });
  if (status !== 0) failed++;
}
if (failed > 0) {
  process.stderr.write(`\n${failed} of ${files.length} benchmarks did not run.\n`);
  process.exitCode = 1;
}

function benchesIn(folder) {
  if (folder === "speed") {
    const names = readdirSync(path.join(here, folder)).filter((name) => name.endsWith(".mjs"));
    return names.map((name) => `${folder}/${name}`);
  }
  return existsSync(path.join(here, folder, "run.mjs")) ? [`${folder}/run.mjs`] : [];
}
