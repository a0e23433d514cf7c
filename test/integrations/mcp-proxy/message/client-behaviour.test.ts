import { describe, expect, test } from "vitest";
import { createMemoryStore } from "../../../../src/artifacts/memory-store.ts";
import { jsonBytes } from "../../../../src/bytes/json/json-size.ts";
import type { SpillwayOptions } from "../../../../src/gate/types.ts";
import type { BoundRequest } from "../../../../src/integrations/mcp-proxy/message/bound-context.ts";
import { boundMessage } from "../../../../src/integrations/mcp-proxy/message/bound-message.ts";
import { createProxyGate } from "../../../../src/integrations/mcp-proxy/proxy-gate.ts";
import type { JsonObject } from "../../../../src/integrations/mcp-shared/json-rpc.ts";

const LOG = Array.from({ length: 40_000 }, (_, at) =>
  at === 25_000 ? "error: the disk of node 7 is full" : `line ${at} of the file`,
).join("\n");

interface Block {
  readonly type: string;
  readonly text?: string;
}

/** What the model of each kind of client gets to see of a result. */
const VIEWS = {
  "text-only": (result: JsonObject) => textOf(result),
  "structured-only": (result: JsonObject) =>
    result.structuredContent === undefined ? textOf(result) : JSON.stringify(result.structuredContent),
  both: (result: JsonObject) => textOf(result) + JSON.stringify(result.structuredContent ?? null),
};

function textOf({ content }: JsonObject): string {
  return (content as Block[]).map(({ text }) => text ?? "").join("\n");
}

async function bound(result: JsonObject, request: Partial<BoundRequest> = {}, options: SpillwayOptions = {}) {
  const spillway = createProxyGate({ store: createMemoryStore(), config: false, env: {}, ...options });
  const { message } = await boundMessage(
    { jsonrpc: "2.0", id: 1, result },
    { tool: "t", callId: "1", reader: "mcp__files__spillway_read", links: true, ...request },
    spillway,
  );
  return message.result!;
}

const idOf = (result: JsonObject): string =>
  ((result._meta as JsonObject)["spillway/truncation"] as { artifact_id: string }).artifact_id;

describe.each([
  ["text-only", false],
  ["structured-only", true],
  ["both", false],
] as const)("a client that shows %s", (view, textOnly) => {
  const see = VIEWS[view];

  test("sees the error of a long text, the artifact and the reader, whatever form the server gave it", async () => {
    for (const given of [
      { content: [{ type: "text", text: LOG }], structuredContent: { content: LOG } },
      { content: [{ type: "text", text: JSON.stringify({ log: LOG }) }], structuredContent: { log: LOG } },
      { content: [{ type: "text", text: LOG }], structuredContent: { lines: 40_000 } },
      { content: [{ type: "text", text: LOG }] },
    ]) {
      const result = await bound(given, { textOnly });
      const seen = see(result);
      expect(seen).toContain("the disk of node 7 is full");
      expect(seen).toContain(idOf(result));
      expect(seen).toContain("mcp__files__spillway_read");
      if (given.structuredContent && "lines" in given.structuredContent && view !== "text-only")
        expect(seen).toContain('"lines":40000');
    }
  });

  test("sees that a list was cut, and where the rest is", async () => {
    const rows = Array.from({ length: 5000 }, (_, id) => ({ id, name: `row ${id}` }));
    const given = { content: [{ type: "text", text: JSON.stringify({ rows }) }], structuredContent: { rows } };
    const result = await bound(given, { textOnly });
    expect(see(result)).toContain('"name":"row 3"');
    expect(see(result)).toContain(idOf(result));
  });

  test("sees a result within the limits as it came", async () => {
    const given = { content: [{ type: "text", text: "{}" }], structuredContent: { a: 1 } };
    expect(await bound(given, { textOnly })).toBe(given);
  });

  test("is told of an image that was left out", async () => {
    const image = { type: "image", mimeType: "image/png", data: "A".repeat(80_000) };
    const result = await bound({ content: [image], structuredContent: { shot: 1 } }, { textOnly, maxMediaBytes: 1000 });
    if (view !== "text-only" || textOnly) expect(see(result)).toContain('"shot":1');
    if (view !== "both") expect(textOf(result)).toContain("image of type image/png");
    if (textOnly) expect(result.structuredContent).toBeUndefined();
  });
});

describe("a client that shows text and structured content one after the other", () => {
  const both = { textOnly: true, structuredBeside: true };
  const rowsOf = (count: number) => Array.from({ length: count }, (_, id) => ({ id, name: `customer ${id}` }));

  test.each([10, 200, 320, 500, 600, 900, 2000, 20_000])("sees both within one limit, %i rows", async (count) => {
    const rows = rowsOf(count);
    for (const text of [JSON.stringify({ rows }), JSON.stringify({ rows }, null, 2), `${count} customers`]) {
      const given = { content: [{ type: "text", text }], structuredContent: { rows } };
      const result = await bound(given, both, { maxBytes: 20_000 });
      const whole = text.length + JSON.stringify({ rows }).length <= 20_000;
      if (whole) expect(result).toBe(given);
      const seen = textOf(result) + (result.structuredContent ? JSON.stringify(result.structuredContent) : "");
      expect(Buffer.byteLength(seen)).toBeLessThanOrEqual(20_800);
      expect(seen.replaceAll(" ", "")).toContain('"name":"customer3"');
      if (!text.startsWith("{")) expect(seen).toContain(text);
    }
  });
});

test("a client of text gets all of it in text when only the structured form is too long", async () => {
  const text = "\n".repeat(1500);
  const given = { content: [{ type: "text", text }], structuredContent: { content: text } };
  const result = await bound(given, { textOnly: true }, { maxBytes: 2000 });
  expect(result).toEqual({ content: [{ type: "text", text }] });
});

test("a schema without room for a notice has it in the text that was cut", async () => {
  const outputSchema = {
    type: "object",
    properties: { log: { type: "string" }, ok: { type: "boolean" } },
    required: ["log", "ok"],
    additionalProperties: false,
  };
  const result = await bound({ content: [], structuredContent: { log: LOG, ok: true } }, { outputSchema });
  const { log, ok } = result.structuredContent as { log: string; ok: boolean };
  expect(Object.keys(result.structuredContent as object)).toEqual(["log", "ok"]);
  expect(ok).toBe(true);
  expect(log).toContain("the disk of node 7 is full");
  expect(log).toContain(`mcp__files__spillway_read {"id":"${idOf(result)}"}`);
  expect(jsonBytes(result.structuredContent)).toBeLessThanOrEqual(51_200);
});

test("limits come from the client, less for errors, unless somebody configured them", async () => {
  const clientBytes = { success: 20_000, failure: 5000 };
  const given = { content: [{ type: "text", text: LOG }] };
  const sizeOf = (result: JsonObject) => Buffer.byteLength(textOf(result));
  expect(sizeOf(await bound(given, { clientBytes }))).toBeLessThanOrEqual(20_100);
  expect(sizeOf(await bound(given, { clientBytes }))).toBeGreaterThan(500);
  expect(sizeOf(await bound({ ...given, isError: true }, { clientBytes }))).toBeLessThanOrEqual(5100);
  const wide = { content: [{ type: "text", text: "x".repeat(40_000) }] };
  expect(await bound(wide, { clientBytes }, { maxBytes: 45_000 })).toBe(wide);
});
