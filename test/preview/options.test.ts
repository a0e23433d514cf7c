import { describe, expect, it } from "vitest";
import { STRATEGIES } from "../../src/limits/types.ts";
import { createAccumulator } from "../../src/preview/accumulator.ts";
import { preview } from "../../src/preview/preview.ts";
import type { AccumulatorOptions, FinishOptions } from "../../src/preview/types.ts";

const TEXT = "a line of text\n".repeat(5000);
const BYTES = new TextEncoder().encode(TEXT);
const LIMITS = { maxLines: 10, maxBytes: 1000, maxChars: Infinity, maxTokens: Infinity };

function accumulate(options: unknown, finish?: unknown): string {
  const accumulator = createAccumulator(options as AccumulatorOptions);
  accumulator.write(BYTES);
  return accumulator.finish(finish as FinishOptions).text;
}

const WRONG_LIMITS: readonly (readonly [unknown, RegExp])[] = [
  [{ lines: 10, bytes: 1000 }, /has no option "lines"\. Did you mean maxLines\?/],
  [{ ...LIMITS, maxLine: 3 }, /has no option "maxLine"\. Did you mean maxLines\?/],
  [{ maxlines: 3 }, /has no option "maxlines"/],
  [{ strategy: "head" }, /has no option "strategy"/],
  [{ ...LIMITS, maxLines: "10" }, /maxLines must be a whole number/],
  [{ ...LIMITS, maxBytes: Number.NaN }, /maxBytes must be a whole number/],
  [{ ...LIMITS, maxChars: -1 }, /maxChars must be a whole number/],
  [{ ...LIMITS, maxTokens: 0.5 }, /maxTokens must be a whole number/],
  [{ ...LIMITS, maxLines: null }, /maxLines must be a whole number/],
  [[], /must be an object/],
  [1000, /limits must be an object/],
  [undefined, /limits must be an object/],
];

describe.each(STRATEGIES)("options of an accumulator, %s", (strategy) => {
  it.each(WRONG_LIMITS)("refuses the limits %j", (limits, message) => {
    expect(() => accumulate({ limits, strategy })).toThrow(message);
  });

  it.each([
    [{ limits: LIMITS, strategy, maxLines: 10 }, /has no option "maxLines"/],
    [{ limits: LIMITS, strategy, Query: "x" }, /has no option "Query"\. Did you mean query\?/],
    [{ limits: LIMITS, strategy: `${strategy}s` }, /strategy must be one of/],
    [{ limits: LIMITS }, /strategy must be one of/],
  ])("refuses %j", (options, message) => {
    expect(() => accumulate(options)).toThrow(message);
  });

  it.each([
    [{ lines: 10 }, /finish\(\) has no option "lines"/],
    [{ marker: "outside" }, /has no option "marker"\. Did you mean/],
    [{ markers: "beside" }, /markers must be one of/],
    [{ mark: 5 }, /mark must be a text/],
    [{ reserve: { line: 1 } }, /has no option "line"\. Did you mean lines\?/],
    [{ reserve: { bytes: Number.NaN } }, /bytes must be a number/],
    [{ reserve: { bytes: "9" } }, /bytes must be a number/],
  ])("refuses to finish with %j", (finish, message) => {
    expect(() => accumulate({ limits: LIMITS, strategy }, finish)).toThrow(message);
    expect(() => preview(TEXT, { ...LIMITS, strategy, ...(finish as object) })).toThrow(
      /has no option|must be one of|must be a/,
    );
  });

  it("refuses text where bytes are due", () => {
    const accumulator = createAccumulator({ limits: LIMITS, strategy });
    expect(() => accumulator.write("text" as unknown as Uint8Array)).toThrow(/write\(\) takes bytes/);
  });

  it.each([{}, { maxLines: 10 }, { maxBytes: 1000 }, { maxChars: 500, maxLines: undefined }, { maxTokens: 90 }])(
    "fills in what the limits %j leave out, as preview() does",
    (limits) => {
      expect(accumulate({ limits, strategy })).toBe(preview(TEXT, { ...limits, strategy }).text);
    },
  );

  it.each([{}, { lines: 2 }, { bytes: 300 }, { lines: undefined, chars: 100 }])(
    "reserves %j and nothing else",
    (reserve) => {
      for (const mark of ["", "0123456789abcdef"]) {
        const text = accumulate({ limits: LIMITS, strategy }, { reserve, mark });
        expect(text.length).toBeGreaterThan(0);
        expect(text.length).toBeLessThanOrEqual(1000 - ("bytes" in reserve ? (reserve.bytes ?? 0) : 0));
        expect(text.split("\n").length).toBeLessThanOrEqual(10 - ("lines" in reserve ? (reserve.lines ?? 0) : 0));
      }
    },
  );
});
