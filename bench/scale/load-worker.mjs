/** A worker of the load run: makes its share of calls, prints what it measured as JSON. */
import { createHash } from "node:crypto";
import { importBuilt } from "../measure.mjs";

const { calls, seed, url, s3 } = JSON.parse(process.argv[2]);
const { createS3Store } = await importBuilt("artifacts-s3");
const { createPostgresSessions } = await importBuilt("agent-postgres");
const { createSpillway } = await importBuilt("index");
const { endpoint, accessKeyId, secretAccessKey } = s3;
const options = {
  bucket: "load",
  prefix: "fleet",
  endpoint,
  credentials: { accessKeyId, secretAccessKey },
  cacheBytes: 0,
};
const store = createS3Store({ ...options, spool: false, retryForMs: 45_000, timeoutMs: 30_000 });
const sessions = createPostgresSessions({ url, maxConnections: 1, leaseMs: 60_000 });
const spillway = createSpillway({ store, config: false });
const session = await sessions.create({ root: "/", model: "none", depth: 0 });

let random = seed;
const next = () => {
  random = (random * 1_103_515_245 + 12_345) % 2 ** 31;
  return random / 2 ** 31;
};
const line = "2026-01-13T15:30:45.123Z INFO a line of some log that a tool printed\n";
const times = [];
const saved = [];
let appends = 0;
for (let at = 0; at < calls; at++) {
  // Of ten outputs seven are small, two or three a page too long, and of a hundred two a megabyte.
  const dice = next();
  const bytes = dice < 0.7 ? 2_000 : dice < 0.98 ? 100_000 : 1_000_000;
  const text = `${process.pid} ${at} ${line.repeat(Math.ceil(bytes / line.length))}`;
  const started = performance.now();
  const callId = `call_${at}`;
  await session.append({ type: "tool.call", callId, tool: "Bash", input: {} });
  const result = await spillway.govern(text, { tool: "Bash", callId });
  const artifact = result.kind === "bounded" && "artifact" in result.storage ? result.storage.artifact : undefined;
  if (result.kind === "bounded" && artifact === undefined) throw new Error(result.storage.lost);
  const size = { bytes: text.length, tokens: text.length / 4 };
  const output = { text: result.kind === "bounded" ? result.preview.text : text };
  await session.append({
    type: "tool.result",
    callId,
    tool: "Bash",
    status: "success",
    output,
    artifact,
    before: size,
    after: size,
    timeMs: 0,
  });
  appends += 2;
  times.push(performance.now() - started);
  if (artifact !== undefined) saved.push([artifact.id, createHash("sha256").update(text).digest("hex")]);
}
await session.append({ type: "turn.end", reason: "done" });
await session.close();
await sessions.close();
const facts = {
  session: session.id,
  times,
  saved,
  requests: store.requests,
  appends,
  peakMb: process.resourceUsage().maxRSS / 1024,
};
process.stdout.write(`${JSON.stringify(facts)}\n`, () => process.exit(0));
