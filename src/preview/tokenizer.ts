import { estimateTokens } from "./tokens/estimate-tokens.ts";

/** A longer text is not worth the time: its tokens are estimated, from above. */
const MOST_CHARS = 1024 * 1024;
/** The tokenizer is quadratic in the length of a piece, so long ones are counted in parts. */
const LONGEST_PART = 256;
const LONG_PIECES = new RegExp(`[^\\s\\d]{${LONGEST_PART + 1},}|\\s{${LONGEST_PART + 1},}`, "g");
/** Markers such as `<|endoftext|>` are text like any other in an output. */
const AS_TEXT = { disallowedSpecial: new Set<string>() };

/**
 * Loads an exact token counter (o200k_base). Above 1 MB a text is counted by `estimateTokens`, never too low.
 * The tokenizer's tables take some 30 MB of memory, so it is loaded only here.
 */
export async function loadTokenizer(): Promise<(text: string) => number> {
  const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
  const count = (text: string): number => (text === "" ? 0 : countTokens(text, AS_TEXT));
  return (text) => {
    if (text.length > MOST_CHARS) return estimateTokens(text);
    let tokens = 0;
    let at = 0;
    for (const { index, 0: piece } of text.matchAll(LONG_PIECES)) {
      tokens += count(text.slice(at, index));
      for (let from = 0; from < piece.length; from += LONGEST_PART)
        tokens += count(piece.slice(from, from + LONGEST_PART));
      at = index + piece.length;
    }
    return tokens + count(text.slice(at));
  };
}
