import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { Bucket } from "../../src/artifacts/s3/bucket.ts";
import { S3Layout } from "../../src/artifacts/s3/s3-layout.ts";
import { S3Requests } from "../../src/artifacts/s3/s3-requests.ts";
import { BUCKET, newStore, servers, tell } from "./servers.ts";

const MB = 1024 * 1024;
const WRITER = path.join(import.meta.dirname, "s3-writer-process.mjs");

interface Written {
  readonly id: string;
  readonly sha256: string;
  readonly spooled?: string;
}

describe.skipIf(servers.s3 === undefined)("many who use one bucket", () => {
  beforeAll(async () => {
    await newStore().init();
  });

  it("50 writers at once: every artifact is there, whole and once", async () => {
    const store = newStore({ prefix: randomUUID() });
    const sizes = Array.from({ length: 50 }, (_, at) => (at % 10 === 0 ? 9 * MB : 1000 + at * 3001));
    const written = await Promise.all(
      sizes.map(async (bytes, at) => {
        const writer = await store.create({ tool: "Bash", callId: "the same" });
        const chunk = Buffer.alloc(65_536, `writer ${at} writes this line\n`);
        for (let done = 0; done < bytes; done += chunk.length)
          await writer.write(chunk.subarray(0, Math.min(chunk.length, bytes - done)));
        return writer.finish({ complete: true });
      }),
    );
    expect(written.flatMap(({ spooled }) => spooled ?? [])).toEqual([]);
    const listed = new Map<string, string>();
    for await (const { id, sha256 } of store.list()) listed.set(id, sha256);
    expect(listed).toEqual(new Map(written.map(({ id, sha256 }) => [id, sha256])));
    for (const { id } of written.slice(0, 11)) expect((await store.verify(id)).ok).toBe(true);
    const megabytes = Math.round(written.reduce((sum, one) => sum + one.bytes, 0) / MB);
    tell(`50 writers on one bucket, ${megabytes} MB`, "every artifact there once, hashes equal");
  });

  it("a writer that is killed leaves an upload, which cleanup ends; what it had finished stays", async () => {
    const prefix = randomUUID();
    const child = startWriter(prefix, 1000, 20 * MB);
    const finished = await lines(child, 2);
    // In the middle of the third: when its upload has begun.
    const bucket = bucketOf();
    const uploads = async () => {
      const found: string[] = [];
      for await (const { key } of bucket.listUploads(`${prefix}/`)) found.push(key);
      return found;
    };
    while ((await uploads()).length === 0) await sleep(50);
    child.kill("SIGKILL");
    await once(child, "exit");
    const left = await uploads();
    expect(left.length).toBeGreaterThan(0);

    const careful = newStore({ prefix });
    expect((await careful.cleanup()).abortedUploads).toBe(undefined);
    const rows: string[] = [];
    for await (const { complete, reason } of careful.list()) rows.push(complete ? "whole" : (reason ?? ""));
    expect(rows.filter((row) => row !== "whole")).toEqual(
      left.map(() => "incomplete: it is being written, or its writer ended before it was finished"),
    );
    await sleep(1100);
    const report = await newStore({ prefix, abandonedAfterMs: 1000 }).cleanup();
    expect(report.abortedUploads).toBe(left.length);
    expect(await uploads()).toEqual([]);
    for (const { id } of finished) expect((await careful.verify(id)).ok).toBe(true);
  });

  it("tags, encryption and the rule by which a bucket cleans itself", async () => {
    const prefix = randomUUID();
    const tagged = newStore({ prefix, tags: { team: "build & test", kind: "tool output" } });
    const writer = await tagged.create({ tool: "Bash" });
    await writer.write(Buffer.from("tagged\n"));
    const { name } = await writer.finish({ complete: true });
    const bucket = bucketOf();
    const tags = await bucket.requests.send({ method: "GET", key: `${prefix}/${name}`, query: { tagging: "" } });
    expect(tags.body.toString()).toContain("<Key>team</Key><Value>build &amp; test</Value>");
    // Ceph has no key to encrypt with here, and says so; the bytes are in the folder.
    const encrypted = newStore({ serverSideEncryption: "AES256" });
    const refused = await encrypted.create({ tool: "Bash" });
    await refused.write(Buffer.from("secret\n"));
    expect((await refused.finish({ complete: true })).spooled).toMatch(/S3 answered 4\d\d/);

    await bucket.putLifecycle([
      "<Rule><ID>of others</ID><Filter><Prefix>elsewhere/</Prefix></Filter><Status>Enabled</Status><Expiration><Days>3</Days></Expiration></Rule>",
    ]);
    expect(await tagged.init({ expireDays: 14 })).toMatchObject({ createdBucket: false });
    await tagged.init({ expireDays: 15 });
    const rules = (await bucket.lifecycle()) ?? "";
    expect(rules.match(/<ID>.*?<\/ID>/g)).toHaveLength(3);
    expect(rules).toContain("<ID>of others</ID>");
    expect(rules).toContain(`<Prefix>${prefix}/tool_</Prefix>`);
    expect(rules.match(/<Days>15<\/Days>/g)).toHaveLength(2);
  });

  it("keeps what was read close by, within a bound", async () => {
    const { mkdtempSync, readdirSync, statSync } = await import("node:fs");
    const { tmpdir } = await import("node:os");
    const cacheHome = mkdtempSync(path.join(tmpdir(), "spillway-cache-"));
    process.env.XDG_CACHE_HOME = cacheHome;
    const store = newStore({ cacheBytes: 4 * MB });
    delete process.env.XDG_CACHE_HOME;
    const ids: string[] = [];
    for (let at = 0; at < 6; at++) {
      const writer = await store.create({ tool: "Bash" });
      await writer.write(Buffer.alloc(MB - 1000, `artifact ${at}\n`));
      ids.push((await writer.finish({ complete: true })).id);
    }
    const read = async (id: string) => {
      let bytes = 0;
      for await (const chunk of store.read(id)) bytes += chunk.length;
      return bytes;
    };
    for (const id of ids) expect(await read(id)).toBe(MB - 1000);
    const before = store.requests;
    expect(await read(ids[5] as string)).toBe(MB - 1000);
    expect(store.requests).toBe(before);
    expect(await read(ids[0] as string)).toBe(MB - 1000);
    expect(store.requests).toBe(before + 1);
    const folder = path.join(cacheHome, "spillway", "artifacts");
    const [own = ""] = readdirSync(folder);
    const files = readdirSync(path.join(folder, own)).map((name) => statSync(path.join(folder, own, name)).size);
    expect(files.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(4 * MB);
  });
});

function bucketOf(): Bucket {
  const { endpoint = "", accessKeyId = "", secretAccessKey = "" } = servers.s3 ?? {};
  const credentials = async () => ({ accessKeyId, secretAccessKey });
  const place = { bucket: BUCKET, endpoint, region: "us-east-1", pathStyle: true, credentials };
  expect(new S3Layout(BUCKET).uri).toBe(`s3://${BUCKET}`);
  return new Bucket(new S3Requests(BUCKET, async () => place, { timeoutMs: 10_000, retryForMs: 10_000 }), {});
}

function startWriter(prefix: string, count: number, bytes: number) {
  const { endpoint = "", accessKeyId = "", secretAccessKey = "" } = servers.s3 ?? {};
  const spool = false;
  const options = {
    bucket: BUCKET,
    prefix,
    endpoint,
    credentials: { accessKeyId, secretAccessKey },
    spool,
    cacheBytes: 0,
  };
  return spawn(process.execPath, [WRITER, JSON.stringify(options), String(count), String(bytes)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

async function lines(child: ReturnType<typeof startWriter>, count: number): Promise<Written[]> {
  const found: Written[] = [];
  let rest = "";
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    const parts = (rest + chunk.toString()).split("\n");
    rest = parts.pop() ?? "";
    found.push(...parts.map((part) => JSON.parse(part) as Written));
    if (found.length >= count) {
      child.stdout?.resume();
      break;
    }
  }
  return found;
}
