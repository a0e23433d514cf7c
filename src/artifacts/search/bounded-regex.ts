import { createContext, Script } from "node:vm";
import { SpillwayError } from "../../errors.ts";
import type { MatchText } from "./scan-hits.ts";

const TIMEOUT_MS = 2000;
const MATCHES_PER_STRETCH = 1_000_000;

const script = new Script(`
  found = [];
  pattern.lastIndex = 0;
  for (let match; found.length < most && (match = pattern.exec(text)) !== null; ) {
    if (match[0] === "") pattern.lastIndex += 1;
    else found.push({ index: match.index, text: match[0].slice(0, 200) });
  }
`);

/** Matches a pattern by JavaScript's own engine, which is stopped when a pattern backtracks without end. */
export function createBoundedMatcher(
  pattern: string,
  flags: { ignoreCase: boolean; fixedStrings: boolean },
): MatchText {
  const source = flags.fixedStrings ? escapeRegExp(pattern) : pattern;
  const expression = compile(source, flags.ignoreCase ? "gmiu" : "gmu");
  const context = createContext({ pattern: expression, text: "", most: MATCHES_PER_STRETCH, found: [] });
  return (text) => {
    context.text = text;
    try {
      script.runInContext(context, { timeout: TIMEOUT_MS });
    } catch (error) {
      if ((error as { code?: unknown }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
      throw new SpillwayError("INVALID_ARGUMENT", `the pattern ${pattern} takes too long to match; make it simpler`);
    }
    return context.found as { index: number; text: string }[];
  };
}

/** A text as a pattern that matches just it. */
export function escapeRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replaceAll("-", "\\x2d");
}

function compile(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch (error) {
    throw new SpillwayError("INVALID_ARGUMENT", `the pattern cannot be searched: ${(error as Error).message}`);
  }
}
