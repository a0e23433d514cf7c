import { describe, expect, it } from "vitest";
import { SpillwayError } from "../../src/errors.ts";
import { failure, partial, success } from "../../src/protocol/index.ts";
import { expectEnvelope, expectError } from "../support/envelope.ts";

const base = { stats: { time_ms: 3 }, context: { cwd: ".", params_input: { path: "a" } } };

describe("the builder", () => {
  it("writes a success", () => {
    expect(expectEnvelope(success({ ...base, data: { content: "x" }, text: "Read a." })).status).toBe("success");
  });

  it("puts the reason and the next step into the text of a partial", () => {
    const response = partial({
      ...base,
      data: { paths: ["a"], truncated: true },
      text: "Found 1 path.",
      because: "cut at 1 of 9",
      next: "Raise limit.",
    });
    expect(expectEnvelope(response).text).toBe("Found 1 path. (Truncated: cut at 1 of 9.) Raise limit.");
  });

  it("writes an error with its code, message and next step", () => {
    const response = failure("NOT_FOUND", "No file a.", { ...base, next: 'Try LS {"path":"."}.' });
    expect(expectError(response, "NOT_FOUND").text).toBe('No file a. Try LS {"path":"."}.');
  });

  it("refuses at run time what the types refuse", () => {
    const wrong = { ...base, data: { truncated: true } as never, text: "x" };
    expect(() => success(wrong)).toThrow(SpillwayError);
    expect(() => success({ ...base, context: { cwd: "/abs", params_input: {} }, data: {}, text: "x" })).toThrow(
      /context\.cwd/,
    );
    expect(() => failure("", "x", base)).toThrow(/error\.code/);
  });

  it("does not share stats or context with its caller", () => {
    const response = success({ ...base, data: {}, text: "x" });
    response.stats.time_ms = 99;
    expect(base.stats.time_ms).toBe(3);
  });
});
