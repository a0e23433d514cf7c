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
  const pattern = WORD();
  const words: Word[] = [];
  let end = 0;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const written = (match[1] ?? match[2]) as string;
    const gap = text.slice(end, match.index);
    words.push({ text: written, lower: written.toLowerCase(), gap, run: match[1] !== undefined });
    end = match.index + written.length;
  }
  return words;
}

/** What the words of a name are made of, lower case: `dhcp-serverPool.c` gives `dhcp`, `server`, `pool` and `c`. */
export function partsOf(name: string): string[] {
  return (name.match(WORD()) ?? []).flatMap(splitIdentifier);
}
