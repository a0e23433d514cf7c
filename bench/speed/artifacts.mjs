import { openSync, writeSync } from "node:fs";
import path from "node:path";
import { writeLogFile } from "../log-text.mjs";
import { importBuilt, median, ms, race, report, reportTitle, scratchFolder, timeProgram, times } from "../measure.mjs";

const MB = 1024 ** 2;
const BYTES = Number(process.env.BENCH_SEARCH_BYTES ?? 100 * MB);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const QUESTION = "why was the replica connection refused?";
const folder = scratchFolder("artifacts");
const { createLocalStore, grepFile, searchPassages } = await importBuilt("artifacts");
const { openFileSource, readLinesFrom, scanLineIndex } = await importBuilt("artifacts-store-author");
const { rgPath } = await import("@vscode/ripgrep");

const file = path.join(folder, "search.log");
writeLogFile(file, BYTES);
writeSync(openSync(file, "a"), "ERROR replica 3: connection refused by 10.0.0.7:5432\n");

await search();
await lines();
await smallArtifacts();

async function search() {
  const words = ["replica", "connect", "refus", "error", "fail", "exception", "panic", "fatal", "traceback"];
  const patterns = words.flatMap((word) => ["-e", word]);
  const result = await race(
    {
      rg: () => timeProgram([rgPath, "--no-config", "-a", "-o", "-b", "-n", "-i", "-F", ...patterns, file]),
      search: async () => {
        const [best] = await searchPassages(file, QUESTION);
        if (!best?.quote.includes("replica 3")) throw new Error("not the passage that answers");
      },
      grep: () => grepFile(file, "connection|request", { ignoreCase: true }),
      "rg count": () => timeProgram([rgPath, "--no-config", "-a", "-c", "-i", "connection|request", file]),
    },
    { rounds: ROUNDS },
  );
  reportTitle(`Searching ${Math.round(BYTES / MB)} MB of log text, medians of ${ROUNDS} interleaved rounds`);
  report({ what: "`rg -o` with the question's words", result: ms(result.median("rg")) });
  const took = result.median("search");
  report({
    what: `\`artifacts search "${QUESTION}"\` (${times(result.ratio("search", "rg"))} of that)`,
    result: ms(took),
    budget: "<= 3 s",
    holds: took <= 3000,
  });
  report({ what: "`rg -c 'connection|request'`", result: ms(result.median("rg count")) });
  report({
    what: `\`artifacts grep\` of the same, every match counted (${times(result.ratio("grep", "rg count"))} of that)`,
    result: ms(result.median("grep")),
  });
}

async function lines() {
  const source = await openFileSource(file);
  const started = performance.now();
  const index = await scanLineIndex(source);
  const scan = performance.now() - started;
  const samples = [];
  for (let share = 0.05; share < 1; share += 0.1) {
    const offsetLine = Math.ceil(index.lines * share);
    const asked = performance.now();
    await readLinesFrom(source, index, { offsetLine, limit: 50 });
    samples.push(performance.now() - asked);
  }
  await source.close();
  reportTitle("Reading lines of a file that has no index");
  report({ what: "finding its lines, once", result: `${ms(scan)} (${Math.round(BYTES / 1e3 / scan)} MB/s)` });
  report({ what: "50 lines from line N after that", result: ms(median(samples)) });
}

async function smallArtifacts() {
  const { mkdirSync, writeFileSync } = await import("node:fs");
  const store = createLocalStore({ root: folder, dir: "out" });
  const plain = path.join(folder, "plain");
  mkdirSync(plain);
  const chunk = Buffer.alloc(100_000, "a line of some length\n");
  let count = 0;
  const result = await race(
    {
      artifact: async () => {
        for (let each = 0; each < 100; each++) {
          const writer = await store.create({ tool: "bench" });
          await writer.write(chunk);
          await writer.finish({ complete: true });
        }
      },
      writeFileSync: () => {
        for (let each = 0; each < 100; each++) writeFileSync(path.join(plain, String(count++)), chunk, { flag: "wx" });
      },
    },
    { rounds: ROUNDS },
  );
  reportTitle("Artifacts of 100 KB");
  report({ what: "`writeFileSync`, each", result: ms(result.median("writeFileSync") / 100) });
  report({
    what: "an artifact with hash, manifest and mark of writing, each",
    result: ms(result.median("artifact") / 100),
  });
}
