import { mapTexts } from "../../bytes/map-texts.ts";
import type { Bound, ToolCall } from "./bound.ts";

/** Bounds each text inside a value and keeps the value's shape, for who parses it; the very same when all are within limits. */
export async function boundLeaves<T>(bound: Bound, call: ToolCall, value: T): Promise<T> {
  return (await mapTexts(value, (text) => bound(call, text))) as T;
}
