import { describe, expect, it } from "vitest";
import type { TruncatedPart } from "../../../src/gate/render/mcp-facts.ts";
import { renderMcpNotice } from "../../../src/gate/render/mcp-notice.ts";

const part: TruncatedPart = {
  index: 0,
  part: "text",
  action: "preview",
  original_lines: 9000,
  original_bytes: 80_000,
  kept_lines: 100,
  kept_bytes: 4000,
  artifact_id: "20260101T000000000Z-aaaaaaaaaaaa",
  uri: "spillway://artifact/a",
  full_output_path: "out/größe.txt",
};
const notice = (bytes: number, lines: number): string | undefined =>
  renderMcpNotice([{ facts: part }], {}, { bytes, lines });

describe("the notice of an MCP result", () => {
  const whole = notice(10_000, 10) ?? "";
  const bytes = Buffer.byteLength(whole);

  it("takes all of its room, and not one byte more", () => {
    expect(whole.split("\n").length).toBe(2);
    expect(bytes).toBeGreaterThan(whole.length);
    expect(notice(bytes, 2)).toBe(whole);
    expect(notice(bytes - 1, 2)).not.toBe(whole);
    expect(Buffer.byteLength(notice(bytes - 1, 2) ?? "")).toBeLessThan(bytes);
  });

  it("stands on one line where there is but one", () => {
    const line = notice(bytes, 1) ?? "";
    expect(line).toBe(whole.replace("\n", " "));
  });

  it("shrinks to what was cut, and is left out before it would not fit", () => {
    const [first = ""] = whole.split("\n");
    expect(notice(Buffer.byteLength(first), 1)).toBe(first);
    expect(notice(Buffer.byteLength(first) - 1, 1)).toBeUndefined();
    expect(notice(10_000, 0)).toBeUndefined();
  });
});
