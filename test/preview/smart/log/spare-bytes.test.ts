import { describe, expect, it } from "vitest";
import { createAccumulator } from "../../../../src/preview/accumulator.ts";
import type { AccumulatorOptions, FinishOptions, Preview } from "../../../../src/preview/types.ts";

const limits = { maxLines: 2000, maxBytes: 4000, maxChars: Infinity, maxTokens: Infinity };

function lines(count: number, make: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => `${make(index)}\n`).join("");
}

function previewOf(
  text: string,
  step: number,
  options: Partial<AccumulatorOptions> = {},
  finish: FinishOptions = {},
): Preview {
  const bytes = new TextEncoder().encode(text);
  const accumulator = createAccumulator({ limits, strategy: "smart", ...options });
  for (let at = 0; at < bytes.length; at += step) accumulator.write(bytes.slice(at, at + step));
  return accumulator.finish(finish);
}

function expectExact(text: string, preview: Preview): void {
  const bytes = new TextEncoder().encode(text).length;
  const omitted = (of: "bytes" | "chars" | "lines"): number =>
    preview.omissions.reduce((sum, each) => sum + each[of], 0);
  expect(preview.kept.bytes + omitted("bytes")).toBe(bytes);
  expect(preview.kept.chars + omitted("chars")).toBe(text.length);
}

const PATHS = lines(40_000, (index) => `src/größe/part-${index}/index-${index}.ts`);
const BUILD = lines(25_000, (index) => `Compiling the module ${index} – it takes a while and says so at length`);
const FAILED = "src/main.c:12:3: error: 'missing_thing' undeclared\nmake: *** [Makefile:3: all] Error 1\n";

describe("a shape that was trusted", () => {
  it("is left for a log when another output follows it, in any chunks", () => {
    const text = PATHS + BUILD + FAILED + BUILD;
    const preview = previewOf(text, 65_536);
    expect(preview.shape).toBe("log");
    expect(preview.text).toContain("missing_thing");
    const at = text.slice(0, text.indexOf("src/main.c:12:3")).split("\n").length;
    expect(preview.blocks.some(({ startLine, endLine }) => startLine <= at && at <= endLine)).toBe(true);
    expectExact(text, preview);
    for (const step of [4_999, 262_144, 10_000_000]) expect(previewOf(text, step)).toEqual(preview);
  });

  it("still gives the first and the last lines to a room that is too small for it", () => {
    const text = `{"rows":[\n${lines(60_000, (index) => `{"id":${index},"name":"größe"},`)}{"id":0}]}\n`;
    const small = { limits: { ...limits, maxBytes: 40 } };
    const preview = previewOf(text, 65_536, small);
    expectExact(text, preview);
    expect(preview.text.length).toBeGreaterThan(0);
    for (const step of [4_999, 10_000_000]) expect(previewOf(text, step, small)).toEqual(preview);
  });

  it("may be one line without end", () => {
    const text = `[${'"größe 🙂 und mehr",'.repeat(60_000)} this is not JSON any more ${"ü error ".repeat(60_000)}`;
    const preview = previewOf(text, 65_536);
    expectExact(text, preview);
    for (const step of [4_999, 10_000_000]) expect(previewOf(text, step)).toEqual(preview);
  });

  it("is read as a log from the start where only kept lines are wanted", () => {
    const half = lines(40_000, (index) => `{"id":${index},"name":"a"},`);
    const text = `{"rows":[\n${half}{"error":"fatal error: the disk is gone"},\n${half}{"id":0}]}\n`;
    const preview = previewOf(text, 65_536, { markers: "outside" }, { markers: "outside" });
    expect(preview.text).toContain("the disk is gone");
  });
});
