import { describe, expect, test } from "vitest";
import { createMemoryStore } from "../../../../src/artifacts/memory-store.ts";
import type { McpTruncation } from "../../../../src/gate/render/mcp-facts.ts";
import type { SpillwayOptions } from "../../../../src/gate/types.ts";
import { boundMessage } from "../../../../src/integrations/mcp-proxy/message/bound-message.ts";
import { messageBytes } from "../../../../src/integrations/mcp-proxy/message/last-cap.ts";
import { createProxyGate } from "../../../../src/integrations/mcp-proxy/proxy-gate.ts";
import type { JsonObject } from "../../../../src/integrations/mcp-shared/json-rpc.ts";

const READER = "spillway_read";
const huge = "x".repeat(400_000);
const small = { type: "text", text: "all is well" };

async function bound(result: JsonObject, options: SpillwayOptions & { readonly outputSchema?: JsonObject } = {}) {
  const { outputSchema, ...gate } = options;
  const store = createMemoryStore();
  const spillway = createProxyGate({ store, config: false, env: {}, ...gate });
  const message = { jsonrpc: "2.0" as const, id: 1, result };
  const request = { tool: "t", callId: "1", reader: READER, links: true, outputSchema };
  const { message: shown } = await boundMessage(message, request, spillway);
  const facts = (shown.result?._meta as JsonObject | undefined)?.["spillway/truncation"] as McpTruncation;
  const text = async (): Promise<string> => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of store.read(facts.artifact_id ?? "")) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  };
  const saved = async (): Promise<unknown> => JSON.parse(await text());
  return { message: shown, result: shown.result as JsonObject, given: message, facts, saved, text };
}

const rangeOf = <T>(length: number, make: (at: number) => T): T[] => Array.from({ length }, (_, at) => make(at));
const blocksOf = (result: JsonObject) => result.content as JsonObject[];

describe("the whole message is bounded", () => {
  test.each<[string, JsonObject, string]>([
    [
      "the description of a link",
      { content: [small, { type: "resource_link", uri: "file:///a", name: "a", description: huge }] },
      "/content/1/description",
    ],
    ["_meta", { content: [small], _meta: { trace: huge } }, "/_meta/trace"],
    ["an unknown field", { content: [small], debug: { log: [huge, huge] } }, "/debug/log"],
    ["an unknown kind of block", { content: [small, { type: "hologram", layers: [huge] }] }, "/content/1/layers"],
    ["a field beside a text", { content: [{ ...small, annotations: { note: huge } }] }, "/content/0/annotations/note"],
    [
      "_meta of an embedded resource",
      { content: [{ type: "resource", resource: { uri: "a:b", text: "t", _meta: { x: huge } } }] },
      "/content/0/resource/_meta/x",
    ],
    [
      "very many links",
      {
        content: [
          small,
          ...Array.from({ length: 9000 }, (_, at) => ({ type: "resource_link", uri: `file:///${at}`, name: `${at}` })),
        ],
      },
      "/content",
    ],
    ["the name of a field", { content: [small], [huge]: 1 }, ""],
  ])("%s", async (_, given, place) => {
    const { message, result, given: original, facts, saved } = await bound(given);
    expect(JSON.stringify(message).length).toBeLessThan(60_000);
    const first = blocksOf(result)[0] as JsonObject;
    expect(JSON.stringify(first)).toContain(String((given.content as JsonObject[])[0]?.text ?? "t"));
    expect(await saved()).toEqual(original);
    const [part] = facts.parts;
    expect(part).toMatchObject({ part: "message", action: "shrunk", artifact_id: facts.artifact_id });
    expect(
      part?.cuts?.some(({ pointer }) => pointer.startsWith(place)),
      JSON.stringify(part?.cuts),
    ).toBe(true);
    expect(
      blocksOf(result)
        .map(({ text }) => text)
        .join("\n"),
    ).toMatch(/other fields: [\d,]+ bytes, [\d,]+ shown. Complete in artifact/);
  });

  test("a field of the message itself", async () => {
    const spillway = createProxyGate({ store: createMemoryStore(), config: false, env: {} });
    const message = { jsonrpc: "2.0" as const, id: 1, result: { content: [small] }, extension: huge };
    const request = { tool: "t", callId: "1", reader: READER, links: true };
    const { message: shown } = await boundMessage(message, request, spillway);
    expect(JSON.stringify(shown).length).toBeLessThan(60_000);
    expect(shown).toMatchObject({ jsonrpc: "2.0", id: 1, result: { content: [small, {}, {}] } });
  });

  test("fields of an error", async () => {
    const spillway = createProxyGate({ store: createMemoryStore(), config: false, env: {} });
    const error = { code: -32000, message: "it broke", trace: huge };
    const request = { tool: "t", callId: "1", reader: READER, links: true };
    const { message } = await boundMessage({ jsonrpc: "2.0", id: 1, error, extension: huge }, request, spillway);
    expect(JSON.stringify(message).length).toBeLessThan(60_000);
    expect(message).toMatchObject({ id: 1, error: { code: -32000, message: "it broke" } });
    expect(JSON.stringify(message.error?.data)).toContain("artifact");
  });

  test("within the limit nothing is touched, and a text that takes all of it leaves them a quarter", async () => {
    const within = { content: [small], _meta: { trace: "x".repeat(40_000) }, extra: [1] };
    expect((await bound(within)).result).toBe(within);
    const beside = { content: [{ type: "text", text: "row\n".repeat(50_000) }], _meta: { trace: "x".repeat(10_000) } };
    expect((await bound(beside)).result._meta).toMatchObject({ trace: "x".repeat(10_000) });
    const { message } = await bound({ ...beside, _meta: { trace: huge } });
    expect(JSON.stringify(message).length).toBeLessThan(51_200 * 1.25 + 8000);
  });
});

describe("the last cap", () => {
  const many = (count: number, block: (at: number) => JsonObject): JsonObject => ({
    content: Array.from({ length: count }, (_, at) => block(at)),
  });
  const cap = 2.25 * 51_200 + 51_200 + 16_384;

  test.each<[string, JsonObject]>([
    ["many texts", many(2000, (at) => ({ type: "text", text: `block ${at} `.repeat(20) }))],
    ["very many short texts", many(20_000, (at) => ({ type: "text", text: `b${at}` }))],
    ["very many empty texts", many(100_000, () => ({ type: "text", text: "" }))],
    ["many images", many(300, () => ({ type: "image", mimeType: "image/png", data: "A".repeat(4000) }))],
    [
      "texts with notes",
      many(900, (at) => ({ type: "text", text: `note ${at} `.repeat(9), annotations: { priority: 1 } })),
    ],
    ["very many fields", { content: [], ...Object.fromEntries(rangeOf(20_000, (at) => [`f${at}`, "x".repeat(50)])) }],
    [
      "JSON with very many cuts",
      { content: [{ type: "text", text: JSON.stringify(rangeOf(9000, () => ["y".repeat(90)])) }] },
    ],
    [
      "everything at once",
      {
        content: [
          small,
          { type: "image", mimeType: "image/png", data: "A".repeat(51_000) },
          { type: "text", text: "row\n".repeat(50_000) },
        ],
        structuredContent: { rows: rangeOf(9000, (id) => ({ id })) },
        _meta: { huge },
      },
    ],
  ])("holds %s, and all of it is saved", async (_, given) => {
    const { message, facts } = await bound(given);
    expect(messageBytes(message, Infinity)).toBeLessThanOrEqual(cap);
    expect(facts.artifact_id).not.toBeNull();
    expect(facts.parts.length).toBeLessThanOrEqual(64);
  });

  test("neighbouring texts are joined, and every one is in the artifact", async () => {
    const { result, text } = await bound(many(5000, (at) => ({ type: "text", text: `row ${at}` })));
    expect(blocksOf(result).filter(({ type }) => type === "text")).toHaveLength(2);
    expect(await text()).toBe(rangeOf(5000, (at) => `row ${at}`).join("\n"));
  });

  test("many blocks within the limits pass as they came", async () => {
    const given = many(1500, (at) => ({ type: "text", text: `a row of twenty ${at}` }));
    expect((await bound(given)).result).toBe(given);
  });

  test("what cannot be joined is saved as the message it was", async () => {
    const given = many(300, () => ({ type: "image", mimeType: "image/png", data: "A".repeat(4000) }));
    const { saved, given: original, result } = await bound({ ...given, isError: true });
    expect(await saved()).toEqual(original);
    expect(result.isError).toBe(true);
  });
});

describe("structuredContent", () => {
  const rows = Array.from({ length: 700 }, (_, id) => ({ id, name: `row ${id}` }));

  test("keeps the first whole items, as many as there are lines, and counts them", async () => {
    const { result, facts, saved } = await bound(
      { content: [small], structuredContent: { total: 700, rows } },
      { maxLines: 100 },
    );
    expect(result.structuredContent).toEqual({
      total: 700,
      rows: rows.slice(0, 100),
      spillway_notice: expect.stringContaining(`spillway_read {"id":"${facts.artifact_id}"}`),
    });
    expect(facts).toMatchObject({ original_items: 700, kept_items: 100 });
    expect(facts.parts[0]).toMatchObject({
      part: "structuredContent",
      original_lines: 700,
      kept_lines: 100,
      original_items: 700,
      kept_items: 100,
      cuts: [{ pointer: "/rows", unit: "items", kept: 100, total: 700 }],
    });
    expect(await saved()).toEqual({ total: 700, rows });
  });

  test("fits the bytes with whole items", async () => {
    const { result } = await bound({ content: [], structuredContent: { rows } }, { maxBytes: 4000 });
    const kept = (result.structuredContent as { rows: unknown[] }).rows;
    expect(kept).toEqual(rows.slice(0, kept.length));
    expect(kept.length).toBeGreaterThan(60);
    expect(JSON.stringify(result.structuredContent).length).toBeLessThanOrEqual(4000);
  });

  test("two long texts both keep their place and say what is missing", async () => {
    const text = (word: string) => Array.from({ length: 3000 }, (_, at) => `${word} ${at}`).join("\n");
    const { result } = await bound({
      content: [],
      structuredContent: { stdout: text("out"), stderr: text("err"), code: 1 },
    });
    expect(result.structuredContent).toMatchObject({
      stdout: expect.stringMatching(/^out 0\n[\s\S]*lines .*omitted/),
      stderr: expect.stringMatching(/^err 0\n[\s\S]*lines .*omitted/),
      code: 1,
    });
  });

  test("still obeys the schema", async () => {
    const outputSchema = { type: "object", required: ["rows"], properties: { rows: { type: "array", minItems: 200 } } };
    const { result } = await bound({ content: [], structuredContent: { rows } }, { maxLines: 100, outputSchema });
    expect((result.structuredContent as { rows: unknown[] }).rows.length).toBeGreaterThanOrEqual(200);
  });
});

describe("the facts and the notice", () => {
  test("no limit is null", async () => {
    const { facts } = await bound({ content: [{ type: "text", text: huge }] }, { maxLines: Infinity, maxBytes: 1000 });
    expect(facts).toMatchObject({ max_lines: null, max_bytes: 1000 });
    const byTokens = await bound({ content: [{ type: "text", text: huge }] }, { maxTokens: 500 });
    expect(byTokens.facts.max_bytes).toBeNull();
    expect(JSON.stringify(byTokens.message)).not.toContain("9007199254740991");
  });

  test("a host's own hint stands in the notice", async () => {
    const seen: unknown[] = [];
    const hint = (facts: unknown) => `ask the librarian (${seen.push(facts)})`;
    const { result } = await bound({ content: [{ type: "text", text: "row\n".repeat(50_000) }] }, { hint });
    expect(
      blocksOf(result)
        .map(({ text }) => text)
        .join("\n"),
    ).toContain("ask the librarian (1)");
    expect(seen[0]).toMatchObject({ outcome: { kind: "success" }, shown: { size: { lines: 50_000 } } });
    expect(seen[0]).not.toHaveProperty("words");
  });
});
