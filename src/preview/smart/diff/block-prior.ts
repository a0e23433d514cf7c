import type { DiffBlock } from "./diff-blocks.ts";

const FULL_BLOCK_LINES = 6;
const MAX_SAID_CHARS = 200;
const COMMENT = /^(?:\/\/|\/?\*|#(?!\s*(?:define|if|include|el|end))|--\s|"""|\.\.\s)/;
const LOGIC =
  /\b(?:if|else|for|while|switch|case|return|throw|raise|await|yield|goto|break|continue)\b|&&|\|\||[-+*/|&!=<>]=/;

/** What a block is worth by its size: more changes say more, and code that is gone less than code that is there. */
export function sizePrior({ lines, changed, removed }: DiffBlock): number {
  return (0.1 + 0.25 * Math.min(1, changed / FULL_BLOCK_LINES)) * (1 - (0.75 * removed) / lines.length);
}

/** The most that `linesForm` gives. */
export const MOST_FORM = 1.5;

/** What the added lines of a block say by their form, about 1: decisions more, comments less. */
export function linesForm({ lines }: DiffBlock): number {
  let added = 0;
  let comments = 0;
  let logic = 0;
  for (const { text } of lines) {
    if (!text.startsWith("+")) continue;
    const said = text.slice(1, MAX_SAID_CHARS).trim();
    if (said === "") continue;
    added++;
    if (isComment(said)) comments++;
    else if (isDecision(said)) logic++;
  }
  return 1 + ((MOST_FORM - 1) * logic - 0.3 * comments) / Math.max(1, added);
}

/** True for a comment. */
export function isComment(said: string): boolean {
  return COMMENT.test(said);
}

/** True where something is decided or computed. */
export function isDecision(said: string): boolean {
  return LOGIC.test(said);
}
