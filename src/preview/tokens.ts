import { byteLength } from "./fit.ts";

/**
 * Estimated tokens of a text from its sizes alone, so that a stream and a string give the same number: about 3.6
 * characters a token for ASCII, half a token for each character of two bytes, one for each of three or four.
 */
export function estimateTokensOf(size: { readonly chars: number; readonly bytes: number }): number {
  const wide = (size.bytes - size.chars) / 2;
  return Math.ceil((size.chars - wide) / 3.6 + wide);
}

/** Estimated tokens of a text. */
export function estimateTokens(text: string): number {
  return estimateTokensOf({ chars: text.length, bytes: byteLength(text) });
}
