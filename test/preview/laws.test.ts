import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Limits, Strategy } from "../../src/limits/types.ts";
import { createAccumulator, estimateTokens, preview } from "../../src/preview/index.ts";
import { measure } from "../../src/preview/measure.ts";
import type { Preview } from "../../src/preview/types.ts";
import { chunked, cuts, outputBytes, outputText } from "../support/text.ts";

const STRATEGIES: readonly Strategy[] = ["head", "tail", "head_tail", "smart"];

const limits: fc.Arbitrary<Limits> = fc.record({
  maxLines: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constant(Infinity)),
  maxBytes: fc.oneof(fc.integer({ min: 1, max: 2000 }), fc.constant(Infinity)),
  maxChars: fc.oneof(fc.integer({ min: 1, max: 2000 }), fc.constant(Infinity)),
  maxTokens: fc.oneof(
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 300 }) },
    { weight: 3, arbitrary: fc.constant(Infinity) },
  ),
});

function accumulate(chunks: readonly Uint8Array[], strategy: Strategy, limits: Limits, query?: string): Preview {
  const accumulator = createAccumulator({ strategy, limits, query });
  for (const chunk of chunks) {
    // As from a reader that uses its buffer again.
    const buffer = Buffer.from(chunk);
    accumulator.write(buffer);
    buffer.fill(0);
  }
  return accumulator.finish();
}

function expectLaws(result: Preview, bytes: Uint8Array, limits: Limits): void {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const lines = text.split("\n").length - (text.endsWith("\n") || text === "" ? 1 : 0);
  expect(result.source).toEqual({ lines, bytes: bytes.length, chars: text.length });
  if (!result.truncated) expect(result.text).toBe(text);
  else {
    const size = measure(result.text);
    expect(size.lines).toBeLessThanOrEqual(limits.maxLines);
    expect(size.bytes).toBeLessThanOrEqual(limits.maxBytes);
    expect(size.chars).toBeLessThanOrEqual(limits.maxChars);
    expect(estimateTokens(result.text)).toBeLessThanOrEqual(limits.maxTokens);
  }
  expect(result.text.isWellFormed()).toBe(true);
  const omitted = result.omissions.reduce(
    (sum, omission) => ({
      lines: sum.lines + omission.lines,
      bytes: sum.bytes + omission.bytes,
      chars: sum.chars + omission.chars,
    }),
    { lines: 0, bytes: 0, chars: 0 },
  );
  expect(result.kept.lines + omitted.lines).toBe(lines);
  expect(result.kept.bytes + omitted.bytes).toBe(bytes.length);
  expect(result.kept.chars + omitted.chars).toBe(text.length);
  expect(result.kept.lines).toBeGreaterThanOrEqual(0);
  let at = 0;
  for (const omission of result.omissions) {
    expect(omission.startByte).toBeGreaterThanOrEqual(at);
    expect(omission.endByte - omission.startByte).toBe(omission.bytes);
    expect(omission.bytes).toBeGreaterThan(0);
    at = omission.endByte;
  }
  expect(at).toBeLessThanOrEqual(bytes.length);
}

describe.each(STRATEGIES)("%s", (strategy) => {
  it("exceeds no limit, loses no count and gives valid Unicode", () => {
    fc.assert(
      fc.property(outputBytes, limits, (bytes, limits) => {
        expectLaws(accumulate([bytes], strategy, limits), bytes, limits);
      }),
      { numRuns: 300 },
    );
  });

  it("gives the same preview whatever the chunks", () => {
    fc.assert(
      fc.property(outputBytes, limits, cuts, (bytes, limits, cuts) => {
        expect(accumulate(chunked(bytes, cuts), strategy, limits)).toEqual(accumulate([bytes], strategy, limits));
      }),
      { numRuns: 200 },
    );
  });

  it("gives the same for a string as for its stream", () => {
    fc.assert(
      fc.property(outputText, limits, (text, limits) => {
        const fromString = preview(text, { ...limits, strategy });
        const fromStream = accumulate([new TextEncoder().encode(text)], strategy, limits);
        if (fromStream.truncated) expect(fromString).toEqual(fromStream);
        else expect(fromString.text).toBe(text);
      }),
      { numRuns: 200 },
    );
  });

  it("holds the same laws on outputs larger than what it keeps in memory", () => {
    const lines = Array.from(
      { length: 30_000 },
      (_, index) => `${index} ${"漢".repeat(index % 7)} some text that fills the line`,
    );
    const bytes = new TextEncoder().encode(lines.join("\n"));
    const limits = { maxLines: 50, maxBytes: 3000, maxChars: Infinity, maxTokens: Infinity };
    const whole = accumulate([bytes], strategy, limits);
    expectLaws(whole, bytes, limits);
    expect(accumulate(chunked(bytes, [0.1, 0.1001, 0.5, 0.77]), strategy, limits)).toEqual(whole);
  });

  it("holds the same laws on lines longer than what it keeps in memory", () => {
    const line = fc.oneof(
      { weight: 2, arbitrary: fc.integer({ min: 0, max: 400_000 }) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 200 }) },
    );
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 5 }),
        fc.constantFrom("x", "é", "漢😀"),
        fc.boolean(),
        fc.integer({ min: 20, max: 20_000 }),
        cuts,
        (lengths, unit, ended, maxBytes, cuts) => {
          const text = lengths.map((length) => unit.repeat(length / unit.length)).join("\n") + (ended ? "\n" : "");
          const bytes = new TextEncoder().encode(text);
          const limits = { maxLines: 50, maxBytes, maxChars: Infinity, maxTokens: Infinity };
          const whole = accumulate([bytes], strategy, limits);
          expectLaws(whole, bytes, limits);
          expect(accumulate(chunked(bytes, cuts), strategy, limits)).toEqual(whole);
          const fromString = preview(text, { ...limits, strategy });
          if (whole.truncated) expect(whole).toEqual(fromString);
        },
      ),
      { numRuns: 30 },
    );
  });
});
