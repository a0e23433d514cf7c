import { preview } from "../preview/preview.ts";
import type { ToolError, ToolResponse } from "../protocol/types.ts";
import { renderValue } from "./output.ts";

/** Each field that a truncated envelope carries over (parameters, error message, …) is held to this many characters. */
const CARRIED_CHARS = 4000;
const CARRIED_ITEM_CHARS = 500;

/** The error of an envelope, its message held short. */
export function carriedError(response: ToolResponse): ToolError {
  const error = response.error ?? { code: "INTERNAL_ERROR" as const, message: "The tool failed without saying why." };
  return { code: error.code, message: shorten(error.message) };
}

/** The same fields, each held short. */
export function carriedFields<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, carried(value)])) as T;
}

function carried(value: unknown): unknown {
  const json = renderValue(value);
  if (json.length <= CARRIED_CHARS) return value;
  if (typeof value === "string") return shorten(value);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return shorten(json);
  const shortened = Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      typeof item === "string" ? shorten(item, CARRIED_ITEM_CHARS) : item,
    ]),
  );
  return renderValue(shortened).length <= CARRIED_CHARS ? shortened : shorten(json);
}

function shorten(text: string, maxChars = CARRIED_CHARS): string {
  return preview(text, { strategy: "head_tail", maxChars, maxLines: Infinity }).text;
}
