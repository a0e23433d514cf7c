/**
 * Speed against real servers on loopback, as ratios: `node bench/scale/run.mjs [--bytes N] [--rounds N] [--workers N] [--calls N]
 * [--only upload|sessions|load]`. Needs the servers of test/scale/install.sh, and for the comparison the peers (bench/scale/peers).
 */
import { spawn } from "node:child_process";
import { appendFileSync, existsSync } from "node:fs";
import path from "node:path";
import { startCeph } from "../../test/scale/ceph.mjs";
import { startPostgres } from "../../test/scale/postgres.mjs";
import { importBuilt } from "../measure.mjs";
import { perArtifact, perCall } from "./model.mjs";

const HERE = import.meta.dirname;
const flag = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at === -1 ? fallback : process.argv[at + 1];
};
const [bytes, rounds] = [Number(flag("bytes", 2 ** 30)), Number(flag("rounds", 3))];
const [workers, calls] = [Number(flag("workers", 64)), Number(flag("calls", 20_000))];
const only = flag("only", undefined);
const wants = (part) => only === undefined || only === part;

const given = process.env.SPILLWAY_SCALE_SERVERS && JSON.parse(process.env.SPILLWAY_SCALE_SERVERS);
const ceph = given?.s3 ? { ...given.s3, stop: async () => {} } : await startCeph();
const postgres = given?.postgres ? { url: given.postgres, stop: async () => {} } : await startPostgres();
const s3 = { endpoint: ceph.endpoint, accessKeyId: ceph.accessKeyId, secretAccessKey: ceph.secretAccessKey };
const { createS3Store } = await importBuilt("artifacts-s3");
const storeOf = (bucket, prefix) =>
  createS3Store({ bucket, prefix, endpoint: s3.endpoint, credentials: s3, spool: false, cacheBytes: 0 });
try {
  if (wants("upload")) await uploads();
  if (wants("sessions")) await sessions();
  if (wants("load")) await load();
} finally {
  await Promise.all([ceph.stop(), postgres.stop()]);
}

async function uploads() {
  await storeOf("bench").init();
  const peers = existsSync(path.join(HERE, "peers/node_modules"));
  const kinds = ["store", "gate", ...(peers ? ["sdk"] : [])];
  const times = new Map(kinds.map((kind) => [kind, []]));
  const peaks = new Map();
  const { peakMb: idle } = await child("upload.mjs", ["nothing", String(bytes)]);
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < kinds.length; turn++) {
      const kind = kinds[(turn + round) % kinds.length];
      const { ms, peakMb } = await child("upload.mjs", [kind, String(bytes)]);
      times.get(kind).push(ms);
      peaks.set(kind, Math.max(peaks.get(kind) ?? 0, peakMb - idle));
    }
  }
  const best = (kind) => Math.min(...times.get(kind));
  for (const kind of kinds) {
    const ratio = peers ? `${(best("sdk") / best(kind)).toFixed(2)} × lib-storage, ` : "";
    console.log(
      `upload ${bytes} bytes, ${kind}: ${ratio}${(bytes / best(kind) / 1000).toFixed(0)} MB/s, ${peaks.get(kind).toFixed(0)} MB over node`,
    );
  }
}

async function sessions() {
  const { default: connect } = await import("postgres");
  const { createPostgresSessions } = await importBuilt("agent-postgres");
  const store = createPostgresSessions({ url: postgres.url, maxConnections: 1 });
  await store.migrate();
  const sql = connect(postgres.url, { max: 1, onnotice: () => {} });
  await sql.unsafe("create table if not exists bare (id bigint generated always as identity primary key, text text)");
  const session = await store.create({ root: "/", model: "none", depth: 0 });
  const text = "x".repeat(500);
  const [ours, bare] = [[], []];
  for (let at = 0; at < 2_000; at++) {
    ours.push(await timed(() => session.append({ type: "user", text })));
    bare.push(await timed(() => sql`insert into bare (text) values (${text})`));
  }
  const [p50, bareP50] = [quantile(ours, 0.5), quantile(bare, 0.5)];
  console.log(
    `append p50 ${p50.toFixed(2)} ms, ${(p50 / bareP50).toFixed(2)} × a bare INSERT (${bareP50.toFixed(2)} ms)`,
  );
  for (let at = 2_000; at < 10_000; at += 100)
    await session.append(...Array.from({ length: 100 }, () => ({ type: "user", text })));
  await session.close();
  let resumed;
  const ms = await timed(async () => {
    resumed = await store.resume(session.id);
  });
  console.log(`resume of a session of ${resumed.events.length} events: ${ms.toFixed(0)} ms`);
  await resumed.close();
  await store.close();
  await sql.end();
}

async function load() {
  const { createPostgresSessions } = await importBuilt("agent-postgres");
  const store = storeOf("load", "fleet");
  await store.init();
  const database = createPostgresSessions({ url: postgres.url });
  await database.migrate();
  const started = performance.now();
  const each = Math.ceil(calls / workers);
  const facts = await Promise.all(
    Array.from({ length: workers }, (_, seed) =>
      child("load-worker.mjs", [JSON.stringify({ calls: each, seed: seed + 1, url: postgres.url, s3 })]),
    ),
  );
  const seconds = (performance.now() - started) / 1000;
  const times = facts.flatMap((one) => one.times);
  const saved = facts.flatMap((one) => one.saved);
  const sum = (key) => facts.reduce((total, one) => total + one[key], 0);
  const peaks = facts.map(({ peakMb }) => peakMb);
  const rate = `${(times.length / seconds).toFixed(0)} calls/s, p50 ${quantile(times, 0.5).toFixed(0)} ms, p99 ${quantile(times, 0.99).toFixed(0)} ms`;
  const memory = `${quantile(peaks, 0.5).toFixed(0)} MB a worker (most ${Math.max(...peaks).toFixed(0)})`;
  const found = new Map();
  for await (const { id, sha256 } of store.list()) found.set(id, sha256);
  const lost = saved.filter(([id, sha256]) => found.get(id) !== sha256).length;
  let events = 0;
  for (const { session } of facts) events += (await database.read(session)).length;
  const missing = sum("appends") + 2 * facts.length - events;
  const [requests, appends] = [sum("requests") / saved.length, sum("appends") / times.length];
  tell(
    `${times.length} calls of ${workers} workers in ${seconds.toFixed(0)} s, ${saved.length} artifacts`,
    `${rate}; ${memory}; lost: ${lost} artifacts, ${missing} events`,
  );
  tell(
    "requests to S3 per artifact and appends per call, against the model",
    `${requests.toFixed(2)} (${perArtifact().toFixed(2)}), ${appends.toFixed(2)} (${perCall().toFixed(2)})`,
  );
  const off = Math.max(Math.abs(requests / perArtifact() - 1), Math.abs(appends / perCall() - 1));
  // Repeated requests are real load too; more than this the model would have to say.
  if (lost > 0 || missing !== 0 || off > 0.1) process.exitCode = 1;
  await database.close();
}

/** Prints a fact, for the table of the long form too. */
function tell(what, measured) {
  console.log(`${what}: ${measured}`);
  const file = process.env.SPILLWAY_SCALE_FACTS;
  if (file) appendFileSync(file, `${JSON.stringify({ what, measured })}\n`);
}

function child(file, args) {
  const process_ = spawn(process.execPath, [path.join(HERE, file), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, BENCH_S3: JSON.stringify(s3), AWS_EC2_METADATA_DISABLED: "true" },
  });
  let output = "";
  process_.stdout.on("data", (chunk) => {
    output += chunk;
  });
  return new Promise((resolve, reject) => {
    process_.once("close", (code) =>
      code === 0 ? resolve(JSON.parse(output)) : reject(new Error(`${file} ended with ${code}`)),
    );
  });
}

async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function quantile(values, share) {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length * share)];
}
