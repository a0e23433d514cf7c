import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { SpillwayError } from "../../src/errors.ts";
import { fromLegacy, ToolFailure, validateToolResponse } from "../../src/protocol/index.ts";
import { expectEnvelope, expectError } from "../support/envelope.ts";

function thrownBy(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

describe("fromLegacy", () => {
  it("keeps a correct envelope and drops error: null", () => {
    const envelope = {
      status: "success",
      data: {},
      text: "ok",
      error: null,
      stats: { time_ms: 1 },
      context: { cwd: ".", params_input: {} },
    };
    const response = expectEnvelope(fromLegacy(envelope));
    expect(response).not.toHaveProperty("error");
    expect(response.text).toBe("ok");
  });

  it("turns an error string into a structured error, with a specific code where the words allow", () => {
    const old = {
      status: "error",
      data: { path: "a" },
      text: "",
      error: "Error: File 'a' does not exist.",
      stats: { time_ms: 4 },
    };
    const response = expectError(fromLegacy(old), "NOT_FOUND");
    expect(response.error?.message).toBe("File 'a' does not exist.");
    expect(response.data).toEqual({ path: "a" });
    expect(response.stats.time_ms).toBe(4);
    expectError(fromLegacy({ error: "Error: something odd happened" }), "INTERNAL_ERROR");
  });

  it.each([
    ["Error: permission denied: /etc/shadow", "PERMISSION_DENIED"],
    ["Error: the command timed out after 5 s", "TIMEOUT"],
    ["Error: path is outside the project root", "ACCESS_DENIED"],
    ["Error: no space left on device", "EXECUTION_ERROR"],
    ["ValueError: src is a directory", "IS_DIRECTORY"],
  ] as const)("reads %j", (text, code) => {
    expectError(fromLegacy(text), code);
  });

  it("reads an envelope or an old result that comes as JSON", () => {
    const envelope = {
      status: "partial",
      data: { truncated: true, matches: [] },
      text: "cut",
      stats: { time_ms: 1 },
      context: { cwd: ".", params_input: {}, truncation_skip: true },
    };
    expect(fromLegacy(JSON.stringify(envelope, null, 2))).toEqual(envelope);
    expectError(fromLegacy('{"error":"Error: File \'a\' does not exist."}'), "NOT_FOUND");
    expectError(fromLegacy('{"status":"error","message":"no space left on device"}'), "EXECUTION_ERROR");
    for (const old of [
      { error: { code: "NOT_FOUND", message: "It is not there." }, data: { path: "a" } },
      { success: false, content: "it did not work at all" },
      { status: "success", data: { content: "x" }, text: "ok", extra: 1, context: { truncation_skip: true } },
    ]) {
      expect(fromLegacy(` ${JSON.stringify(old)}\n`)).toEqual(fromLegacy(old));
    }
  });

  it.each([
    '{"name":"spillway","version":"1"}',
    '{"status":"ok","items":[1]}',
    '{"error":null,"n":1}',
    "{ not json",
    "[1]",
  ])("keeps %s as content: it tells of no call", (text) => {
    expect(fromLegacy(text)).toMatchObject({ status: "success", data: { content: text } });
  });

  it("keeps an error code of the tool's own", () => {
    const own = { status: "error", error: { code: "RATE_LIMITED", message: "Slow down, please." } };
    expect(expectError(fromLegacy(own), "RATE_LIMITED").error?.message).toBe("Slow down, please.");
    expectError(fromLegacy(JSON.stringify(own)), "RATE_LIMITED");
    expectError(fromLegacy(new ToolFailure("QUOTA", "The quota of today is used up.")), "QUOTA");
  });

  it("keeps a result's wish to be let through, beside the caller's context", () => {
    const old = { data: { content: "x" }, text: "page 1", context: { truncation_skip: true } };
    const context = { cwd: "src", params_input: { page: 1 } };
    expect(fromLegacy(old, { context }).context).toEqual({ ...context, truncation_skip: true });
  });

  it("keeps a plain string as content", () => {
    expect(expectEnvelope(fromLegacy("hello"), "read").data).toEqual({ content: "hello" });
  });

  it("maps a thrown errno, a zod error, a timeout and a Spillway error", () => {
    expectError(fromLegacy(thrownBy(() => readFileSync("/no/such/file"))), "NOT_FOUND");
    expectError(fromLegacy(thrownBy(() => readFileSync("/"))), "IS_DIRECTORY");
    expectError(fromLegacy(thrownBy(() => z.object({ path: z.string() }).parse({}))), "INVALID_PARAM");
    expectError(fromLegacy(Object.assign(new Error("waited too long for it"), { name: "TimeoutError" })), "TIMEOUT");
    expectError(fromLegacy(Object.assign(new Error("no space left on device"), { code: "ENOSPC" })), "EXECUTION_ERROR");
    expectError(fromLegacy(new SpillwayError("ARTIFACT_NOT_FOUND", "There is no artifact x.")), "NOT_FOUND");
    expectError(fromLegacy(new TypeError("undefined is not a function")), "INTERNAL_ERROR");
  });

  it("carries what a ToolFailure knows", () => {
    const thrown = new ToolFailure("CONFLICT", "The file changed.", { next: "Read it again.", data: { hash: "abc" } });
    const response = expectError(fromLegacy(thrown), "CONFLICT");
    expect(response.text).toBe("The file changed. Read it again.");
    expect(response.data).toEqual({ hash: "abc" });
  });

  it("converts the success/content form and moves custom top-level keys into data", () => {
    expect(expectEnvelope(fromLegacy({ success: true, content: "map" })).data).toEqual({ content: "map" });
    const response = expectEnvelope(fromLegacy({ status: "success", data: { a: 1 }, text: "x", extra: 2 }));
    expect(response.data).toEqual({ a: 1, extra: 2 });
    expectError(fromLegacy({ success: false, content: "it did not work at all" }), "INTERNAL_ERROR");
  });

  it("believes error: true, and keeps a status, a list or a number that only the tool knows", () => {
    expectError(fromLegacy({ error: true, message: "it broke" }), "INTERNAL_ERROR");
    expectError(fromLegacy('{"error":true,"message":"it broke"}'), "INTERNAL_ERROR");
    const job = { status: "failed", job: 7, error: ["a", "b"] };
    expect(expectEnvelope(fromLegacy(job))).toMatchObject({ status: "success", data: job });
  });

  it("calls a truncated old result partial", () => {
    expect(expectEnvelope(fromLegacy({ status: "success", data: { truncated: true }, text: "x" })).status).toBe(
      "partial",
    );
  });

  it("gives a correct envelope for any JSON value at all", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expectEnvelope(JSON.parse(JSON.stringify(fromLegacy(value))));
      }),
    );
  });

  it.each([
    [{ truncated: 0, rows: [] }, "success", { truncated: false, rows: [] }],
    [{ truncated: null }, "success", { truncated: false }],
    [{ truncated: "false" }, "success", { truncated: false }],
    [{ truncated: 12 }, "partial", { truncated: true }],
    [{ data: { truncated: "yes" } }, "partial", { truncated: true }],
    [{ fallback: true }, "partial", { fallback: true }],
    [{ truncated: true, truncation: "at 100" }, "partial", { truncated: true, reported_truncation: "at 100" }],
    [{ error: { message: "  " } }, "error", {}],
    [new ToolFailure("", ""), "error", {}],
    [new ToolFailure("X", "it broke", { data: { truncated: 1 } }), "error", { truncated: true }],
  ])("takes %j for what an older tool means by it", (old, status, data) => {
    expect(expectEnvelope(fromLegacy(old))).toMatchObject({ status, data });
  });

  it("finds a code of its own in no name that every object has, nor in a ring of causes", () => {
    for (const name of ["constructor", "toString", "__proto__"]) {
      expectError(fromLegacy(Object.assign(new Error("odd"), { code: name })), "INTERNAL_ERROR");
      expectError(fromLegacy(Object.assign(new Error("odd"), { name })), "INTERNAL_ERROR");
    }
    const ring = new Error("round");
    ring.cause = new Error("and round", { cause: ring });
    expectError(fromLegacy(ring), "INTERNAL_ERROR");
  });

  it("makes a correct envelope of anything", () => {
    const keys = [
      "status",
      "data",
      "text",
      "error",
      "stats",
      "context",
      "success",
      "truncated",
      "truncation",
      "fallback",
    ];
    const fields = fc.dictionary(fc.constantFrom(...keys, "failed_items", "applied", "message", "code"), fc.anything());
    fc.assert(
      fc.property(
        fc.oneof(
          fc.anything(),
          fields,
          fields.map((data) => ({ data })),
        ),
        (value) => {
          expect(validateToolResponse(fromLegacy(value))).toMatchObject({ ok: true });
        },
      ),
    );
  });
});
