import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonBytes } from "../../src/bytes/json/json-size.ts";
import { stringifyDeep, stringifyJson } from "../../src/bytes/json/stringify-json.ts";

const DEPTH = 1_000_000;
const DEEP = [
  ["arrays", "[".repeat(DEPTH) + "]".repeat(DEPTH)],
  ["objects", `${'{"a":'.repeat(DEPTH)}1${"}".repeat(DEPTH)}`],
] as const;

describe("JSON without a call for each level", () => {
  it("is written as JSON.stringify writes it", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(stringifyDeep(value)).toBe(JSON.stringify(value));
        expect(stringifyJson(value, 2)).toBe(JSON.stringify(value, null, 2));
      }),
    );
  });

  it("leaves out and converts what JSON.stringify does", () => {
    const value = { a: undefined, b: [undefined, () => 1, Symbol("x")], c: new Date(0), d: NaN, e: {}, f: [] };
    expect(stringifyDeep(value)).toBe(JSON.stringify(value));
  });

  it("names a cycle, and writes what stands twice twice", () => {
    const twice = { x: 1n };
    const cycle: Record<string, unknown> = { one: twice, two: twice };
    cycle.self = cycle;
    expect(stringifyDeep(cycle)).toBe('{"one":{"x":"1"},"two":{"x":"1"},"self":"[circular]"}');
  });

  it.each(DEEP)(`holds %s nested ${DEPTH.toLocaleString("en-US")} deep`, (_, json) => {
    const value: unknown = JSON.parse(json);
    expect(stringifyJson(value, 2) === json).toBe(true);
    expect(jsonBytes(value)).toBe(json.length);
  });

  it("is measured as it is written", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(jsonBytes(value)).toBe(Buffer.byteLength(JSON.stringify(value)));
      }),
    );
  });
});
