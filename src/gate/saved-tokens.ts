/** No host could have shown more of one output than a context window holds. */
export const WINDOW_TOKENS = 128_000;

/**
 * The tokens that bounding an output kept out of a model's input, estimated: what the model would have seen of it, less
 * what it was shown and what it read of it later. Every number of tokens saved comes from here.
 */
export function savedTokens(wouldSee: number, shown: number, readBack = 0, windowTokens = WINDOW_TOKENS): number {
  return Math.min(wouldSee, windowTokens) - shown - readBack;
}
