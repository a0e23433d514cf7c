import { expect } from "vitest";
import type { AnyErrorCode, ToolResponse } from "../../src/protocol/types.ts";
import { type ToolKind, validateToolResponse } from "../../src/protocol/validate.ts";

/** Fails the test unless the value is a correct envelope, survives JSON and holds no `error: null`. */
export function expectEnvelope(value: unknown, kind?: ToolKind): ToolResponse {
  expect(validateToolResponse(value, { kind })).toMatchObject({ ok: true });
  expect(JSON.parse(JSON.stringify(value))).toEqual(value);
  const response = value as ToolResponse;
  if (response.status !== "error") expect(response).not.toHaveProperty("error");
  return response;
}

/** Fails the test unless the value is a correct envelope with this error code that says what to do. */
export function expectError(value: unknown, code: AnyErrorCode): ToolResponse {
  const response = expectEnvelope(value);
  expect(response.error?.code, response.text).toBe(code);
  expect(response.text.length).toBeGreaterThan(20);
  return response;
}
