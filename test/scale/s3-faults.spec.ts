import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { ArtifactStore } from "../../src/artifacts/types.ts";
import { renderMessage } from "../../src/gate/render/notice.ts";
import { createSpillway } from "../../src/gate/spillway.ts";
import { type FaultProxy, refuse, startFaultProxy } from "./fault-proxy.ts";
import { BUCKET, newStore, servers, tell } from "./servers.ts";

const MB = 1024 * 1024;
const PART = 5 * MB;

describe.skipIf(servers.s3 === undefined)("a bucket that fails", () => {
  let proxy: FaultProxy;
  const storeBehind = (options: Parameters<typeof newStore>[0] = {}) =>
    newStore({ endpoint: proxy.endpoint, partBytes: PART, timeoutMs: 1000, retryForMs: 3000, ...options });

  beforeAll(async () => {
    await newStore().init();
  });
  beforeEach(async () => {
    proxy = await startFaultProxy(servers.s3?.endpoint ?? "");
  });
  afterEach(() => proxy.close());
  afterAll(() => vi.useRealTimers());

  it("is asked again when it is busy, and nothing is said of that", async () => {
    let refusals = 0;
    proxy.fault = (_, response) => (refusals++ % 3 === 0 ? refuse(response, 503, "SlowDown") : undefined);
    const store = storeBehind({ retryForMs: 20_000 });
    const writer = await store.create({ tool: "Bash" });
    await write(writer, bytesOf(12 * MB));
    const manifest = await writer.finish({ complete: true });
    expect(manifest.spooled).toBe(undefined);
    expect(refusals).toBeGreaterThan(3);
    expect(await sha256Of(store, writer.id)).toBe(manifest.sha256);
    expect(existsSync(store.spoolDir) && (await namesIn(store.spoolDir)).length > 0).toBe(false);
  });

  it("is asked again when a part is not answered", async () => {
    let silent = 0;
    proxy.fault = (request) => (request.url?.includes("partNumber=2") && silent++ === 0 ? true : undefined);
    const store = storeBehind({ retryForMs: 20_000 });
    const writer = await store.create({ tool: "Bash" });
    await write(writer, bytesOf(12 * MB));
    expect((await writer.finish({ complete: true })).spooled).toBe(undefined);
    expect(silent).toBeGreaterThan(1);
    expect((await store.verify(writer.id)).ok).toBe(true);
  });

  it("goes away in the middle of an upload: every byte is in the folder, and sync uploads it once", async () => {
    const store = storeBehind();
    const content = bytesOf(23 * MB);
    const writer = await store.create({ tool: "Bash", callId: "call_7" });
    await write(writer, content.subarray(0, 12 * MB));
    await proxy.away(true);
    await write(writer, content.subarray(12 * MB));
    const finished = await writer.finish({ complete: true });
    expect(finished.spooled).toMatch(/did not take it: .*cannot be reached.*ECONN/);
    expect(writer.path.startsWith(store.spoolDir)).toBe(true);
    expect(finished.sha256).toBe(hash(content));
    expect(await sha256Of(store, writer.id)).toBe(hash(content));
    expect((await store.find("call_7"))?.path).toBe(writer.path);
    // While it is known to be away nobody waits for it again.
    const started = performance.now();
    const second = await store.create({ tool: "Bash" });
    await second.write(content.subarray(0, 100_000));
    expect((await second.finish({ complete: true })).spooled).toMatch(/cannot be reached/);
    expect(performance.now() - started).toBeLessThan(1000);

    expect((await store.sync()).failed.map(({ id }) => id)).toEqual([writer.id, second.id]);
    await proxy.away(false);
    const reports = await Promise.all([store.sync(), store.sync()]);
    expect(reports.flatMap(({ failed }) => failed)).toEqual([]);
    const moved = reports.flatMap(({ uploaded, present }) => [...uploaded, ...present]);
    expect([...new Set(moved)].sort()).toEqual([writer.id, second.id].sort());
    expect(await namesIn(store.spoolDir)).toEqual([]);
    expect((await store.verify(writer.id)).ok).toBe(true);
    expect((await store.find("call_7"))?.path).toBe(`${store.uri}/${writer.name}`);
    const ids: string[] = [];
    for await (const { id } of store.list()) ids.push(id);
    expect(ids).toEqual([writer.id, second.id]);
  });

  it("loses the answer to the commit: the artifact is there once, whatever is repeated", async () => {
    let cut = 0;
    proxy.fault = (request, response) => {
      if (request.method !== "PUT" || !request.url?.includes(".meta/") || cut++ > 0) return undefined;
      const forward = proxy.fault;
      proxy.fault = undefined;
      // It is done, but the answer never comes.
      response.writeHead = (() => response.destroy()) as unknown as typeof response.writeHead;
      queueMicrotask(() => {
        proxy.fault = forward;
      });
      return undefined;
    };
    const store = storeBehind({ retryForMs: 20_000 });
    const writer = await store.create({ tool: "Bash" });
    await writer.write(Buffer.from("once\n"));
    expect((await writer.finish({ complete: true })).spooled).toBe(undefined);
    expect(cut).toBeGreaterThan(1);
    expect((await store.verify(writer.id)).ok).toBe(true);
  });

  it("refuses expired credentials: fresh ones are asked for", async () => {
    proxy.fault = (request, response) =>
      request.headers.authorization?.includes("EXPIRED") === true ? refuse(response, 400, "ExpiredToken") : undefined;
    const { accessKeyId = "", secretAccessKey = "" } = servers.s3 ?? {};
    let asked = 0;
    const credentials = async () => ({ accessKeyId: asked++ === 0 ? "EXPIRED" : accessKeyId, secretAccessKey });
    const store = storeBehind({ credentials });
    const writer = await store.create({ tool: "Bash" });
    await writer.write(Buffer.from("x\n"));
    expect((await writer.finish({ complete: true })).spooled).toBe(undefined);
    expect(asked).toBe(2);
    const hopeless = storeBehind({ credentials: { accessKeyId: "EXPIRED", secretAccessKey } });
    const other = await hopeless.create({ tool: "Bash" });
    await other.write(Buffer.from("x\n"));
    expect((await other.finish({ complete: true })).spooled).toMatch(/the credentials have expired/);
  });

  it("does not exist: the result says so and the bytes are kept", async () => {
    const store = newStore({ bucket: "no-such-bucket-here" });
    const spillway = createSpillway({ root: process.cwd(), config: false, store });
    const governed = await spillway.govern("a line of text\n".repeat(10_000), { tool: "Bash" });
    const message = renderMessage(governed);
    expect(message).toContain("the bucket no-such-bucket-here does not exist (NoSuchBucket)");
    expect(message).toContain("spillway store sync");
    const storage = governed.kind === "bounded" ? governed.storage : { lost: "" };
    expect("artifact" in storage && storage.artifact.path.startsWith(store.spoolDir)).toBe(true);
    await expect(store.find("anything")).rejects.toThrow(/NoSuchBucket/);
    await expect(
      newStore({ bucket: BUCKET, spool: false, endpoint: "http://127.0.0.1:1", retryForMs: 0 }).find("x"),
    ).rejects.toThrow(/http:\/\/127.0.0.1:1 cannot be reached/);
  });

  it("has another clock: the signature follows it", async () => {
    const store = newStore();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3 * 60 * 60 * 1000 });
    try {
      const writer = await store.create({ tool: "Bash" });
      await writer.write(Buffer.from("late\n"));
      expect((await writer.finish({ complete: true })).spooled).toBe(undefined);
    } finally {
      vi.useRealTimers();
    }
  });

  it("takes 50 lines of a large artifact in three requests and 1 MB", async () => {
    const line = (number: number) => `${String(number).padStart(8, "0")} ${"x".repeat(90)}\n`;
    const store = storeBehind({ partBytes: 8 * MB, timeoutMs: 20_000 });
    const writer = await store.create({ tool: "Bash" });
    const lines = servers.long ? 10_000_000 : 500_000;
    for (let at = 0; at < lines; at += 10_000)
      await writer.write(Buffer.from(Array.from({ length: 10_000 }, (_, n) => line(at + n + 1)).join("")));
    const { bytes } = await writer.finish({ complete: true });
    expect(bytes).toBe(lines * 100);
    let [mostRequests, mostBytes] = [0, 0];
    for (const offsetLine of [1, Math.floor(lines / 2), lines - 49]) {
      const reader = newStoreAt(store, proxy.endpoint);
      const [requests, before] = [proxy.seen.length, proxy.bytes];
      const answer = await reader.readLines(writer.id, { offsetLine, limit: 50 });
      expect(answer.text).toBe(Array.from({ length: 50 }, (_, n) => line(offsetLine + n)).join(""));
      expect(proxy.seen.length - requests).toBeLessThanOrEqual(3);
      expect(proxy.bytes - before).toBeLessThan(MB);
      mostRequests = Math.max(mostRequests, proxy.seen.length - requests);
      mostBytes = Math.max(mostBytes, proxy.bytes - before);
    }
    tell(
      `50 lines from anywhere in ${Math.round(bytes / 1e6)} MB`,
      `${mostRequests} requests, ${Math.ceil(mostBytes / 1000)} KB at most`,
    );
    const { grepSource } = await import("../../src/artifacts/search/grep-file.ts");
    const { openArtifact } = await import("../../src/artifacts/open-artifact.ts");
    const reader = newStoreAt(store, proxy.endpoint);
    const before = proxy.seen.length;
    const source = await openArtifact(reader, writer.id);
    const found = await grepSource(source, `${String(lines - 5).padStart(8, "0")} x`);
    await source.close();
    expect(found.matches.map(({ line: number }) => number)).toEqual([lines - 5]);
    expect(proxy.seen.length - before).toBeLessThanOrEqual(3);
  });
});

function newStoreAt(store: { readonly uri: string }, endpoint: string) {
  return newStore({ endpoint, prefix: store.uri.split("/").slice(3).join("/"), timeoutMs: 20_000 });
}

async function write(writer: { write(chunk: Uint8Array): Promise<void> | undefined }, bytes: Uint8Array) {
  for (let at = 0; at < bytes.length; at += 65_536) await writer.write(bytes.subarray(at, at + 65_536));
}

function bytesOf(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; at += 64)
    bytes.write(`${at} of ${length} is a line of this content\n`.padEnd(64, "."), at);
  return bytes;
}

function hash(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

async function sha256Of(store: ArtifactStore, id: string): Promise<string> {
  const sum = createHash("sha256");
  for await (const chunk of store.read(id)) sum.update(chunk);
  return sum.digest("hex");
}

async function namesIn(dir: string): Promise<string[]> {
  const { readdir } = await import("node:fs/promises");
  return (await readdir(dir)).filter((name) => name.startsWith("tool_"));
}
