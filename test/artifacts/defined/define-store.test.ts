import { describe, expect, it } from "vitest";
import { type ArtifactStore, createMemoryStore, defineStore, type Manifest } from "../../../src/artifacts/index.ts";
import { renderMessage } from "../../../src/gate/render/notice.ts";
import { createSpillway } from "../../../src/gate/spillway.ts";
import { boundTools, readerTools } from "../../../src/integrations/frameworks/ai-sdk.ts";
import { temporaryFolder } from "../../support/folder.ts";

const LONG = Array.from({ length: 90_000 }, (_, at) => `row ${at} of a long answer`).join("\n");

/** Rows of a database that hands bytes out as it likes, keys as a generator. */
function rowsOf() {
  const rows = new Map<string, Buffer>();
  const largest = { bytes: 0 };
  const store = defineStore(
    {
      async put(key, bytes) {
        largest.bytes = Math.max(largest.bytes, bytes.length);
        rows.set(key, Buffer.from(bytes));
      },
      get: async (key) => rows.get(key) ?? null,
      async *list(prefix) {
        for (const key of rows.keys()) if (key.startsWith(prefix)) yield key;
      },
      remove: async (key) => rows.delete(key),
    },
    { scheme: "rows" },
  );
  return { rows, store, largest };
}

describe("defineStore()", () => {
  it("keeps full outputs in rows of at most 1 MB, and hints name the reader", async () => {
    const { rows, store, largest } = rowsOf();
    const spillway = createSpillway({ root: temporaryFolder("rows"), store, config: false, env: {}, maxBytes: 4000 });
    const governed = await spillway.govern(LONG, { tool: "query", callId: "c1", tools: ["spillway_read"] });
    expect(renderMessage(governed)).toMatch(/Full output saved to: rows:tool_.*\.txt/);
    expect(renderMessage(governed)).toContain("spillway_read(id=");
    expect(largest.bytes).toBe(1024 * 1024);
    expect([...rows.keys()].filter((key) => key.includes("/piece-")).length).toBe(Math.ceil(LONG.length / 1024 / 1024));
    const parts: Uint8Array[] = [];
    for await (const part of store.read((await store.find("c1"))!.id)) parts.push(part);
    expect(Buffer.concat(parts).toString() === LONG).toBe(true);
  });

  it("can be read by a framework's reader: lines, pattern, words", async () => {
    const { store } = rowsOf();
    const spillway = createSpillway({ root: temporaryFolder("rows"), store, config: false, env: {}, maxBytes: 4000 });
    const read = readerTools({ spillway }).spillway_read.execute;
    const { query } = boundTools({ query: { execute: async () => LONG } }, { spillway });
    const shown = await (query as unknown as { toModelOutput(o: object): Promise<{ value: string }> }).toModelOutput({
      toolCallId: "c1",
      output: LONG,
    });
    const id = /id="([0-9a-z]{22})"/.exec(shown.value)?.[1] ?? "";
    expect(await read({ id, offset: 80_000, limit: 1 })).toContain("row 79999 of a long answer");
    expect(await read({ id, pattern: "row 77777 " })).toContain("77778:row 77777 of a long answer");
    expect(await read({ id, query: "row 77777" })).toContain("row 77777 of a long answer");
  });

  it("leaves nothing behind, also of a writer that was given up", async () => {
    const { rows, store } = rowsOf();
    const writer = await store.create({ tool: "query", callId: "c1" });
    await writer.write(Buffer.from(LONG));
    await writer.discard();
    const kept = await store.create({ tool: "query", callId: "c2" });
    await kept.write(Buffer.from("x"));
    await kept.finish({ complete: true });
    await store.remove(kept.id);
    expect([...rows.keys()]).toEqual([]);
  });

  it("says what is missing", () => {
    expect(() => defineStore({ put: 1 } as never)).toThrow("put must be a function");
    expect(() => defineStore({ put: async () => 1 } as never)).toThrow("defineStore() needs get, list, remove.");
  });
});

describe("a storage that fails", () => {
  const MB = 1024 * 1024;

  async function listed(store: ArtifactStore): Promise<Manifest[]> {
    const manifests: Manifest[] = [];
    for await (const manifest of store.list()) manifests.push(manifest);
    return manifests;
  }

  function failing(fails: (key: string, times: number) => boolean) {
    const rows = new Map<string, Uint8Array>();
    const times = new Map<string, number>();
    const store = defineStore({
      async put(key, bytes) {
        const name = key.split("/").at(-1)!;
        times.set(name, (times.get(name) ?? 0) + 1);
        if (fails(name, times.get(name)!)) throw new Error("no room");
        rows.set(key, bytes);
      },
      get: async (key) => rows.get(key),
      list: async (prefix) => [...rows.keys()].filter((key) => key.startsWith(prefix)),
      remove: async (key) => rows.delete(key),
    });
    const root = temporaryFolder("failing");
    return { store, rows, spillway: createSpillway({ root, store, config: false, env: {}, maxBytes: 4000 }) };
  }

  it("is said to hold just what it holds", async () => {
    const { store, spillway } = failing((name, times) => name === "piece-000001" && times === 1);
    const governed = await spillway.govern("x".repeat(3 * MB));
    if (governed.kind !== "bounded" || !("lost" in governed.storage)) throw new Error("not lost");
    expect(governed.storage.lost).toMatch(/^no room; only the first 1,048,576 bytes are in store:/);
    const [manifest] = await listed(store);
    expect(manifest).toMatchObject({ bytes: MB, complete: false, reason: "no room" });
    expect(await store.verify(manifest!.id)).toMatchObject({ ok: true });
  });

  it.each(["piece-000000", "index", "manifest"])(
    "on %s promises nothing, and what it left is cleaned up",
    async (part) => {
      const { store, rows, spillway } = failing((name) => name === part);
      const governed = await spillway.govern("x\n".repeat(9000));
      expect(governed).toMatchObject({ storage: { lost: "no room" } });
      await store.cleanup({ now: Date.now() + 8 * 24 * 60 * 60 * 1000 });
      expect([...rows.keys()]).toEqual([]);
    },
  );

  it("is kept to the quota in a process that lives long, but for what was saved within the last hour", async () => {
    let clock = Date.now();
    const store = createMemoryStore({ quotaBytes: 100_000, now: () => clock });
    const spillway = createSpillway({ root: temporaryFolder("quota"), store, config: false, env: {}, maxBytes: 4000 });
    for (let at = 0; at < 40; at++) {
      clock += 15 * 60_000;
      await spillway.govern(`${at} ${"x".repeat(40_000)}`);
    }
    const kept = await listed(store);
    expect(kept.length).toBeLessThan(6);
    expect(kept.length).toBeGreaterThan(2);
  });
});
