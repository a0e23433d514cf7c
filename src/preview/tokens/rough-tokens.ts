/**
 * About how many tokens a text of this size has, for statistics: 3.6 characters a token for ASCII, half a token for each
 * character of two bytes, one for each of three or four.
 */
export function roughTokens(size: { readonly chars: number; readonly bytes: number }): number {
  const wide = (size.bytes - size.chars) / 2;
  return Math.ceil((size.chars - wide) / 3.6 + wide);
}
