import { describe, expect, it } from "vitest";
import { defineStore } from "../../../src/artifacts/index.ts";
import { renderMessage } from "../../../src/gate/render/message.ts";
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
