import { CHARACTER } from "./character-runs.ts";
import { latePattern } from "./late-pattern.ts";
import { splitIdentifier } from "./words.ts";

/** A word of any text, an identifier being one word. */
export interface Word {
  /** As it was written. */
  readonly text: string;
  readonly lower: string;
  /** What stands between the word before and this one. */
  readonly gap: string;
  /** True for a run of characters between which no blank shows where words begin. */
  readonly run: boolean;
}

const WORD = latePattern(
  String.raw`(${CHARACTER}+)|([[\p{L}\p{N}_]--${CHARACTER}]+)(?:['’](?:s|t|re|ve|ll|d|m)(?![\p{L}\p{N}_]))?`,
  "gv",
);

/** The words of a text in order; of a contraction ("doesn't") what stands before the apostrophe. */
export function readWords(text: string): Word[] {
  const words: Word[] = [];
  let end = 0;
  for (const { 1: run, 2: word = "", index } of text.matchAll(WORD())) {
    const written = run ?? word;
    words.push({
      text: written,
      lower: written.toLowerCase(),
      gap: text.slice(end, index),
      run: run !== undefined,
    });
    end = index + written.length;
  }
  return words;
}

/** What the words of a name are made of, lower case: `dhcp-serverPool.c` gives `dhcp`, `server`, `pool` and `c`. */
export function partsOf(name: string): string[] {
  return readWords(name).flatMap(({ text }) => splitIdentifier(text));
}
