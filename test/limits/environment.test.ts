import { describe, expect, it } from "vitest";
import { readEnvironment } from "../../src/limits/environment.ts";

describe("readEnvironment", () => {
  it("reads the five variables", () => {
    expect(
      readEnvironment({
        TOOL_OUTPUT_MAX_LINES: "100",
        TOOL_OUTPUT_MAX_BYTES: "50KB",
        TOOL_OUTPUT_TRUNCATE_DIRECTION: "tail",
        TOOL_OUTPUT_DIR: "out/here",
        TOOL_OUTPUT_RETENTION_DAYS: "0.5",
        PATH: "/bin",
      }),
    ).toEqual({ maxLines: 100, maxBytes: 51_200, strategy: "tail", dir: "out/here", retentionDays: 0.5 });
  });

  it("takes an empty variable for none", () => {
    expect(readEnvironment({ TOOL_OUTPUT_MAX_LINES: "", TOOL_OUTPUT_DIR: "  " })).toEqual({});
    expect(readEnvironment({})).toEqual({});
  });

  it.each([
    ["TOOL_OUTPUT_MAX_LINES", "0"],
    ["TOOL_OUTPUT_MAX_LINES", "-1"],
    ["TOOL_OUTPUT_MAX_LINES", "NaN"],
    ["TOOL_OUTPUT_MAX_LINES", "50KB"],
    ["TOOL_OUTPUT_MAX_BYTES", "many"],
    ["TOOL_OUTPUT_MAX_BYTES", "-50KB"],
    ["TOOL_OUTPUT_TRUNCATE_DIRECTION", "middle"],
    ["TOOL_OUTPUT_RETENTION_DAYS", "0"],
    ["TOOL_OUTPUT_RETENTION_DAYS", "a week"],
  ])("says that %s=%s makes no sense", (name, value) => {
    expect(() => readEnvironment({ [name]: value })).toThrow(new RegExp(`^${name} must be .*${value}`));
  });
});
