import type { Limits } from "../../limits/types.ts";
import type { Size } from "../../preview/types.ts";
import { renderValue } from "../output.ts";
import { findParts, type Part, sumSizes, textOf } from "./find-parts.ts";

/** A value as the lists and texts it is made of. */
export interface MeasuredValue {
  /** As JSON holds it. */
  readonly value: unknown;
  readonly parts: readonly Part[];
  /** Of the measured text: one line of compact JSON an item, and the texts as they are. */
  readonly size: Size;
}

/** Measures a value by its parts; undefined when it has none, or when JSON cannot hold it. */
export function measureValue(value: unknown, limits: Limits): MeasuredValue | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const plain = toJson(value);
  const parts = plain === undefined ? [] : findParts(plain, { bytes: jsonRoom(limits), lines: limits.maxLines });
  if (parts.length === 0) return undefined;
  return { value: plain, parts, size: sumSizes(parts.map(({ size }) => size)) };
}

/** True when what was measured exceeds no limit. */
export function isWithin(
  { parts, size }: MeasuredValue,
  { maxLines, maxBytes, maxChars, maxTokens }: Limits,
  countTokens: (text: string) => number,
): boolean {
  if (size.lines > maxLines || size.bytes > maxBytes || size.chars > maxChars) return false;
  return maxTokens === Infinity || parts.reduce((sum, part) => sum + countTokens(textOf(part)), 0) <= maxTokens;
}

/** The limits as bytes of JSON, the least of them. */
export function jsonRoom({ maxBytes, maxChars, maxTokens }: Limits): number {
  return Math.min(maxBytes, maxChars, maxTokens * 3);
}

function toJson(value: unknown): unknown {
  try {
    return JSON.parse(renderValue(value, 0));
  } catch {
    return undefined;
  }
}
