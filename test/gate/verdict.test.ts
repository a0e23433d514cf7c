import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../../src/artifacts/memory-store.ts";
import { renderEnvelope } from "../../src/gate/render/envelope.ts";
import { renderMessage } from "../../src/gate/render/notice.ts";
import { renderWrapper } from "../../src/gate/render/wrapper.ts";
import { createSpillway } from "../../src/gate/spillway.ts";
import type { Governed, Outcome } from "../../src/gate/types.ts";
import { outcomeOfResponse } from "../../src/gate/verdict.ts";
import { expectEnvelope } from "../support/envelope.ts";

const gate = createSpillway({ store: createMemoryStore(), config: false, env: {}, maxLines: 20 });
const base = { root: gate.root, stats: { time_ms: 1 }, context: { cwd: ".", params_input: null } };
const lines = (count: number) => Array.from({ length: count }, (_, i) => `line ${i}\n`).join("");

async function* broken(count: number) {
  yield lines(count);
  throw new Error("connection reset by peer");
}

const ENDINGS: readonly (readonly [string, Outcome, string])[] = [
  [
    "killed",
    { kind: "failure", message: "exit code 137 (killed: out of memory)", exitCode: 137 },
    "The tool call failed: exit code 137 (killed: out of memory).",
  ],
  ["timed out", { kind: "timeout", message: "ended after 2 s" }, "The tool call failed (timed out): ended after 2 s."],
  ["aborted", { kind: "aborted", message: "by the user" }, "The tool call failed (aborted): by the user."],
  ["failed", { kind: "failure", message: "no route" }, "The tool call failed: no route."],
  [
    "cut short",
    { kind: "success", cutShort: "a child holds it" },
    "The tool call succeeded, but its output is truncated: a child holds it.",
  ],
];

describe.each(ENDINGS)("an output that was %s", (_, outcome, sentence) => {
  it("has its ending as the last line of a small message", async () => {
    const small = await gate.govern("partial output", { outcome });
    expect(renderMessage(small)).toBe(`partial output\n${sentence}`);
    expect(renderMessage(await gate.govern("a\n", { outcome }))).toBe(`a\n${sentence}`);
    expect(renderMessage(await gate.govern("", { outcome }))).toBe(sentence);
  });

  it("says it in the wrapper of a small one too", async () => {
    const small = await gate.govern("partial output", { outcome });
    expect(renderWrapper(small)).toEqual({ _openagentic_truncated: false, output: "partial output", hint: sentence });
    const well = await gate.govern("all", { outcome: { kind: "success" } });
    expect(renderWrapper(well)).toEqual({ _openagentic_truncated: false, output: "all" });
  });

  it("says the same in message, wrapper and envelope over the limit", async () => {
    const large = await gate.govern(lines(500), { outcome });
    if (large.kind === "whole") return expect.unreachable();
    expect(renderMessage(large)).toContain(sentence);
    expect(renderWrapper(large).hint).toContain(sentence);
    const envelope = expectEnvelope(renderEnvelope(large, base));
    expect(envelope.text).toContain(sentence);
    expect(envelope.status).toBe(envelope.error === undefined ? "partial" : "error");
  });

  it("is never a success, and says what to do next", async () => {
    const small = expectEnvelope(renderEnvelope(await gate.govern("partial output", { outcome }), base));
    expect(small.status).not.toBe("success");
    expect(small.text).toContain(`${sentence} `);
    expect(small.text.split(sentence)[1]).toMatch(/\w+/);
  });
});

describe("a stream that broke off", () => {
  it("says so with its reason, small and large", async () => {
    const sentence = "The tool call failed: the source broke off: connection reset by peer.";
    expect(renderMessage(await gate.govern(broken(2)))).toBe(`line 0\nline 1\n${sentence}`);
    const large = await gate.govern(broken(300));
    expect(renderMessage(large)).toContain(sentence);
    expect(renderWrapper(large as Extract<Governed, { kind: "bounded" }>).hint).toContain(sentence);
  });

  it("is partial with what came, an error with nothing", async () => {
    expect(renderEnvelope(await gate.govern(broken(2)), base).status).toBe("partial");
    const nothing = expectEnvelope(renderEnvelope(await gate.govern(broken(0)), base));
    expect(nothing).toMatchObject({ status: "error", error: { code: "EXECUTION_ERROR" } });
    const late = await gate.govern("", { outcome: { kind: "timeout", message: "ended after 2 s" } });
    expect(renderEnvelope(late, base)).toMatchObject({ status: "error", error: { code: "TIMEOUT" } });
  });
});

describe("an output that ended well", () => {
  it("is untouched", async () => {
    const governed = await gate.govern("all of it");
    expect(renderMessage(governed)).toBe("all of it");
    expect(renderEnvelope(governed, base).status).toBe("success");
  });
});

describe("outcomeOfResponse", () => {
  it("tells from a finished envelope how its call ended", () => {
    const error = { code: "NOT_FOUND", message: "No such file." } as const;
    expect(outcomeOfResponse({ status: "error", error })).toEqual({ kind: "failure", message: "No such file." });
    expect(outcomeOfResponse({ status: "partial", stats: { time_ms: 1, exit_code: 3 } })).toMatchObject({
      kind: "failure",
      message: "the command ended with exit code 3",
      exitCode: 3,
    });
    expect(outcomeOfResponse({ status: "partial", data: { timed_out: true } }).kind).toBe("timeout");
    expect(outcomeOfResponse({ status: "success", stats: { time_ms: 1, exit_code: 0 } })).toEqual({ kind: "success" });
  });
});

it.each([{ kind: "failed", reason: "x" }, { kind: "failure" }, { kind: "timeout", message: 3 }, {}])(
  "refuses an ending that is none: %j",
  async (outcome) => {
    await expect(gate.govern("x", { outcome: outcome as never })).rejects.toThrow(/^outcome\.(?:kind|message) must be/);
  },
);

it("marks an output that is not all there is, and points to no output where there is none", async () => {
  const held = await gate.govern("a\n", { outcome: { kind: "success", cutShort: "a child holds it" } });
  expect(expectEnvelope(renderEnvelope(held, base)).data).toEqual({ content: "a\n", truncated: true });
  const outcome = { kind: "failure", message: "it ended with exit code 3", exitCode: 3 } as const;
  const silent = renderEnvelope(await gate.govern("", { outcome }), base);
  expect(expectEnvelope(silent).text).toContain("It printed nothing that says why; continue");
  const loud = renderEnvelope(await gate.govern("a\n", { outcome }), base);
  expect(expectEnvelope(loud).text).toContain("Its output says why; continue");
});
