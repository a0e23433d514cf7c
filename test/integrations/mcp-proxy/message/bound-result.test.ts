import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMemoryStore } from "../../../../src/artifacts/memory-store.ts";
import { jsonBytes } from "../../../../src/bytes/json/json-size.ts";
import { fairShare } from "../../../../src/gate/items/fair-share.ts";
import { boundMessage } from "../../../../src/integrations/mcp-proxy/message/bound-message.ts";
import { shrinkJson } from "../../../../src/integrations/mcp-proxy/message/shrink-json.ts";
import { createProxyGate } from "../../../../src/integrations/mcp-proxy/proxy-gate.ts";
import type { LimitOptions } from "../../../../src/limits/types.ts";

const READER = "spillway_read";

async function bound(content: readonly unknown[], limits: LimitOptions) {
  const spillway = createProxyGate({ store: createMemoryStore(), config: false, env: {}, ...limits });
  const message = { jsonrpc: "2.0" as const, id: 1, result: { content, _meta: { kept: 1 } } };
  return boundMessage(message, { tool: "t", callId: "1", reader: READER, links: true }, spillway);
}

const block = fc.record({
  type: fc.constant("text"),
  text: fc.array(fc.string({ unit: "grapheme", maxLength: 40 }), { maxLength: 60 }).map((lines) => lines.join("\n")),
});

describe("boundMessage", () => {
  test("whatever the blocks: text never exceeds a limit, and within limits nothing changes", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(block, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 400, max: 4000 }),
        fc.integer({ min: 20, max: 80 }),
        async (blocks, maxBytes, maxLines) => {
          const { message } = await bound(blocks, { maxBytes, maxLines });
          const shown = message.result!.content as { type: string; text?: string }[];
          const texts = shown.flatMap(({ type, text }) => (type === "text" ? [text!] : []));
          const count = (text: string): number =>
            text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
          const total = blocks.reduce(
            (sum, each) => ({ bytes: sum.bytes + Buffer.byteLength(each.text), lines: sum.lines + count(each.text) }),
            { bytes: 0, lines: 0 },
          );
          if (total.bytes <= maxBytes && total.lines <= maxLines) {
            expect(shown).toBe(blocks);
            return;
          }
          expect(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)).toBeLessThanOrEqual(maxBytes);
          expect(texts.reduce((sum, text) => sum + count(text), 0)).toBeLessThanOrEqual(maxLines);
          expect(message.result!._meta).toMatchObject({
            kept: 1,
            "spillway/truncation": { schema: 1, max_bytes: maxBytes },
          });
        },
      ),
      { numRuns: 60 },
    );
  });

  test("a limit too small for a notice still has the typed facts", async () => {
    const { message } = await bound([{ type: "text", text: "x".repeat(500) }], { maxBytes: 60 });
    const texts = (message.result!.content as { text?: string }[]).map(({ text }) => text ?? "");
    expect(Buffer.byteLength(texts.join(""))).toBeLessThanOrEqual(60);
    expect(message.result!._meta).toHaveProperty("spillway/truncation");
  });

  test("a store that fails: bounded, and the loss is told", async () => {
    const store = createMemoryStore();
    store.create = () => Promise.reject(new Error("no space left"));
    const spillway = createProxyGate({ store, config: false, env: {} });
    const message = {
      jsonrpc: "2.0" as const,
      id: 1,
      result: {
        content: [
          { type: "text", text: "row\n".repeat(5000) },
          { type: "image", mimeType: "image/png", data: "A".repeat(80_000) },
        ],
      },
    };
    const { message: shown } = await boundMessage(
      message,
      { tool: "t", callId: "1", reader: READER, links: true },
      spillway,
    );
    expect(JSON.stringify(shown)).toContain("no space left");
    expect(JSON.stringify(shown).length).toBeLessThan(60_000);
  });
});

test("fairShare: together within what is available, and nobody gets less than an equal part", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1000), { minLength: 1, maxLength: 10 }), fc.nat(5000), (sizes, available) => {
      const share = fairShare(sizes, available);
      const taken = sizes.reduce((sum, size) => sum + Math.min(size, share), 0);
      expect(taken).toBeLessThanOrEqual(Math.max(available, 0));
      expect(share).toBeGreaterThanOrEqual(Math.floor(available / sizes.length));
    }),
  );
});

test("shrinkJson: small enough where the schema lets it, of the same kind, and untouched when it fits", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())),
      fc.integer({ min: 60, max: 2000 }),
      (value, room) => {
        const { value: shrunk, cuts } = shrinkJson(value, room);
        if (jsonBytes(value) <= room) {
          expect(shrunk).toBe(value);
          expect(cuts).toEqual([]);
          return;
        }
        expect(Array.isArray(shrunk)).toBe(Array.isArray(value));
        expect(cuts.length).toBeGreaterThan(0);
        expect(jsonBytes(shrunk)).toBe(Buffer.byteLength(JSON.stringify(shrunk)));
        expect(jsonBytes(shrunk)).toBeLessThanOrEqual(room);
      },
    ),
  );
  const rows = {
    rows: Array.from({ length: 1000 }, (_, id) => ({ id, text: "row".repeat(10) })),
    note: "n".repeat(5000),
  };
  const { value, cuts } = shrinkJson(rows, 4000, { required: ["rows"], properties: { rows: { minItems: 3 } } });
  expect(jsonBytes(value)).toBeLessThanOrEqual(4000);
  expect(cuts.map(({ pointer, unit }) => `${pointer} ${unit}`).sort()).toEqual(["/note characters", "/rows items"]);
});
