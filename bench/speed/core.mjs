import { mkdirSync, rmSync } from "node:fs";
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
/** The smart strategy reads every line; its own speed is measured in `speed/smart.mjs`. */
const SMART_BYTES = Math.min(BYTES, 64 * 1024 ** 2);
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

await pipeSpeed("smart", SMART_BYTES);
await pipeMemory("smart");
await pipeSpeed("head_tail", BYTES);
await pipeMemory("head_tail");
await lineOfArtifact();

async function pipeSpeed(strategy, bytes) {
  writeLogFile(input, bytes);
  const size = bytes < GB ? `${Math.round(bytes / 1024 ** 2)} MB` : `${bytes / GB} GB`;
  reportTitle(`${size} of log text through \`spillway pipe --strategy ${strategy}\`, ${ROUNDS} interleaved rounds`);
  const result = await race(
    {
      cat: () => timeShell('cat "$1" | cat > "$2"', [input, output]),
      bare: () => timeShell('cat "$1" | "$2" "$3" "$4"', [input, node, BARE, output]),
      ours: () => spillwayPipe(strategy),
    },
    { rounds: ROUNDS, before: removeOutputs },
  );
  const positional = strategy !== "smart";
  const speed = (name) => `${ms(result.median(name))}, ${Math.round(bytes / 1e3 / result.median(name))} MB/s`;
  report({ what: "`cat > file`", result: speed("cat") });
  report({ what: "bare `stdin.pipe(createWriteStream)`", result: speed("bare") });
  const againstBare = result.ratio("bare", "ours");
  report({
    what: "Spillway's speed against bare node",
    result: `${times(againstBare)} (${speed("ours")})`,
    ...(positional ? { budget: ">= 1 ×", holds: againstBare >= 1 } : {}),
  });
  const againstCat = result.ratio("cat", "ours");
  report({
    what: "Spillway's speed against `cat > file`",
    result: times(againstCat),
    ...(positional ? { budget: "goal 0.4 ×", holds: againstCat >= 0.4 } : {}),
  });
}

async function pipeMemory(strategy) {
  const trivial = await peakMemory(folder, (env) => timeProgram([node, "-e", "0"], { env }));
  removeOutputs();
  const bare = await peakMemory(folder, (env) =>
    timeShell('cat "$1" | "$2" "$3" "$4"', [input, node, BARE, output], { env }),
  );
  removeOutputs();
  const peak = await peakMemory(folder, (env) => spillwayPipe(strategy, env));
  report({
    what: `peak memory over \`node -e 0\` (bare node: ${(bare - trivial).toFixed(0)} MB)`,
    result: `${(peak - trivial).toFixed(0)} MB`,
    budget: "<= 64 MB",
    holds: peak - trivial <= 64,
  });
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
  removeOutputs();
}

function removeOutputs() {
  rmSync(output, { force: true });
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root);
}
