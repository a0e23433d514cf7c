import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../../../src/artifacts/memory-store.ts";
import { renderEnvelope } from "../../../src/gate/render/envelope.ts";
import { renderMessage } from "../../../src/gate/render/notice.ts";
import { renderWrapper } from "../../../src/gate/render/wrapper.ts";
import { createSpillway } from "../../../src/gate/spillway.ts";
import type { BoundedResult, Governed, GovernOptions, SpillwayOptions } from "../../../src/gate/types.ts";
import { STRATEGIES } from "../../../src/limits/types.ts";
import { measure } from "../../../src/preview/measure.ts";
import { loadTokenizer } from "../../../src/preview/tokenizer.ts";
import { expectEnvelope } from "../../support/envelope.ts";
import { createFailingStore } from "../../support/failing-store.ts";

const store = createMemoryStore();
const gate = (options: SpillwayOptions = {}) => createSpillway({ store, env: {}, config: false, ...options });
const rowsOf = (count: number) => Array.from({ length: count }, (_, id) => ({ id, name: `row ${id}` }));
const base = { root: "/", stats: { time_ms: 1 }, context: { cwd: ".", params_input: {} } };

function bounded(governed: Governed): BoundedResult {
  return governed.kind === "bounded" ? governed : expect.unreachable("the value was within limits");
}

async function stored(governed: BoundedResult): Promise<unknown> {
  const { storage } = governed;
  if (!("artifact" in storage)) return expect.unreachable(storage.lost);
  const chunks: Uint8Array[] = [];
  for await (const chunk of store.read(storage.artifact.id)) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

describe("a value that is a list", () => {
  it("is shown one item a line, with a marker that names the items left out", async () => {
    const governed = bounded(await gate().govern({ value: rowsOf(500) }, { maxLines: 20 }));
    const message = renderMessage(governed);
    const [shown, notice] = message.split("\n\n");
    const lines = (shown ?? "").split("\n");
    const kept = lines.length - 1;
    expect(lines.slice(0, -1).map((line) => JSON.parse(line))).toEqual(rowsOf(kept));
    expect(lines.at(-1)).toMatch(
      new RegExp(`^…[0-9a-f]{6} ${500 - kept} items \\(.*\\) omitted: items ${kept + 1}-500 …$`),
    );
    expect(message.split("\n").length).toBeLessThanOrEqual(20);
    expect(notice).toContain(`${kept} of 500 items`);
    expect(renderWrapper(governed).preview).toBe(shown);
    expect(await stored(governed)).toEqual(rowsOf(500));
  });

  it("becomes data.items of an envelope, as many as the limit says", async () => {
    const governed = bounded(await gate().govern({ value: rowsOf(500) }, { maxLines: 20 }));
    const { data, text } = expectEnvelope(renderEnvelope(governed, base));
    expect(data.items).toEqual(rowsOf(20));
    expect(data.truncation).toMatchObject({ original_lines: 500, kept_lines: 20, original_items: 500, kept_items: 20 });
    expect(text).toContain("20 of 500 items");
  });

  it("is whole when its items are within the limits, also where pretty JSON is not", async () => {
    const value = rowsOf(20);
    const governed = await gate().govern({ value }, { maxLines: 20 });
    expect(governed).toMatchObject({ kind: "whole", value, size: { lines: 20 } });
    expect(governed.kind === "whole" && JSON.parse(governed.text)).toEqual(value);
    expect(renderMessage(governed).split("\n").length).toBeLessThanOrEqual(20);
  });
});

it("an object that holds one list keeps its other fields, in the text too", async () => {
  const governed = bounded(
    await gate().govern({ value: { total: 500, next: "p2", rows: rowsOf(500) } }, { maxLines: 20 }),
  );
  expect(renderMessage(governed)).toMatch(/^\{"total":500,"next":"p2","rows":"\[500 items\]"\}\n\{"id":0,/);
  expect(renderEnvelope(governed, base).data).toMatchObject({ total: 500, next: "p2", rows: rowsOf(20) });
});

it("what JSON cannot hold is left out or written as text, and no envelope breaks on it", async () => {
  const rows = rowsOf(100).map((row) => ({ ...row, big: 2n ** 70n, at: new Date(0), gone: undefined }));
  const governed = bounded(await gate().govern({ value: { rows } }, { maxLines: 5 }));
  const { data } = expectEnvelope(renderEnvelope(governed, base));
  expect((data.rows as unknown[])[0]).toEqual({
    id: 0,
    name: "row 0",
    big: String(2n ** 70n),
    at: "1970-01-01T00:00:00.000Z",
  });
});

it("a store that fails costs the artifact, not the items", async () => {
  const broken = createSpillway({ store: createFailingStore("create", "reject"), env: {}, config: false });
  const governed = bounded(await broken.govern({ value: rowsOf(500) }, { maxLines: 20 }));
  const { data } = expectEnvelope(renderEnvelope(governed, base));
  expect(data.items).toEqual(rowsOf(20));
  expect(data.truncation).toMatchObject({ full_output_path: null, lost: expect.stringContaining("the store is down") });
});

it("counts the call once", async () => {
  const spillway = gate();
  await spillway.govern({ value: rowsOf(500) }, { maxLines: 20, tool: "db" });
  await spillway.govern({ value: rowsOf(5) }, { maxLines: 5, tool: "db" });
  expect(spillway.stats().db).toMatchObject({ calls: 2, truncated: 1 });
});

const item = fc.oneof(
  { weight: 3, arbitrary: fc.record({ id: fc.nat(), text: fc.string({ unit: "grapheme", maxLength: 60 }) }) },
  fc.string({ unit: "grapheme", maxLength: 300 }),
  fc.integer(),
  fc.jsonValue(),
  fc.nat({ max: 3000 }).map((length) => "x".repeat(length)),
);
const text = fc
  .array(fc.string({ unit: "grapheme", maxLength: 40 }), { maxLength: 200 })
  .map((lines) => lines.join("\n"));
const list = fc.array(item, { maxLength: 120 });
const value = fc.oneof(
  list,
  fc.record({ rows: list, note: fc.string() }),
  fc.record({ stdout: text, stderr: text, code: fc.nat() }),
  fc.record({ a: list, b: list, log: text }),
  fc.dictionary(fc.string({ maxLength: 8 }), item, { maxKeys: 60 }),
  fc.record({ inner: fc.record({ rows: list }) }),
);
const options: fc.Arbitrary<GovernOptions> = fc.record({
  strategy: fc.constantFrom(...STRATEGIES),
  maxLines: fc.integer({ min: 1, max: 60 }),
  maxBytes: fc.integer({ min: 1, max: 4000 }),
  maxChars: fc.option(fc.integer({ min: 1, max: 4000 }), { nil: undefined }),
  maxTokens: fc.option(fc.integer({ min: 1, max: 1000 }), { nil: undefined }),
  query: fc.option(fc.string({ maxLength: 20 }), { nil: undefined }),
});

it("whatever the value: no rendering exceeds a limit, and kept + omitted = all", async () => {
  const spillway = gate();
  const countTokens = await loadTokenizer();
  await fc.assert(
    fc.asyncProperty(value, options, async (input, limits) => {
      const governed = await spillway.govern({ value: input }, limits);
      const message = renderMessage(governed);
      const size = measure(message);
      expect(size.lines).toBeLessThanOrEqual(limits.maxLines ?? Infinity);
      expect(size.bytes).toBeLessThanOrEqual(limits.maxBytes ?? Infinity);
      expect(size.chars).toBeLessThanOrEqual(limits.maxChars ?? Infinity);
      expect(countTokens(message)).toBeLessThanOrEqual(limits.maxTokens ?? Infinity);
      if (governed.kind === "whole") return;
      const { preview } = governed;
      const omitted = preview.omissions.reduce(
        (sum, { lines, bytes }) => ({ lines: sum.lines + lines, bytes: sum.bytes + bytes }),
        { lines: 0, bytes: 0 },
      );
      expect(preview.kept.bytes + omitted.bytes).toBe(preview.source.bytes);
      if (governed.structured === undefined) return;
      const { items, kept, preview: short } = governed.structured;
      expect(kept.lines).toBeLessThanOrEqual(limits.maxLines ?? Infinity);
      expect(kept.bytes + Buffer.byteLength(short)).toBeLessThanOrEqual((limits.maxBytes ?? Infinity) + 1);
      if (items) expect(items.kept).toBeLessThanOrEqual(items.total);
      expectEnvelope(JSON.parse(JSON.stringify(renderEnvelope(governed, base))));
    }),
    { numRuns: 300 },
  );
});
