import type { Limits } from "../limits/types.ts";

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
