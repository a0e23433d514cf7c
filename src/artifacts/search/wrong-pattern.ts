import { invalidArgument, type SpillwayError } from "../../errors.ts";

/** A pattern that no search takes, by the engine's own reason. */
export function wrongPattern(reason: string, cause?: unknown): SpillwayError {
  const said = reason.charAt(0).toLowerCase() + reason.slice(1).replace(/\.$/, "");
  return invalidArgument(
    `the pattern is not a regular expression: ${said}. Put a backslash before characters such as ( [ { * + ? that stand for themselves, or search for plain text (-F on the command line).`,
    { cause },
  );
}
