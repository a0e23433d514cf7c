import { describe, expect, it } from "vitest";
import { isSpillwayError } from "../../src/errors.ts";
import { checkLimit, parseBytes, parseLimit, parseStrategy } from "../../src/limits/check.ts";

describe("checkLimit", () => {
  it.each([1, 2000, 51_200, Number.MAX_SAFE_INTEGER, Infinity])("takes %s", (value) => {
    expect(checkLimit(value, "maxLines")).toBe(value);
  });

  it.each([0, -1, NaN, 1.5, -Infinity, 2 ** 60, "50KB", "1e3", null, true])(
    "refuses %s and names the limit",
    (value) => {
      expect(() => checkLimit(value, "maxLines")).toThrow(/^maxLines must be a whole number of at least 1, not /);
    },
  );

  it("throws an error that a program can recognise", () => {
    try {
      checkLimit(0, "maxBytes");
      expect.unreachable();
    } catch (error) {
      expect(isSpillwayError(error) && error.code).toBe("INVALID_LIMIT");
      expect(isSpillwayError(error) && error.details).toEqual({ name: "maxBytes", value: 0 });
    }
  });
});

describe("parseLimit", () => {
  it.each([
    ["2000", 2000],
    [" 2000 ", 2000],
    ["51_200", 51_200],
    ["1e3", 1000],
    ["1E3", 1000],
  ])("reads %j", (text, value) => {
    expect(parseLimit(text, "--max-lines")).toBe(value);
  });

  it.each([
    ["50KB", 51_200],
    ["50 kb", 51_200],
    ["1.5k", 1536],
    ["1MiB", 1_048_576],
    ["512B", 512],
  ])("reads %j as bytes", (text, value) => {
    expect(parseBytes(text, "--max-bytes")).toBe(value);
  });

  it.each(["", "0", "-5", "NaN", "abc", "1.5", "10 apples", "1e99", "0x10", "50KB", "Infinity", "1e3e3"])(
    "refuses %j where no unit is allowed, naming the source and the value",
    (text) => {
      expect(() => parseLimit(text, "TOOL_OUTPUT_MAX_LINES")).toThrow(/^TOOL_OUTPUT_MAX_LINES must be a whole number/);
    },
  );

  it("shows by example what it takes", () => {
    expect(() => parseBytes("50XB", "--max-bytes")).toThrow(
      '--max-bytes must be a whole number of at least 1, such as 51200 or 50KB, not "50XB".',
    );
  });
});

describe("parseStrategy", () => {
  it("knows the four, the old name of head, and summarize", () => {
    for (const name of ["head", "tail", "head_tail", "smart", "summarize"])
      expect(parseStrategy(name, "strategy")).toBe(name);
    expect(parseStrategy("head_only", "strategy")).toBe("head");
  });

  it.each(["sideways", "", undefined, 3, "HEAD"])("refuses %j", (value) => {
    expect(() => parseStrategy(value, "--strategy")).toThrow(/^--strategy must be one of head, tail, head_tail, smart/);
  });
});
