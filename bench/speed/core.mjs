import { rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { writeLogFile } from "../log-text.mjs";
import {
  CLI,
  importBuilt,
  median,
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

const GB = 1024 ** 3;
const BYTES = Number(process.env.BENCH_PIPE_BYTES ?? GB);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const folder = scratchFolder("core");
const input = path.join(folder, "input.log");
const output = path.join(folder, "output");
const root = path.join(folder, "root");
const BARE = fileURLToPath(new URL("./baseline/bare-pipe.mjs", import.meta.url));
const node = process.execPath;

const spillwayPipe = (strategy, env) =>
  timeShell(
    'cat "$1" | "$2" "$3" pipe --strategy "$4" --root "$5"',
    [input, node, CLI, strategy, root],
    env === undefined ? {} : { env },
  );

writeLogFile(input, BYTES);
await pipeSpeed();
await pipeMemory();
await lineOfArtifact();
await startUp();

async function pipeSpeed() {
  const size = `${(BYTES / GB).toFixed(BYTES < GB ? 2 : 0)} GB`;
  reportTitle(`${size} of log text through a pipe, medians of ${ROUNDS} interleaved rounds`);
  const result = await race(
    {
      cat: () => timeShell('cat "$1" | cat > "$2"', [input, output]),
      "bare node": () => timeShell('cat "$1" | "$2" "$3" "$4"', [input, node, BARE, output]),
      head_tail: () => spillwayPipe("head_tail"),
      smart: () => spillwayPipe("smart"),
    },
    { rounds: ROUNDS, before: removeOutputs },
  );
  removeOutputs();
  for (const name of ["cat", "bare node"]) report({ what: `\`${name}\``, result: ms(result.median(name)) });
  for (const strategy of ["head_tail", "smart"]) {
    const ours = result.median(strategy);
    const speed = result.ratio("bare node", strategy);
    report({
      what: `\`spillway pipe --strategy ${strategy}\`: speed against bare \`stdin.pipe(createWriteStream)\``,
      result: `${times(speed)} (${ms(ours)}, ${Math.round(BYTES / 1e3 / ours)} MB/s)`,
      ...(strategy === "smart" ? {} : { budget: ">= 1 ×", holds: speed >= 1 }),
    });
    const againstCat = result.ratio("cat", strategy);
    report({
      what: `the same against \`cat > file\``,
      result: times(againstCat),
      ...(strategy === "smart" ? {} : { budget: "goal 0.4 ×", holds: againstCat >= 0.4 }),
    });
  }
}

async function pipeMemory() {
  const trivial = await medianOf(3, () => peakMemory(folder, (env) => timeProgram([node, "-e", "0"], { env })));
  const bare = await peakMemory(folder, (env) =>
    timeShell('cat "$1" | "$2" "$3" "$4"', [input, node, BARE, output], { env }),
  );
  for (const strategy of ["head_tail", "smart"]) {
    const peak = await medianOf(3, async () => {
      removeOutputs();
      return peakMemory(folder, (env) => spillwayPipe(strategy, env));
    });
    report({
      what: `its memory over \`node -e 0\` (${strategy}; bare node takes ${(bare - trivial).toFixed(0)} MB)`,
      result: `${(peak - trivial).toFixed(0)} MB`,
      budget: "<= 64 MB",
      holds: peak - trivial <= 64,
    });
  }
}

async function lineOfArtifact() {
  const { createLocalStore } = await importBuilt("artifacts");
  const store = createLocalStore({ root, dir: ".agents/tool-output" });
  let artifact;
  for await (const each of store.list()) artifact = each;
  const lines = [0.01, 0.3, 0.5, 0.77, 0.999].map((share) => Math.ceil(artifact.lines * share));
  const samples = [];
  for (let round = 0; round < 4; round++) {
    for (const offsetLine of lines) {
      const started = performance.now();
      const answer = await store.readLines(artifact.id, { offsetLine, limit: 50 });
      samples.push(performance.now() - started);
      if (answer.startLine !== offsetLine || answer.text === "") throw new Error("not the line that was asked for");
    }
  }
  reportTitle("One artifact of it");
  report({
    what: `50 lines from line N of ${artifact.lines.toLocaleString("en-US")}, worst of ${samples.length} (median ${ms(median(samples))})`,
    result: ms(Math.max(...samples)),
    budget: "<= 20 ms",
    holds: Math.max(...samples) <= 20,
  });
  rmSync(root, { recursive: true, force: true });
}

async function startUp() {
  const result = await race(
    {
      "node -e 0": () => timeProgram([node, "-e", "0"]),
      "run -- true": () => timeProgram([node, CLI, "run", "--root", root, "--", "true"]),
      "--version": () => timeProgram([node, CLI, "--version"]),
    },
    { rounds: 21, warmUps: 2 },
  );
  reportTitle("Starting up");
  report({ what: "`node -e 0`", result: ms(result.median("node -e 0")) });
  report({ what: "`spillway --version` over it", result: ms(result.difference("--version", "node -e 0")) });
  const over = result.difference("run -- true", "node -e 0");
  report({ what: "`spillway run -- true` over it", result: ms(over), budget: "<= 60 ms", holds: over <= 60 });
}

function removeOutputs() {
  rmSync(output, { force: true });
  rmSync(root, { recursive: true, force: true });
}

async function medianOf(count, sample) {
  const samples = [];
  for (let index = 0; index < count; index++) samples.push(await sample());
  return median(samples);
}
