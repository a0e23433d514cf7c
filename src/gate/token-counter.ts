import type { Limits } from "../limits/types.ts";

let counter: Promise<(text: string) => number> | undefined;

/** Counts tokens exactly, where these are limited: loaded with the first such limit, since its tables take time and memory. */
export async function tokenCounterFor({ maxTokens }: Limits): Promise<((text: string) => number) | undefined> {
  if (maxTokens === Infinity) return undefined;
  counter ??= import("../preview/tokenizer.ts").then(({ loadTokenizer }) => loadTokenizer());
  return counter;
}
