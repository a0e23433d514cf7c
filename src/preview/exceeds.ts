import type { Limits } from "../limits/types.ts";
import type { Size } from "./types.ts";

/** No tokenizer packs more bytes than this into a token, save for runs of blanks. */
const TOKEN_BYTES = 64;

/** True when an output of this size exceeds a limit; of tokens, which only the whole text tells, when it surely does. */
export function exceeds(size: Size, limits: Limits): boolean {
  if (size.lines > limits.maxLines || size.bytes > limits.maxBytes || size.chars > limits.maxChars) return true;
  return size.bytes > limits.maxTokens * TOKEN_BYTES;
}
