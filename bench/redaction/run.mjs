// How many planted secrets are found, how much else is taken for one, and what looking for them costs beside the smart
// preview: node --expose-gc bench/redaction/run.mjs [FOLDER…]. The folders hold ordinary logs, to which the labelled logs of
// SPILLWAY_CORPUS are added where there are any; without either only made ones are read. Exits with 1 past a limit.
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { logText } from "../log-text.mjs";
import { importBuilt, race } from "../measure.mjs";
import { casesOf, corpora } from "../quality/labelled-cases.mjs";
import { ordinaryLog } from "./ordinary-log.mjs";
import { plantedSecrets } from "./planted-secrets.mjs";

const LEAST_RECALL = 0.99;
const MOST_FINDS_IN_10_MB = 1;
const MOST_COST = 0.15;
const SEEDS = Array.from({ length: 10 }, (_, index) => 9001 + 17 * index);
const CHUNK_BYTES = 65_536;
const LOG_KINDS = ["build-log", "test-log", "syslog", "trace", "log"];
const root = path.join(path.dirname(fileURLToPath(import.meta.url)), "..", "..");

const { createSpillway } = await importBuilt("index");
const { createAccumulator } = await importBuilt("preview");
const redaction = await createSpillway({ config: false, env: {}, redact: true }).redaction();

const recall = measureRecall();
const finds = countFinds();
const cost = await measureCost();
process.exitCode = recall >= LEAST_RECALL && finds <= MOST_FINDS_IN_10_MB && cost <= MOST_COST ? 0 : 1;

/** Each secret stands somewhere in a log; what is still to be read of it afterwards was missed. */
function measureRecall() {
  let [planted, missed] = [0, 0];
  const kinds = new Map();
  for (const seed of SEEDS) {
    const secrets = [...plantedSecrets(seed)];
    const lines = logText(400_000, seed).split("\n");
    const step = Math.max(1, Math.floor(lines.length / secrets.length));
    const mixed = secrets.flatMap(({ text }, index) => [...lines.slice(index * step, (index + 1) * step), text]);
    const { text } = redact(Buffer.from(mixed.join("\n")));
    const left = secrets.filter(({ secret }) => text.includes(secret));
    for (const { kind } of left) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    planted += secrets.length;
    missed += left.length;
  }
  const share = 1 - missed / planted;
  const which = [...kinds].map(([kind, count]) => `${kind} ${count}`).join(", ");
  print(`recall: ${planted - missed} of ${planted} planted secrets found, ${(100 * share).toFixed(2)} %`);
  if (missed > 0) print(`  missed: ${which}`);
  return share;
}

/** Everything that is found in logs without secrets is wrong. */
function countFinds() {
  const logs = [logText(6_000_000, 5), ordinaryLog(6_000_000, 7)].map((text) => Buffer.from(text));
  const made = logs.length;
  logs.push(...realLogs());
  let [bytes, wrong] = [0, 0];
  for (const [index, log] of logs.entries()) {
    const { counts } = redact(log);
    bytes += log.length;
    for (const [kind, count] of counts) {
      wrong += count;
      print(`  found: ${kind} × ${count} in ${index < made ? "a made log" : `log ${index - made + 1}`}`);
    }
  }
  const inTen = wrong / Math.max(1, bytes / 1e7);
  print(`false finds: ${wrong} in ${(bytes / 1e6).toFixed(1)} MB of ${logs.length} logs, ${inTen.toFixed(2)} in 10 MB`);
  return inTen;
}

/**
 * Processor time, so that what else the machine does counts little. Log by log, as tools print them; all of them as one is
 * told too, where the preview has met most rows before and hurries.
 */
async function measureCost() {
  const real = realLogs();
  const logs = real.length > 0 ? real : Array.from({ length: 100 }, (_, seed) => Buffer.from(logText(200_000, seed)));
  const limits = { maxLines: 2000, maxBytes: 51_200, maxChars: Infinity, maxTokens: Infinity };
  const share = async (texts) => {
    const times = await race(
      {
        redaction: () => processorMs(() => texts.map((log) => readThrough(redaction.stream(), log).end())),
        smart: () =>
          processorMs(() =>
            texts.map((log) => readThrough(createAccumulator({ limits, strategy: "smart" }), log).finish()),
          ),
      },
      { rounds: 7, warmUps: 2, collect: false },
    );
    return times.median("redaction") / times.median("smart");
  };
  const whole = Buffer.concat(logs);
  const [each, one] = [await share(logs), await share([whole])];
  const what = `${logs.length} ${real.length > 0 ? "real" : "made"} logs of ${(whole.length / 1e6).toFixed(1)} MB`;
  print(
    `cost: ${(100 * each).toFixed(1)} % of the smart preview's processor time on ${what} (median of 7), ${(100 * one).toFixed(1)} % when they are one`,
  );
  return each;
}

function readThrough(reader, log) {
  for (const chunk of chunksOf(log)) reader.write(chunk);
  return reader;
}

function processorMs(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function realLogs() {
  const labelled = corpora(root).flatMap((folder) => [...casesOf(folder)]);
  const logs = labelled.filter(({ kind }) => LOG_KINDS.includes(kind)).map(({ read }) => Buffer.from(read().text));
  return [
    ...logs,
    ...process.argv
      .slice(2)
      .flatMap(filesBelow)
      .map((file) => readFileSync(file)),
  ];
}

function redact(bytes) {
  const stream = redaction.stream();
  const parts = [];
  for (const chunk of chunksOf(bytes)) parts.push(...stream.write(chunk).map((part) => Uint8Array.from(part)));
  parts.push(...stream.end());
  return { text: Buffer.concat(parts).toString(), counts: stream.counts };
}

function* chunksOf(bytes) {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile());
}

function print(text) {
  process.stdout.write(`${text}\n`);
}
