import type { Bound, ToolCall } from "./bound.ts";

/** Bounds each text inside a value and keeps the value's shape, for who parses it. */
export async function boundLeaves<T>(bound: Bound, call: ToolCall, value: T): Promise<T> {
  const visit = async (item: unknown): Promise<unknown> => {
    if (typeof item === "string") return bound(call, item);
    if (typeof item !== "object" || item === null) return item;
    if (Array.isArray(item)) return Promise.all(item.map(visit));
    const fields = Object.entries(item).map(async ([key, field]) => [key, await visit(field)] as const);
    return Object.fromEntries(await Promise.all(fields));
  };
  return (await visit(value)) as T;
}
