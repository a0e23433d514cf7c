import { ToolFailure } from "../../protocol/tool-failure.ts";

/** What to tell of a pattern that cannot be searched for, whoever would have searched. */
export function invalidPattern(reason: string): ToolFailure {
  return new ToolFailure("INVALID_PARAM", `The pattern is not a valid regular expression: ${reason}.`, {
    next: "Correct the pattern; write \\( for a literal parenthesis.",
  });
}
