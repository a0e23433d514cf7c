import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type RuleId,
  TOOL_ERROR_CODES,
  toolResponseJsonSchema,
  toolResponseSchema,
  validateToolResponse,
} from "../../src/protocol/index.ts";
import { RULES } from "../../src/protocol/validate.ts";

const context = { cwd: ".", params_input: { path: "src" } };
const stats = { time_ms: 1 };
const good = { status: "success", data: { entries: [] }, text: "Listed 0 entries.", stats, context };
const failed = {
  ...good,
  status: "error",
  text: "No such file.",
  error: { code: "NOT_FOUND", message: "No such file." },
};
const facts = {
  direction: "head",
  max_lines: 2000,
  max_bytes: 51200,
  original_lines: 5234,
  original_bytes: 182345,
  kept_lines: 2000,
  kept_bytes: 49872,
  full_output_path: "tool-output/tool_20260101_000000_Tool.json",
};

/** One envelope per rule that breaks exactly this rule. */
const breaking: Record<Exclude<RuleId, "data.kind" | "error.code">, unknown> = {
  "envelope.object": [],
  "envelope.unknown_key": { ...good, extra: 1 },
  "status.known": { ...good, status: "ok" },
  "data.object": { ...good, data: null },
  "data.truncated": { ...good, data: { truncated: "yes" } },
  "data.truncation": {
    ...good,
    status: "partial",
    data: { truncated: true, truncation: { ...facts, kept_lines: "2" } },
  },
  "text.string": { ...good, text: 5 },
  "text.empty": { ...good, status: "partial", text: "  " },
  "error.missing": { ...failed, error: null },
  "error.unexpected": { ...failed, status: "partial" },
  "error.shape": { ...failed, error: { code: "NOT_FOUND", message: "" } },
  "success.truncated": { ...good, data: { truncated: true } },
  "success.fallback": { ...good, data: { fallback: "javascript" } },
  "success.not_applied": { ...good, data: { applied: false } },
  "success.failed_items": { ...good, data: { failed_items: ["a"] } },
  "stats.object": { ...good, stats: null },
  "stats.time_ms": { ...good, stats: { time_ms: Number.NaN } },
  "stats.value": { ...good, stats: { time_ms: 0, nested: {} } },
  "context.object": { ...good, context: "." },
  "context.cwd": { ...good, context: { ...context, cwd: "/srv/project" } },
  "context.params_input": { ...good, context: { cwd: "." } },
  "context.path_resolved": { ...good, context: { ...context, path_resolved: "C:\\x" } },
  "context.truncation_skip": { ...good, context: { ...context, truncation_skip: 1 } },
};

describe("validateToolResponse", () => {
  it("accepts correct envelopes, and error: null when reading", () => {
    for (const envelope of [good, failed, { ...good, error: null }]) {
      expect(validateToolResponse(envelope)).toEqual({ ok: true });
    }
  });

  it("accepts the example of a listing from the protocol text", () => {
    const example = {
      status: "partial",
      data: {
        entries: [
          { path: "src/main.py", type: "file" },
          { path: "src/utils/", type: "dir" },
        ],
        truncated: true,
      },
      text: "Listed 2 entries in 'src' (truncated from 500 total).",
      error: null,
      stats: { time_ms: 150, total_entries: 500 },
      context: { cwd: ".", params_input: { path: "src", limit: 2 }, path_resolved: "src" },
    };
    expect(validateToolResponse(example, { kind: "ls" })).toEqual({ ok: true });
    expect(toolResponseSchema.parse(example)).not.toHaveProperty("error");
  });

  it.each(Object.entries(breaking))("reports %s, and the zod schema refuses it too", (rule, envelope) => {
    const result = validateToolResponse(envelope);
    expect(result.ok ? [] : result.issues.map((issue) => issue.rule)).toEqual([rule]);
    expect(toolResponseSchema.safeParse(envelope).success).toBe(false);
  });

  it("warns of a code that is not one of the ten, and accepts it; a code that is no word is refused", () => {
    const own = { ...failed, error: { code: "RATE_LIMITED", message: "slow down" } };
    expect(validateToolResponse(own)).toEqual({
      ok: true,
      warnings: [{ rule: "error.code", path: "error.code", message: RULES["error.code"] }],
    });
    expect(toolResponseSchema.parse(own).error?.code).toBe("RATE_LIMITED");
    for (const code of ["", 7, undefined]) {
      const wrong = { ...failed, error: { code, message: "slow down" } };
      expect(validateToolResponse(wrong)).toMatchObject({ ok: false, issues: [{ rule: "error.shape" }] });
      expect(toolResponseSchema.safeParse(wrong).success).toBe(false);
    }
  });

  it("has a breaking example for every rule", () => {
    expect([...Object.keys(breaking), "data.kind", "error.code"].sort()).toEqual(Object.keys(RULES).sort());
  });

  it.each([
    ["ls", { entries: [{ path: "a", type: "file" }] }, { entries: [{ path: "a", type: "socket" }] }],
    ["glob", { paths: ["a/b.ts"] }, { paths: ["/a/b.ts"] }],
    ["grep", { matches: [{ file: "a", line: 1, text: "x" }] }, { matches: [{ file: "a", line: "1", text: "x" }] }],
    ["read", { content: "x" }, { content: ["x"] }],
    ["write", { applied: true }, {}],
    ["edit", { applied: true }, { applied: "yes" }],
  ] as const)("knows the fixed data fields of %s", (kind, right, wrong) => {
    expect(validateToolResponse({ ...good, data: right }, { kind })).toEqual({ ok: true });
    const result = validateToolResponse({ ...good, data: wrong }, { kind });
    expect(result.ok ? [] : result.issues.map((issue) => issue.rule)).toEqual(["data.kind"]);
  });

  it("asks a lost full output for its reason", () => {
    const lost = {
      ...good,
      status: "partial",
      data: { truncated: true, truncation: { ...facts, full_output_path: null } },
    };
    expect(validateToolResponse(lost).ok).toBe(false);
    const told = {
      ...lost,
      data: { truncated: true, truncation: { ...facts, full_output_path: null, lost: "disk full" } },
    };
    expect(validateToolResponse(told)).toEqual({ ok: true });
  });

  it("never throws, whatever it gets, and agrees with the zod schema", () => {
    const status = fc.constantFrom("success", "partial", "error", "ok", 1);
    const error = fc.oneof(
      fc.record({ code: fc.constantFrom(...TOOL_ERROR_CODES, "X"), message: fc.string() }),
      fc.constant(null),
    );
    const like = fc.record(
      {
        status,
        data: fc.oneof(fc.object(), fc.anything()),
        text: fc.string(),
        error,
        stats: fc.record({ time_ms: fc.double() }),
        context: fc.constant(context),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(fc.anything(), like), (value) => {
        expect(toolResponseSchema.safeParse(value).success).toBe(validateToolResponse(value).ok);
      }),
    );
  });
});

describe("toolResponseJsonSchema", () => {
  it("describes the three statuses and allows no other key", () => {
    const variants = toolResponseJsonSchema.oneOf as { additionalProperties: boolean; required: string[] }[];
    expect(variants).toHaveLength(3);
    for (const variant of variants) expect(variant.additionalProperties).toBe(false);
    expect(variants[2]?.required).toContain("error");
    expect(variants[0]?.required).not.toContain("error");
  });
});
