import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Limits } from "../../../src/limits/types.ts";
import { finishMarked } from "../../../src/preview/accumulator.ts";
import { fitsRoom } from "../../../src/preview/fit.ts";
import { createSmartAccumulator } from "../../../src/preview/smart/smart-accumulator.ts";
import { estimateTokens } from "../../../src/preview/tokens/estimate-tokens.ts";
import type { Preview } from "../../../src/preview/types.ts";

const encoder = new TextEncoder();

function run(bytes: Uint8Array, limits: Limits, cuts: readonly number[], query = ""): Preview {
  const options = { limits, strategy: "smart", query } as const;
  const accumulator = createSmartAccumulator(options);
  let at = 0;
  for (const cut of [...cuts].sort((a, b) => a - b)) {
    accumulator.write(bytes.subarray(at, cut));
    at = cut;
  }
  accumulator.write(bytes.subarray(at));
  return finishMarked((within) => accumulator.finish(within), options, {});
}

const logLine = fc.oneof(
  fc.constantFrom(
    "src/main.c:12:5: error: expected ';' before '}' token",
    "  at Object.<anonymous> (/app/index.js:10:3)",
    "\u001b[31mFAIL\u001b[0m test/a.test.ts > adds",
    "Downloading 10%\rDownloading 55%\rDownloading 100%",
    "make: *** [all] Error 2",
    "",
    "{",
    "日本語のログ 🚀 エラー",
    "=== 3 failed, 12 passed in 0.3s ===",
  ),
  fc.string({ maxLength: 60 }),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.nat({ max: 3000 }).map((length) => `${"x".repeat(length)} error ${"y".repeat(length)}`),
);
const output = fc
  .tuple(fc.array(logLine, { maxLength: 120, size: "max" }), fc.constantFrom("\n", "\r\n"), fc.boolean())
  .map(([lines, newline, terminated]) => encoder.encode(lines.join(newline) + (terminated ? newline : "")));
const bytes = fc.oneof(
  { weight: 4, arbitrary: output },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 4000, size: "max" }) },
);
const limits = fc.record({
  maxLines: fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 60 })),
  maxBytes: fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 3000 })),
  maxChars: fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 3000 })),
  maxTokens: fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 800 })),
});

describe("smart previews of generated outputs", () => {
  it("exceed no limit, add up, and are valid Unicode", () => {
    fc.assert(
      fc.property(bytes, limits, fc.constantFrom("", "why does main.c fail?"), (source, limit, query) => {
        const preview = run(source, limit, [], query);
        const room = {
          lines: limit.maxLines,
          bytes: limit.maxBytes,
          chars: limit.maxChars,
          tokens: limit.maxTokens,
          countTokens: estimateTokens,
        };
        expect(fitsRoom(preview.text, room)).toBe(true);
        expect(preview.text.isWellFormed()).toBe(true);
        const omitted = { lines: 0, bytes: 0, chars: 0 };
        let at = 0;
        for (const omission of preview.omissions) {
          expect(omission.startByte).toBeGreaterThanOrEqual(at);
          expect(omission.endByte - omission.startByte).toBe(omission.bytes);
          at = omission.endByte;
          omitted.lines += omission.lines;
          omitted.bytes += omission.bytes;
          omitted.chars += omission.chars;
        }
        expect(preview.kept.lines + omitted.lines).toBe(preview.source.lines);
        expect(preview.kept.bytes + omitted.bytes).toBe(preview.source.bytes);
        expect(preview.kept.chars + omitted.chars).toBe(preview.source.chars);
        expect(preview.source.bytes).toBe(source.length);
        expect(preview.source.chars).toBe(new TextDecoder("utf-8", { ignoreBOM: true }).decode(source).length);
        if (!preview.truncated) expect(preview.text).toBe(new TextDecoder("utf-8", { ignoreBOM: true }).decode(source));
      }),
      { numRuns: 300 },
    );
  });

  it("are the same whatever the chunks", () => {
    fc.assert(
      fc.property(bytes, limits, fc.array(fc.nat(), { maxLength: 12 }), (source, limit, numbers) => {
        const cuts = numbers.map((number) => number % (source.length + 1));
        expect(run(source, limit, cuts)).toEqual(run(source, limit, []));
      }),
      { numRuns: 100 },
    );
  });

  it("are the same for one large log in chunks of every size", () => {
    const lines = Array.from({ length: 12_000 }, (_, index) =>
      index % 997 === 500 ? `src/x${index}.c:${index}:1: error: bad thing ${index}` : `step ${index} of é everything`,
    );
    const source = encoder.encode(lines.join("\n"));
    const limit = { maxLines: 2000, maxBytes: 8000, maxChars: Infinity, maxTokens: Infinity };
    const whole = run(source, limit, []);
    for (const size of [1000, 65_536, 100_003]) {
      const cuts = Array.from({ length: Math.floor(source.length / size) }, (_, index) => (index + 1) * size);
      expect(run(source, limit, cuts)).toEqual(whole);
    }
    expect(whole.text).toContain("src/x500.c:500:1: error: bad thing 500");
  });
});
