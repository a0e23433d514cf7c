import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync, readSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { logText, writeLogFile } from "../log-text.mjs";
import { importBuilt, ms, peakMemory, race, report, reportTitle, scratchFolder, times } from "../measure.mjs";

const { createAccumulator } = await importBuilt("preview");
const MB = 1024 * 1024;
const SMALL_BYTES = 100_000;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const limits = { maxLines: 2000, maxBytes: 51_200, maxChars: Infinity, maxTokens: Infinity };
const folder = scratchFolder("smart");
const file = path.join(folder, "mix.log");

// First, so that nothing is warm yet.
await small();
await streaming();
await memory();
await growth();

/** A file of real logs when BENCH_LOG names one, else log text of our own. */
async function streaming() {
  if (process.env.BENCH_LOG === undefined) writeLogFile(file, 100 * MB);
  else repeatInto(file, readFileSync(process.env.BENCH_LOG), 100 * MB);
  reportTitle(`100 MB of log, processor time, medians of ${ROUNDS} interleaved rounds`);
  const result = await race(
    {
      read: () => processorTime(() => readAll(file, () => {})),
      naive: () => processorTime(() => naiveFile(file)),
      smart: () => processorTime(() => previewFile(file, "smart")),
      head_tail: () => processorTime(() => previewFile(file, "head_tail")),
    },
    { rounds: ROUNDS, warmUps: 2, collect: false },
  );
  report({ what: "bare read", result: ms(result.median("read")) });
  report({ what: "split into lines, test an error pattern", result: ms(result.median("naive")) });
  report({ what: "head_tail", result: ms(result.median("head_tail")) });
  const speed = 100 / (result.median("smart") / 1000);
  report({
    what: "smart",
    result: `${ms(result.median("smart"))}, ${Math.round(speed)} MB/s`,
    budget: ">= 100 MB/s",
    holds: speed >= 100,
  });
  report({ what: "smart against the bare read", result: times(result.ratio("smart", "read")) });
  report({ what: "smart against split and pattern", result: times(result.ratio("smart", "naive")) });
}

/**
 * One output of 100 KB, as a process sees it that has previewed many. A sample is the mean of 20 previews, all threads
 * counted.
 */
async function small() {
  const outputs = { "log text": [Buffer.from(logText(SMALL_BYTES))] };
  if (process.env.BENCH_LOG !== undefined) outputs["parts of the given log"] = partsOf(process.env.BENCH_LOG);
  const first = processorTime(() => previewBytes(outputs["log text"], "smart"));
  reportTitle("A 100 KB output, processor time");
  report({ what: "smart, the first of a process", result: ms(first) });
  for (const [what, parts] of Object.entries(outputs)) {
    let turn = 0;
    const run = (times) => {
      for (let count = 0; count < times; count++) previewBytes([parts[turn++ % parts.length]], "smart");
    };
    run(600);
    const sample = () => processorTime(() => run(20)) / 20;
    const result = await race({ smart: sample }, { rounds: 25, collect: false });
    const time = result.median("smart");
    report({ what: `smart, warm, ${what}`, result: ms(time), budget: "<= 3 ms", holds: time <= 3 });
  }
}

/** 20 parts of a file, evenly spread, so that each sample has all of them. */
function partsOf(name) {
  const bytes = readFileSync(name);
  const step = Math.floor((bytes.length - SMALL_BYTES) / 19);
  return Array.from({ length: 20 }, (_, index) => bytes.subarray(index * step, index * step + SMALL_BYTES));
}

/** Two fresh processes read the same gigabyte from a pipe; one of them previews it. */
async function memory() {
  const bare = await peakMemory(folder, (env) => feed("none", env));
  const smart = await peakMemory(folder, (env) => feed("smart", env));
  const extra = smart - bare;
  reportTitle("1 GB of log through a pipe, peak memory of a fresh process");
  report({ what: "reads only", result: `${Math.round(bare)} MB` });
  report({ what: "smart, beyond that", result: `${Math.round(extra)} MB`, budget: "<= 64 MB", holds: extra <= 64 });
}

function feed(strategy, env) {
  const reader = fileURLToPath(new URL("preview-input.mjs", import.meta.url));
  const block = Buffer.from(logText(8 * MB));
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [reader, strategy], { stdio: ["pipe", "ignore", "inherit"], env });
    child.once("error", reject);
    child.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`the reader ended with ${code}`))));
    let left = 128;
    const write = () => {
      while (left-- > 0) if (!child.stdin.write(block)) return child.stdin.once("drain", write);
      child.stdin.end();
    };
    write();
  });
}

/** No input may cost more than in proportion: four times the bytes, at most about four times the time. */
async function growth() {
  const inputs = {
    "one long line": (size) => "error: x ".repeat(size / 9),
    "lines of one character": (size) => "e\n".repeat(size / 2),
    "one repeated character": (size) => "=".repeat(size),
    "deeply nested JSON": (size) => '{"error":['.repeat(size / 10),
    "regex bait": (size) => `${"a.b/c:1:".repeat(40)}error ${" ".repeat(60)}\n`.repeat(size / 387),
    "errors only": (size) => "src/x.c:1:2: error: y\n".repeat(size / 22),
  };
  const size = Number(process.env.BENCH_GROWTH_BYTES ?? 25 * MB);
  reportTitle(`Time for 4n against n, n = ${Math.round(size / MB)} MB`);
  for (const [what, make] of Object.entries(inputs)) {
    const block = Buffer.from(make(MB));
    const chunks = (bytes) => Array.from({ length: Math.round(bytes / block.length) }, () => block);
    const result = await race(
      {
        n: () => processorTime(() => previewBytes(chunks(size), "smart")),
        "4n": () => processorTime(() => previewBytes(chunks(4 * size), "smart")),
      },
      { rounds: 3 },
    );
    const ratio = result.ratio("4n", "n");
    report({ what, result: `${times(ratio)} (${ms(result.median("4n"))})`, budget: "<= 5 ×", holds: ratio <= 5 });
  }
}

/** Milliseconds of the processor that `run` took; unlike wall time they hardly depend on what else runs. */
function processorTime(run) {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** What a few lines of one's own would do: no context, no limits, no counts. */
function naiveFile(name) {
  const decoder = new TextDecoder();
  const kept = [];
  let rest = "";
  readAll(name, (chunk) => {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (/error|fail|exception|fatal|panic/i.test(line) && kept.length < 500) kept.push(line);
  });
  return kept;
}

function previewBytes(chunks, strategy) {
  const accumulator = createAccumulator({ limits, strategy });
  for (const chunk of chunks) accumulator.write(chunk);
  accumulator.finish();
}

function previewFile(name, strategy) {
  const accumulator = createAccumulator({ limits, strategy });
  readAll(name, (chunk) => accumulator.write(chunk));
  accumulator.finish();
}

function readAll(name, take) {
  const buffer = Buffer.allocUnsafe(64 * 1024);
  const fd = openSync(name, "r");
  for (let left = statSync(name).size; left > 0; ) {
    const got = readSync(fd, buffer);
    take(buffer.subarray(0, got));
    left -= got;
  }
  closeSync(fd);
}

function repeatInto(name, block, bytes) {
  const parts = [];
  for (let length = 0; length < bytes; length += block.length) parts.push(block);
  writeFileSync(name, Buffer.concat(parts).subarray(0, bytes));
}
