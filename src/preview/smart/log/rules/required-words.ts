import { PatternReader } from "./pattern-reader.ts";

/** More words than this are not worth looking for. */
const MOST_WORDS = 80;

/**
 * Words of which at least one stands in every text that a pattern matches, in lower case and with `0` for any digit;
 * undefined when the pattern has none. Thus a pattern need not be tried on a text without them.
 */
export function requiredWords(pattern: RegExp): readonly string[] | undefined {
  const { words } = new PatternReader(pattern.source).readAlternatives();
  return words === undefined || words.length > MOST_WORDS ? undefined : words;
}
