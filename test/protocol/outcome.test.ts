import { describe, expect, it } from "vitest";
import { describeOutcome, isNotable } from "../../src/protocol/outcome.ts";

describe("describeOutcome", () => {
  it("says how a call ended, and why", () => {
    expect(describeOutcome({ kind: "success" })).toBe("The tool call succeeded.");
    expect(describeOutcome({ kind: "success", unseen: true })).toBe("");
    expect(describeOutcome({ kind: "failure", message: "exit code 137 (killed: out of memory)" })).toBe(
      "The tool call failed: exit code 137 (killed: out of memory).",
    );
    expect(describeOutcome({ kind: "timeout", message: "ended after 50 ms." })).toBe(
      "The tool call failed (timed out): ended after 50 ms.",
    );
    expect(describeOutcome({ kind: "aborted", message: "" })).toBe("The tool call failed (aborted).");
  });

  it("tells exit code or signal that the message leaves out", () => {
    expect(describeOutcome({ kind: "failure", message: "killed: out of memory", exitCode: 137 })).toBe(
      "The tool call failed: killed: out of memory (exit code 137).",
    );
    expect(describeOutcome({ kind: "failure", message: "", exitCode: 3 })).toBe("The tool call failed: exit code 3.");
    expect(describeOutcome({ kind: "failure", message: "killed", exitCode: 137, signal: "SIGKILL" })).toBe(
      "The tool call failed: killed (SIGKILL).",
    );
    expect(describeOutcome({ kind: "failure", message: "returned 3", exitCode: 3 })).toBe(
      "The tool call failed: returned 3.",
    );
  });

  it("says why an output ends early, once", () => {
    expect(describeOutcome({ kind: "success", cutShort: "a child printed on" })).toBe(
      "The tool call succeeded, but its output is truncated: a child printed on.",
    );
    expect(describeOutcome({ kind: "failure", message: "reset", cutShort: "the source broke off: reset" })).toBe(
      "The tool call failed: the source broke off: reset.",
    );
    expect(describeOutcome({ kind: "failure", message: "exit code 3", cutShort: "a child printed on" })).toBe(
      "The tool call failed: exit code 3; its output is truncated: a child printed on.",
    );
  });

  it("keeps a reason on one line and short, whole characters only", () => {
    const long = describeOutcome({ kind: "failure", message: `first\n second${"x".repeat(186)}😀😀` });
    expect(long).toMatch(/^The tool call failed: first second.*…\.$/);
    expect(long.isWellFormed()).toBe(true);
    expect(long.length).toBeLessThan(230);
  });

  it("knows what a reader must be told of", () => {
    expect(isNotable({ kind: "success" })).toBe(false);
    expect(isNotable({ kind: "success", cutShort: "x" })).toBe(true);
    expect(isNotable({ kind: "failure", message: "" })).toBe(true);
  });
});
