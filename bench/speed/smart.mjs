import { closeSync, openSync, readFileSync, readSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { logText, writeLogFile } from "../log-text.mjs";
import { importBuilt, ms, race, report, reportTitle, scratchFolder, times } from "../measure.mjs";

const { createAccumulator } = await importBuilt("preview");
const MB = 1024 * 1024;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const limits = { maxLines: 2000, maxBytes: 51_200, maxChars: Infinity, maxTokens: Infinity };
const folder = scratchFolder("smart");
const file = path.join(folder, "mix.log");

await streaming();
await small();
await memory();
await growth();

/** A file of real logs when BENCH_LOG names one, else log text of our own. */
async function streaming() {
  if (process.env.BENCH_LOG === undefined) writeLogFile(file, 100 * MB);
  else repeatInto(file, readFileSync(process.env.BENCH_LOG), 100 * MB);
  reportTitle(`100 MB of log, read and previewed in one pass, medians of ${ROUNDS} interleaved rounds`);
  const result = await race(
    {
      read: () => readAll(file, () => {}),
      smart: () => previewFile(file, "smart"),
      head_tail: () => previewFile(file, "head_tail"),
    },
    { rounds: ROUNDS },
  );
  report({ what: "bare read", result: ms(result.median("read")) });
  report({ what: "head_tail", result: ms(result.median("head_tail")) });
  const speed = 100 / (result.median("smart") / 1000);
  report({
    what: "smart",
    result: `${ms(result.median("smart"))}, ${Math.round(speed)} MB/s`,
    budget: ">= 100 MB/s",
    holds: speed >= 100,
  });
}

async function small() {
  const bytes = Buffer.from(logText(100_000));
  const run = () => previewBytes([bytes], "smart");
  for (let warm = 0; warm < 30; warm++) run();
  const result = await race({ smart: run }, { rounds: 15 });
  reportTitle("A 100 KB output, warm");
  const time = result.median("smart");
  report({ what: "smart", result: ms(time), budget: "<= 3 ms", holds: time <= 3 });
}

async function memory() {
  const block = Buffer.from(logText(8 * MB));
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let peak = before;
  const accumulator = createAccumulator({ limits, strategy: "smart" });
  for (let written = 0; written < 1024 * MB; written += block.length) {
    accumulator.write(block);
    peak = Math.max(peak, process.memoryUsage.rss());
  }
  accumulator.finish();
  const extra = (peak - before) / MB;
  reportTitle("1 GB of log");
  report({ what: "extra memory", result: `${Math.round(extra)} MB`, budget: "<= 64 MB", holds: extra <= 64 });
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
      { n: () => previewBytes(chunks(size), "smart"), "4n": () => previewBytes(chunks(4 * size), "smart") },
      { rounds: 3 },
    );
    const ratio = result.ratio("4n", "n");
    report({ what, result: `${times(ratio)} (${ms(result.median("4n"))})`, budget: "<= 5 ×", holds: ratio <= 5 });
  }
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
