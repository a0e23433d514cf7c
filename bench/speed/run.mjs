import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import {
  CLI,
  ms,
  peakMemory,
  race,
  report,
  reportTitle,
  scratchFolder,
  timeProgram,
  timeShell,
  times,
} from "../measure.mjs";

// A command that prints much, below `spillway run`: against the same command with its output in a file.
const MEGABYTES = String(process.env.BENCH_RUN_MB ?? 300);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const folder = scratchFolder("run");
const root = path.join(folder, "root");
const PRINT = fileURLToPath(new URL("./baseline/print-blocks.mjs", import.meta.url));
const node = process.execPath;
const GOALS = { smart: 1300, head_tail: 900 };

const run = (strategy, options = {}) =>
  timeShell(
    '"$1" "$2" run --strategy "$3" --root "$4" -- "$1" "$5" "$6" > "$7"',
    [node, CLI, strategy, root, PRINT, MEGABYTES, path.join(folder, "shown")],
    options,
  );

const result = await race(
  {
    file: () => timeShell('"$1" "$2" "$3" > "$4"', [node, PRINT, MEGABYTES, path.join(folder, "output")]),
    smart: () => run("smart"),
    head_tail: () => run("head_tail"),
  },
  { rounds: ROUNDS, before: removeOutputs },
);
reportTitle(`${MEGABYTES} MB of a command through \`spillway run\`, ${ROUNDS} interleaved rounds`);
report({ what: "the command alone, into a file", result: ms(result.median("file")) });
for (const strategy of ["smart", "head_tail"]) {
  const took = result.median(strategy);
  report({
    what: `\`run --strategy ${strategy}\`, and its speed against that`,
    result: `${ms(took)}, ${times(result.ratio("file", strategy))}`,
    ...(MEGABYTES === "300" ? { budget: `<= ${ms(GOALS[strategy])}`, holds: took <= GOALS[strategy] } : {}),
  });
}
const trivial = await peakMemory(folder, (env) => timeProgram([node, "-e", "0"], { env }));
removeOutputs();
const peak = await peakMemory(folder, (env) => run("smart", { env }));
report({
  what: `peak memory with smart (\`node -e 0\`: ${trivial.toFixed(0)} MB)`,
  result: `${peak.toFixed(0)} MB`,
  budget: "<= 110 MB",
  holds: peak <= 110,
});
removeOutputs();

function removeOutputs() {
  for (const name of ["output", "shown", "root"]) rmSync(path.join(folder, name), { recursive: true, force: true });
  mkdirSync(root);
}
