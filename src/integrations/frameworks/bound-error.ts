import type { Bound, ToolCall } from "./bound.ts";

/** What a tool threw, with a message that the model can be sent; the original stands in `cause` when that is another. */
export async function boundError(bound: Bound, call: ToolCall, thrown: unknown): Promise<unknown> {
  const message = thrown instanceof Error ? thrown.message : typeof thrown === "string" ? thrown : undefined;
  const shown = await bound({ ...call, failed: true }, message ?? thrown);
  if (shown === message || shown === thrown) return thrown;
  const error = new Error(String(shown), { cause: thrown });
  if (thrown instanceof Error) error.name = thrown.name;
  return error;
}
