import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { logText } from "../log-text.mjs";
import {
  importBuilt,
  ms,
  peakMemory,
  race,
  report,
  reportTitle,
  scratchFolder,
  timeProgram,
  times,
} from "../measure.mjs";
import { loadPeers } from "../peers/load-peers.mjs";

const MB = 1024 * 1024;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7);
const folder = scratchFolder("strings");
const { createSpillway, Truncate } = await importBuilt("index");
const { preview } = await importBuilt("preview");

await largeString();
await largeStringMemory();
await smallString();

/** What an agent does without a library: split, count, keep the first lines, write all of it. */
function splitCountJoinWrite(text, file) {
  const lines = text.split("\n");
  const bytes = Buffer.byteLength(text);
  if (lines.length <= 2000 && bytes <= 51_200) return text;
  const kept = [];
  let size = 0;
  for (const line of lines.slice(0, 2000)) {
    size += Buffer.byteLength(line) + 1;
    if (size > 51_200) break;
    kept.push(line);
  }
  writeFileSync(file, lines.join("\n"));
  return `${kept.join("\n")}\n... ${lines.length - kept.length} lines truncated`;
}

async function largeString() {
  const text = logText(100 * MB);
  const { gemini, pi } = await loadPeers();
  const gate = createSpillway({ root: folder, config: false, strategy: "head_tail" });
  const file = path.join(folder, "written");
  const contestants = {
    "split-count-join-write": () => void splitCountJoinWrite(text, file),
    spillway: () => gate.govern(text, { tool: "bench" }).then(() => undefined),
    "preview() head_tail": () => void preview(text, { strategy: "head_tail" }),
    ...(gemini && {
      "gemini-cli-core save + format": async () => {
        const { outputFile } = await gemini.saveTruncatedToolOutput(text, "bench", 1, folder);
        gemini.formatTruncatedToolOutput(text, outputFile, 40_000);
      },
    }),
    ...(pi && {
      "pi truncateHead, not saved": () => void pi.truncateHead(text),
      "pi truncateTail, not saved": () => void pi.truncateTail(text),
    }),
  };
  const result = await race(contestants, { rounds: ROUNDS, before: removeArtifacts });
  reportTitle(`A string of 100 MB, medians of ${ROUNDS} interleaved rounds`);
  report({ what: "split-count-join-write", result: ms(result.median("split-count-join-write")) });
  const ratio = result.ratio("spillway", "split-count-join-write");
  report({
    what: "gate (head_tail; saved with hash, index and counts): time against it",
    result: `${times(ratio)} (${ms(result.median("spillway"))})`,
    budget: "<= 0.5 ×",
    holds: ratio <= 0.5,
  });
  const only = "preview() head_tail";
  report({
    what: "`preview()` head_tail, nothing saved: time against it",
    result: `${times(result.ratio(only, "split-count-join-write"))} (${ms(result.median(only))})`,
  });
  for (const peer of Object.keys(contestants).slice(3)) {
    report({
      what: `${peer}: gate's time against it`,
      result: `${times(result.ratio("spillway", peer))} (${ms(result.median(peer))})`,
    });
  }
}

async function largeStringMemory() {
  const peak = (who) =>
    peakMemory(folder, (env) =>
      timeProgram(
        [process.execPath, fileURLToPath(new URL("./baseline/hold-string.mjs", import.meta.url)), who, folder],
        { env },
      ),
    );
  const nothing = await peak("nothing");
  for (const [who, budget] of [
    ["spillway", 32],
    ["split", undefined],
    ["gemini", undefined],
    ["pi", undefined],
  ]) {
    const extra = await peak(who).then(
      (mb) => mb - nothing,
      () => undefined,
    );
    if (extra === undefined) continue;
    report({
      what: `memory over holding the string: ${who}`,
      result: `${extra.toFixed(0)} MB`,
      ...(budget === undefined ? {} : { budget: `<= ${budget} MB`, holds: extra <= budget }),
    });
    removeArtifacts();
  }
}

async function smallString() {
  const text = logText(10 * 1024).slice(0, 10 * 1024);
  const gate = createSpillway({ root: folder, config: false });
  const repeat = 2000;
  const timesOver = (work) => async () => {
    const started = performance.now();
    for (let index = 0; index < repeat; index++) await work();
    return (performance.now() - started) / repeat;
  };
  let checked = 0;
  const result = await race(
    {
      "split + byteLength": timesOver(async () => {
        if (text.split("\n").length <= 2000 && Buffer.byteLength(text) <= 51_200) checked++;
      }),
      spillway: timesOver(async () => {
        if ((await gate.govern(text, { tool: "bench" })).kind === "whole") checked++;
      }),
      Truncate: timesOver(async () => {
        if (!(await Truncate.output(text)).truncated) checked++;
      }),
    },
    { rounds: 11, warmUps: 3 },
  );
  if (checked !== 3 * 14 * repeat) throw new Error("an output within limits was cut");
  const ratio = result.ratio("spillway", "split + byteLength");
  reportTitle("10 KB, within limits: no file, nothing copied");
  report({ what: "split + byteLength", result: ms(result.median("split + byteLength")) });
  report({
    what: "gate: time against it",
    result: `${times(ratio)} (${ms(result.median("spillway"))})`,
    budget: "<= 1 ×",
    holds: ratio <= 1,
  });
  const ratioOfTruncate = result.ratio("Truncate", "spillway");
  report({
    what: "`Truncate.output`: time against the gate",
    result: `${times(ratioOfTruncate)} (${ms(result.median("Truncate"))})`,
    budget: "<= 1.25 ×",
    holds: ratioOfTruncate <= 1.25,
  });
}

function removeArtifacts() {
  for (const name of [".agents", "written", "tool-outputs"])
    rmSync(path.join(folder, name), { recursive: true, force: true });
}
