import { createContext, Script } from "node:vm";
import { invalidArgument, type SpillwayError } from "../../errors.ts";

/** Characters that are operators in basic `grep` and literals here, and the reverse. */
const BASIC = /\\\||[\].]\\\+|\\\{\d/;
const ESCAPED = /\\([|(){}+?])/g;

/** Advice for a pattern without matches: how to write it if it looks like basic `grep`; otherwise empty. */
export function sayBasicPattern(pattern: string): string {
  if (!BASIC.test(pattern)) return "";
  const meant = pattern.replaceAll(ESCAPED, "$1");
  return `Unlike in basic grep, a backslash makes | ( ) { } + and ? ordinary characters here. If you meant the operators, write ${meant}`;
}

/** A pattern that no search takes, by the engine's own reason. */
export function wrongPattern(reason: string, cause?: unknown): SpillwayError {
  const said = reason.charAt(0).toLowerCase() + reason.slice(1).replace(/\.$/, "");
  return invalidArgument(
    `the pattern is not a regular expression: ${said}. Put a backslash before characters such as ( [ { * + ? that stand for themselves, or search for plain text (-F on the command line).`,
    { cause },
  );
}

/** A match; `text` holds at most its first 200 characters. */
export interface TextMatch {
  readonly index: number;
  readonly length: number;
  readonly text: string;
}

/** Finds the matches in one stretch of text. */
export type MatchText = (text: string) => readonly TextMatch[];

export interface BoundedMatcherOptions {
  readonly ignoreCase: boolean;
  /** Takes the pattern as plain text. @default false */
  readonly fixedStrings?: boolean;
  /** Lets a match span lines, with `.` for a newline too; else each line is matched by itself. @default false */
  readonly multiline?: boolean;
}

/** How long a pattern may take with one stretch of text, of the processor's time. */
export const MATCH_TIMEOUT_MS = 500;
/** A search that was stopped without its share of processor time is retried once with twice the time. */
const LONGEST_TIMEOUT_MS = 2 * MATCH_TIMEOUT_MS;
const MOST_OF_IT = 0.9;
const MATCHES_PER_STRETCH = 1_000_000;

// Names of the context are slow to reach, so the loop works on its own.
const script = new Script(`
  found = ((pattern, text, multiline, most) => {
    const found = [];
    const matchFrom = (start, part) => {
      pattern.lastIndex = 0;
      let told = false;
      for (let match; found.length < most && (match = pattern.exec(part)) !== null; ) {
        const [text] = match;
        if (text === "") {
          // A position inside a surrogate pair would match the previous one again, forever.
          pattern.lastIndex += part.codePointAt(match.index) > 0xffff ? 2 : 1;
          // Of those that match nothing one tells all of a line.
          if (told && !multiline) continue;
          told = true;
        }
        found.push({ index: start + match.index, length: text.length, text: text.slice(0, 200) });
      }
    };
    if (multiline) matchFrom(0, text);
    else
      for (let start = 0; start < text.length; ) {
        const newline = text.indexOf("\\n", start);
        const end = newline < 0 ? text.length : newline;
        matchFrom(start, text.slice(start, end > start && text[end - 1] === "\\r" ? end - 1 : end));
        start = end + 1;
      }
    return found;
  })(pattern, text, multiline, most);
`);

/** Matches a pattern by JavaScript's own engine, which is stopped when a pattern backtracks without end. */
export function createBoundedMatcher(pattern: string, options: BoundedMatcherOptions): MatchText {
  const { ignoreCase, fixedStrings = false, multiline = false } = options;
  const flags = `gm${ignoreCase ? "i" : ""}${multiline ? "s" : ""}`;
  const expression = compile(fixedStrings ? escapeRegExp(pattern) : pattern, flags);
  const context = createContext({ pattern: expression, text: "", multiline, most: MATCHES_PER_STRETCH, found: [] });
  return (text) => {
    context.text = text;
    for (let timeout = MATCH_TIMEOUT_MS; timeout <= LONGEST_TIMEOUT_MS; timeout *= 2) {
      const before = process.cpuUsage();
      try {
        script.runInContext(context, { timeout });
        return context.found as TextMatch[];
      } catch (error) {
        if ((error as { code?: unknown }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
        if (millisecondsSince(before) >= MATCH_TIMEOUT_MS * MOST_OF_IT) break;
      }
    }
    throw invalidArgument(`the pattern ${pattern} takes too long to match; make it simpler`);
  };
}

/** The processor's time since then. */
function millisecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** A text as a pattern that matches just it. */
export function escapeRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replaceAll("-", "\\x2d");
}

/** Compiled with Unicode rules; patterns that these reject, such as with an extra escape, with the older rules. */
function compile(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    try {
      return new RegExp(source, flags);
    } catch (error) {
      const reason = (error as Error).message;
      throw wrongPattern(reason.replace(/^Invalid regular expression: .*\/\w*: /s, ""), error);
    }
  }
}
