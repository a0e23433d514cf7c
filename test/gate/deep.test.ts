import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../../src/artifacts/memory-store.ts";
import { ObservationTruncator } from "../../src/gate/observation-truncator.ts";
import { renderMessage } from "../../src/gate/render/notice.ts";
import { createSpillway } from "../../src/gate/spillway.ts";
import { validateToolResponse } from "../../src/protocol/validate.ts";
import { temporaryFolder } from "../support/folder.ts";

const DEPTH = 1_000_000;
const root = temporaryFolder("deep");
const options = { root, env: {}, config: false, store: createMemoryStore() } as const;

/** Lists and objects in turn. */
function nested(depth: number): unknown {
  let value: unknown = "the innermost";
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? { a: value } : [value];
  return value;
}

function envelope(data: Record<string, unknown>) {
  return { status: "success", data, text: "Done.", stats: { time_ms: 1 }, context: { cwd: ".", params_input: {} } };
}

describe(`what is nested ${DEPTH.toLocaleString("en-US")} deep`, () => {
  it("is bounded as a value beside a list", { timeout: 180_000 }, async () => {
    const value = { deep: nested(DEPTH), rows: Array.from({ length: 9000 }, (_, row) => row) };
    const governed = await createSpillway(options).govern({ value });
    expect(governed.kind).toBe("bounded");
    expect(Buffer.byteLength(renderMessage(governed))).toBeLessThanOrEqual(51_200);
  });

  it("is bounded and judged as an envelope, at a tenth of that", { timeout: 180_000 }, async () => {
    const given = envelope({ deep: nested(DEPTH / 10) });
    expect(() => validateToolResponse(given)).not.toThrow();
    const { data } = await new ObservationTruncator(options).truncate("Deep", given);
    expect(data.truncated).toBe(true);
    expect(Buffer.byteLength(String(data.preview))).toBeLessThanOrEqual(51_200);
  });

  it.each([
    ["JSON", `${"[".repeat(DEPTH)}1${"]".repeat(DEPTH)}`],
    ["markup", `<html><body>${"<div>".repeat(DEPTH)}the innermost${"</div>".repeat(DEPTH)}</body></html>`],
    ["brackets that never end", "{[".repeat(DEPTH)],
  ])("is bounded as a text of %s", async (_, text) => {
    const governed = await createSpillway(options).govern(text);
    expect(governed.kind).toBe("bounded");
    expect(Buffer.byteLength(renderMessage(governed))).toBeLessThanOrEqual(51_200);
  });
});
