/**
 * Estimated tokens of a text from its sizes alone: about 3.6 characters a token for ASCII, one token for every other
 * character. Additive, so a stream and a string give the same number.
 */
export function estimateTokensOf(size: { readonly chars: number; readonly bytes: number }): number {
  const wide = (size.bytes - size.chars) / 2;
  return Math.ceil((size.chars - wide) / 3.6 + wide);
}

/** Estimated tokens of a text. */
export function estimateTokens(text: string): number {
  let wide = 0;
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x7f) wide++;
  return Math.ceil((text.length - wide) / 3.6 + wide);
}
