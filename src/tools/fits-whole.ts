import type { Limits } from "../limits/types.ts";

/** Room that the gate leaves to the items beside preview and notice. */
const SHARE = 0.75;

/** True when so many items of so many bytes together are shown whole, so that advice may promise all of them. */
export function fitsWhole(items: number, bytes: number, { maxLines, maxBytes, maxChars, maxTokens }: Limits): boolean {
  return items <= maxLines && bytes <= Math.min(maxBytes, maxChars, maxTokens * 2) * SHARE;
}
