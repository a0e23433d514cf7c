// The proxy against a direct connection, side by side in one run. Needs a build: npm run build && node bench/mcp/run.mjs
// Options: --calls N (50 MB results in a row for the memory row, default 100), --rounds N (of the 50 MB rows, default 5),
// --sdk (the official client too), --bin FILE
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const { values } = parseArgs({
  options: {
    calls: { type: "string", default: "100" },
    rounds: { type: "string", default: "5" },
    bin: { type: "string" },
    sdk: { type: "boolean", default: false },
  },
});
const home = process.env.SPILLWAY_HOME ?? fileURLToPath(new URL("../..", import.meta.url));
const bin = values.bin ?? join(home, "bin", "spillway.mjs");
const server = fileURLToPath(new URL("./sized-server.mjs", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "spillway-bench-"));
const LARGE = 50_000_000;
const ROUNDS = 2000;

const direct = [server];
const proxied = [bin, "proxy", "--root", root, "--", process.execPath, server];

/** A peer without an SDK, so that the difference is the proxy's alone: reads lines, parses them once. */
function open(args) {
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "ignore"] });
  let waiting;
  let parts = [];
  child.stdout.on("data", (chunk) => {
    parts.push(chunk);
    if (chunk.at(-1) !== 10) return;
    const message = JSON.parse(Buffer.concat(parts).toString("utf8"));
    parts = [];
    waiting?.(message);
  });
  const request = (id, method, params) =>
    new Promise((resolve) => {
      waiting = resolve;
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    });
  const call = (id, bytes, kind = "log") => request(id, "tools/call", { name: "text", arguments: { bytes, kind } });
  return { child, request, call };
}

async function openInitialized(args) {
  const peer = open(args);
  await peer.request(0, "initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  });
  return peer;
}

const median = (list) =>
  percentile(
    list.toSorted((a, b) => a - b),
    0.5,
  );
const percentile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

async function latencies() {
  const peers = { direct: await openInitialized(direct), proxied: await openInitialized(proxied) };
  const times = { direct: [], proxied: [] };
  for (let round = 1; round <= ROUNDS + 200; round += 1) {
    for (const [name, peer] of Object.entries(peers)) {
      const start = performance.now();
      await peer.call(round, 1000);
      if (round > 200) times[name].push(performance.now() - start);
    }
  }
  for (const { child } of Object.values(peers)) child.stdin.end();
  const [one, two] = [times.direct, times.proxied].map((list) => list.sort((a, b) => a - b));
  return { p50: [percentile(one, 0.5), percentile(two, 0.5)], p99: [percentile(one, 0.99), percentile(two, 0.99)] };
}

/** Times of the same rounds, one after the other, and the median of their ratios. */
async function large(kind, rounds) {
  const peers = { direct: await openInitialized(direct), proxied: await openInitialized(proxied) };
  const times = { direct: [], proxied: [] };
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, peer] of Object.entries(peers)) {
      const start = performance.now();
      await peer.call(round + 1, LARGE, kind);
      // The first starts threads and compiles.
      if (round > 0) times[name].push(performance.now() - start);
      clean();
    }
  }
  for (const { child } of Object.values(peers)) child.stdin.end();
  const ratios = times.proxied.map((time, round) => time / times.direct[round]);
  return { direct: median(times.direct), proxied: median(times.proxied), ratio: median(ratios) };
}

/** The same through the official client, whose read buffer is copied with every chunk. */
async function largeWithSdk(args) {
  const client = new Client({ name: "bench", version: "1.0.0" });
  const maxBufferSize = 256 * 1024 * 1024;
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "ignore", maxBufferSize }));
  const start = performance.now();
  await client.callTool({ name: "text", arguments: { bytes: LARGE } }, { timeout: 600_000 });
  const time = performance.now() - start;
  await client.close();
  clean();
  return time;
}

async function memory(calls) {
  const { child, call } = await openInitialized(proxied);
  const file = `/proc/${child.pid}/status`;
  const read = (key) => {
    const status = existsSync(file) ? readFileSync(file, "utf8") : "";
    return Number(new RegExp(`${key}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
  };
  const along = [];
  for (let round = 1; round <= calls; round += 1) {
    await call(round, LARGE);
    // Some artifacts at a time: all of them would be 50 GB.
    if (round % 5 === 0) clean();
    if (round % Math.ceil(calls / 10) === 0) along.push(Math.round(read("VmRSS")));
  }
  const result = { along, after: read("VmRSS"), peak: read("VmHWM") };
  child.stdin.end();
  return result;
}

function clean() {
  rmSync(join(root, ".agents", "tool-output"), { recursive: true, force: true });
}

const ms = (value) => `${value.toFixed(2)} ms`;
const { p50, p99 } = await latencies();
console.log(
  `1 KB result, p50: direct ${ms(p50[0])}, proxied ${ms(p50[1])}, added ${ms(p50[1] - p50[0])} (budget 2 ms)`,
);
console.log(
  `1 KB result, p99: direct ${ms(p99[0])}, proxied ${ms(p99[1])}, added ${ms(p99[1] - p99[0])} (budget 8 ms)`,
);
for (const [kind, what] of Object.entries({ log: "log", json: "JSON", line: "text in one line" })) {
  const { direct: plain, proxied: bounded, ratio } = await large(kind, Number(values.rounds));
  const times = `direct ${ms(plain)}, proxied ${ms(bounded)}, ratio ${ratio.toFixed(2)}`;
  console.log(`50 MB ${what}, median of ${values.rounds}: ${times} (budget 1.3)`);
}
if (values.sdk) {
  const [slow, quick] = [await largeWithSdk(direct), await largeWithSdk(proxied)];
  console.log(
    `50 MB text, official v2 client, once: direct ${ms(slow)}, proxied ${ms(quick)}, ratio ${(quick / slow).toFixed(2)}`,
  );
}
const { along, after, peak } = await memory(Number(values.calls));
console.log(
  `memory after ${values.calls} results of 50 MB: ${after.toFixed(0)} MB (budget 150 MB), peak ${peak.toFixed(0)} MB; on the way ${along.join(", ")} MB`,
);
rmSync(root, { recursive: true, force: true });
