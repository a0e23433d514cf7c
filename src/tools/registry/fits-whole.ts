import type { Limits } from "../../limits/types.ts";
import { measure } from "../../preview/measure.ts";

/** Room that the gate leaves to the items beside preview and notice. */
const SHARE = 0.75;

/** True when so many items of so many bytes together are shown whole, so that advice may promise all of them. */
export function fitsWhole(items: number, bytes: number, { maxLines, maxBytes, maxChars, maxTokens }: Limits): boolean {
  return items <= maxLines && bytes <= Math.min(maxBytes, maxChars, maxTokens * 2) * SHARE;
}

/** True when these items, one line of compact JSON each, are within the limits as they stand. */
export function fitsAsItems(items: readonly unknown[], { maxLines, maxBytes, maxChars, maxTokens }: Limits): boolean {
  const lines = items.map((item) => `${JSON.stringify(item)}\n`);
  const chars = lines.reduce((sum, line) => sum + line.length, 0);
  const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0);
  return items.length <= maxLines && bytes <= maxBytes && chars <= Math.min(maxChars, maxTokens * 2);
}

/** From this growth on a larger answer is worth a call. */
export const WORTH_IT = 1.2;
/** A larger answer is only like this one, so it is not advised up to the last line. */
const MARGIN = 0.8;

/** How many times as large a text of this kind may be and still pass the limits whole. */
export function roomToGrow(text: string, { maxLines, maxBytes, maxChars }: Limits): number {
  const { lines, bytes, chars } = measure(text);
  return MARGIN * Math.min(maxLines / Math.max(1, lines), maxBytes / Math.max(1, bytes), maxChars / Math.max(1, chars));
}
