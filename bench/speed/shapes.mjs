import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { logText } from "../log-text.mjs";
import { HOME, race, report, reportTitle, times } from "../measure.mjs";

/** Texts to read, separated by blanks; each is repeated until it has enough bytes. */
const FILES = (process.env.BENCH_TEXTS ?? "").split(" ").filter((name) => name !== "");
/** Another build to compare with: a folder with `dist/`. */
const BASE = process.env.BENCH_BASE;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const BYTES = Number(process.env.BENCH_TEXT_BYTES ?? 8_000_000);
const QUESTION = process.env.BENCH_QUESTION ?? "why does createConnection time out";
const LEAST = 80;
const CHUNK_BYTES = 65_536;
const limits = { maxLines: 2000, maxBytes: 8192, maxChars: Infinity, maxTokens: Infinity };

const builds = { now: await load(HOME), ...(BASE === undefined ? {} : { base: await load(BASE) }) };
const texts = FILES.length > 0 ? FILES.map((name) => [path.basename(name), readFileSync(name)]) : madeTexts();

for (const query of [undefined, QUESTION]) {
  reportTitle(
    `${query === undefined ? "Without" : "With"} a question, ${BYTES / 1e6} MB, processor time, ${ROUNDS} rounds`,
  );
  for (const [name, text] of texts) await compare(name, repeated(text), query);
}

/** The speed of each build on one text, and how the first compares with the other round by round. */
async function compare(name, bytes, query) {
  let shape = "";
  const contestants = Object.entries(builds).map(([build, createAccumulator]) => [
    build,
    () =>
      processorTime(() => {
        const preview = previewOf(createAccumulator, bytes, query);
        if (build === "now") shape = preview.shape;
      }),
  ]);
  const result = await race(Object.fromEntries(contestants), { rounds: ROUNDS, warmUps: 2, collect: false });
  const speedOf = (build) => bytes.length / 1e6 / (result.median(build) / 1000);
  const against = BASE === undefined ? "" : `, ${times(result.ratio("base", "now"))} of ${Math.round(speedOf("base"))}`;
  const speed = speedOf("now");
  report({
    what: `${name} (${shape})`,
    result: `${Math.round(speed)} MB/s${against}`,
    budget: `>= ${LEAST} MB/s`,
    holds: speed >= LEAST,
  });
}

function previewOf(createAccumulator, bytes, query) {
  const accumulator = createAccumulator({ limits, strategy: "smart", query });
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) accumulator.write(bytes.subarray(at, at + CHUNK_BYTES));
  return accumulator.finish();
}

async function load(home) {
  return (await import(pathToFileURL(path.resolve(home, "dist", "preview.mjs")).href)).createAccumulator;
}

/** Without files: a log, and source, a history, settings and prose by rule. */
function madeTexts() {
  const lines = (make) => Buffer.from(Array.from({ length: 4000 }, (_, index) => make(index)).join(""));
  return [
    ["log", Buffer.from(logText(1_000_000))],
    [
      "source",
      lines(
        (n) => `export function read${n}(from: string): number {\n  // Part ${n}.\n  return from.length + ${n};\n}\n\n`,
      ),
    ],
    [
      "history",
      lines(
        (n) =>
          `commit ${n.toString(16).padStart(40, "a")}\nAuthor: A <a@b.c>\nDate:   Mon Nov 16 17:00:00 2026 +0000\n\n    Change part ${n} of it\n\n`,
      ),
    ],
    ["settings", lines((n) => `service_${n}:\n  image: registry/part:${n}\n  ports:\n    - ${n}\n`)],
    [
      "prose",
      lines(
        (n) =>
          `${n % 40 === 0 ? `## Part ${n}\n\n` : ""}This sentence, the ${n}th of them, says what a document says\nand goes on for a second line.\n\n`,
      ),
    ],
  ];
}

function repeated(text) {
  const parts = [];
  for (let length = 0; length < BYTES; length += text.length) parts.push(text);
  return Buffer.concat(parts).subarray(0, BYTES);
}

/** Milliseconds of the processor that `run` took, all threads. */
function processorTime(run) {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
