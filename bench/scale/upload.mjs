/** One upload in a process of its own: `node … store|gate|sdk|nothing BYTES`; prints milliseconds and the peak of memory. */
import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { importBuilt } from "../measure.mjs";

const [kind, bytes] = [process.argv[2], Number(process.argv[3])];
const { endpoint, accessKeyId, secretAccessKey } = JSON.parse(process.env.BENCH_S3 ?? "{}");
const credentials = { accessKeyId, secretAccessKey };
const [bucket, prefix] = ["bench", randomUUID()];

const block = Buffer.from(
  Array.from(
    { length: 650 },
    (_, at) => `${at} 2026-01-13T15:30:45.123Z INFO request ${at * 7919} took ${at % 97} ms and went well\n`,
  ).join(""),
);

function* chunks() {
  for (let at = 0; at < bytes; at += block.length) yield block.subarray(0, Math.min(block.length, bytes - at));
}

const ways = {
  nothing: async () => {
    for (const chunk of chunks()) if (chunk.length === 0) throw new Error("never");
  },
  store: async () => {
    const { createS3Store } = await importBuilt("artifacts-s3");
    const store = createS3Store({ bucket, prefix, endpoint, credentials, spool: false, cacheBytes: 0 });
    const writer = await store.create({ tool: "bench" });
    for (const chunk of chunks()) await writer.write(chunk);
    await writer.finish({ complete: true });
  },
  gate: async () => {
    const { createS3Store } = await importBuilt("artifacts-s3");
    const { createSpillway } = await importBuilt("index");
    const store = createS3Store({ bucket, prefix, endpoint, credentials, spool: false, cacheBytes: 0 });
    const spillway = createSpillway({ store, config: false });
    await spillway.govern(
      (async function* () {
        yield* chunks();
      })(),
      { tool: "bench" },
    );
  },
  sdk: async () => {
    const { S3Client } = await peer("client-s3");
    const { Upload } = await peer("lib-storage");
    const client = new S3Client({ endpoint, region: "us-east-1", forcePathStyle: true, credentials });
    const params = { Bucket: bucket, Key: `${prefix}/sdk`, Body: Readable.from(chunks()) };
    await new Upload({ client, params, partSize: 8 * 1024 * 1024, queueSize: 3 }).done();
  },
};

/** One of the packages in `peers`. */
function peer(name) {
  return import(new URL(`./peers/node_modules/@aws-sdk/${name}/dist-cjs/index.js`, import.meta.url).href);
}

const started = performance.now();
await ways[kind]();
console.log(JSON.stringify({ ms: performance.now() - started, peakMb: process.resourceUsage().maxRSS / 1024 }));
process.exit(0);
