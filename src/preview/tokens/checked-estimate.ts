import { kinds } from "../../limits/options.ts";
import { estimateTokens as estimate } from "./estimate-tokens.ts";

/** Tokens of a text, estimated from above for o200k_base: no fewer than the tokenizer's, on ordinary text few more. */
export function estimateTokens(text: string): number {
  kinds.text(text, "The text for estimateTokens()");
  return estimate(text);
}
