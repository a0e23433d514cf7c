import { describe, expect, it } from "vitest";
import { formatPlural, pluralOf, renderOmission } from "../../src/preview/omission.ts";

describe("pluralOf", () => {
  it.each([
    ["line", "lines"],
    ["byte", "bytes"],
    ["match", "matches"],
    ["entry", "entries"],
  ])("one %s, two %s", (one, more) => {
    expect([0, 1, 2].map((count) => pluralOf(count, one))).toEqual([more, one, more]);
    expect(formatPlural(1200, one)).toBe(`1,200 ${more}`);
  });
});

describe("renderOmission", () => {
  it.each([
    [1, "1 more line like one above is not shown"],
    [2, "2 more lines like one above are not shown"],
  ])("says that %i similar line was left out", (similar, words) => {
    const omission = { lines: 3, bytes: 30, chars: 30, startLine: 2, endLine: 4, startByte: 1, endByte: 31 };
    expect(renderOmission(omission, { compact: true, similar })).toContain(words);
  });
});
