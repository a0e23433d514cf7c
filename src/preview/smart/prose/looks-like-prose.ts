import { latePattern } from "../../../query/late-pattern.ts";
import { underlineOf } from "./prose-grammar.ts";

const MANUAL = /^\S+\(\d\w*\)\s.*\S+\(\d\w*\)\s*$/;
const MARKED = /^(?:#{1,6}|={1,5}) \S/;
const MARKDOWN = /^\s*[-*+] \S|^\s*\d+\. \S|^\||^```|^>|\[[^\]]+\]\([^)]+\)|!\[|`[^`]+`|\*\*\S/;
const TIMED =
  /^\[?\d{4}-\d\d-\d\d[T ]\d\d:|^\[?\d\d:\d\d:\d\d|^\[?(?:INFO|DEBUG|WARN|WARNING|ERROR|TRACE|FATAL|info|debug|error|warn|warning|fatal)\b[\]:\s]|^[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:|^\[\s*\d+[\d.]*[\]/%]/;
const PLACED = /^[^\s:]{1,200}:\d+(?::\d+)?[: ]|^\s+at \S+[ (]|^\$ |^\+ |^##\[/;
/** What a program prints that quotes text: a typesetter, a client of the web, a test runner. */
const PRINTED =
  /^This is \S*TeX\S*, Version \d|^(?:Over|Under)full \\[hv]box \(|^> [A-Z]{3,7} \S+ HTTP\/\d|^={3,} (?:test session starts|FAILURES|PASSES|ERRORS|warnings summary) ={3,}$/;
const CODE =
  /[{};]\s*$|^\s*(?:import |from \S+ import|export |const |let |var |def |class |function |fn |pub |func |package |#include|using |public |private |protected |return\b|if ?\(|for ?\(|elif |else:|try:|raise |self\.)|^\s*\w+ = /;
/** What programs are made of, at the start of a line. */
const DECLARATION =
  /^(?:import [\w{*"'(]|from \S+ import |#include\b|#define\b|package [\w.]+;?$|(?:async )?def \w+\(|class \w+[\s(:{]|use [\w:]+|using [\w.]+;|(?:pub )?(?:fn|struct|impl|mod) |func [\w(]|(?:export |const |let |var |function |interface |namespace |public |private )|"""|@\w+)/;
const MOST_DECLARATIONS = 3;
const MOST_CODE = 0.3;
const MOST_CODE_IN_MARKDOWN = 0.6;
const WORD = latePattern(String.raw`^["'(*_\x60[]*\p{L}[\p{L}'’-]*[)"'*_\x60\].,;:!?]*$`, "u");
const CONTINUED = latePattern(String.raw`^\s*["'(\x60*_]?\p{Ll}`, "u");
const ENDED = /[.:!?;]["')\]]?\s*$/;
const SENTENCES = latePattern(String.raw`\p{L}{2,}[.!?]["')]? \p{Lu}|[。！？，、][^。！？]{4,}[。！？]`, "u");
const WIDE = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;
const LONG = 90;
const LISTED = /^\s*(?:[-*+]|\d+[.)]) |^\|/;
const FENCE = /^\s*(`{3,}|~{3,})(.*)$/;
/** A definition of a link, which a logger's number in brackets is not. */
const LINK = /^\[[^\]]{1,80}\]:\s+(?:https?:|mailto:|[.#/<]|\w+[./])/;
/** More signs underline something. */
const LONGEST_FENCE = 5;
const TAGGED = /^\s*<[!/a-z]/i;
/** Keys of nested settings, whose comments look like headings. */
const NESTED_KEY = /^\s{2,}[\w.-]+:(?:\s|$)/;
const MOST_NESTED = 0.2;

/** True for a text that is read: a document with headings, or paragraphs of sentences. `lines` include blank ones. */
export function looksLikeProse(looked: readonly string[]): boolean {
  const lines = withoutQuotes(looked);
  const filled = lines.filter((line) => line !== "");
  if (filled.length < 4) return false;
  const count = (pattern: RegExp): number => filled.filter((line) => pattern.test(line)).length;
  const most = (share: number, pattern: RegExp): boolean => count(pattern) > share * filled.length;
  if (!MANUAL.test(filled[0] ?? "")) {
    if (most(0.04, TIMED) || most(0.1, PLACED) || count(PRINTED) > 0) return false;
    const markdown = isMarkdown(looked);
    if (most(markdown ? MOST_CODE_IN_MARKDOWN : MOST_CODE, CODE)) return false;
    // The entries of a changelog may well begin alike.
    if (beginsAlike(markdown ? filled.filter((line) => !LISTED.test(line)) : filled)) return false;
    const quotes = looked.length - lines.length;
    if (!hasHeadings(lines, markdown ? quotes : 0) && !hasParagraphs(lines, filled)) return false;
  }
  if (filled.filter((line) => DECLARATION.test(line) && !isSentence(line)).length >= MOST_DECLARATIONS) return false;
  return !most(MOST_NESTED, NESTED_KEY);
}

/** The lines without what a document quotes between fences, and without definitions of links. */
function withoutQuotes(lines: readonly string[]): readonly string[] {
  let open = "";
  return lines.filter((line, at) => {
    const [, fence = "", rest = ""] = FENCE.exec(line) ?? [];
    if (open !== "") {
      // A longer fence may quote a shorter one.
      if (fence.startsWith(open) && rest === "") open = "";
      return false;
    }
    if (fence === "") return !LINK.test(line);
    const before = lines[at - 1] ?? "";
    const underlines = (before !== "" && line.length > LONGEST_FENCE) || underlineOf(before, line) !== undefined;
    if (fence.startsWith("`") ? rest.includes("`") : rest === "" && underlines) return true;
    open = fence;
    return false;
  });
}

/**
 * True for Markdown, whatever it quotes and however much of it is lists, tables and tags: unlike comments of settings and
 * scripts, most headings have a blank line, or what is quoted, behind them.
 */
export function isMarkdown(looked: readonly string[]): boolean {
  const lines = withoutQuotes(looked);
  const headings = lines.flatMap((line, at) => (/^#{1,6} \S/.test(line) ? [at] : []));
  const apart = headings.filter((at) => (lines[at + 1] ?? "") === "").length;
  const tagged = lines.filter((line) => TAGGED.test(line)).length;
  const filled = lines.filter((line) => line !== "").length;
  return headings.length >= 2 && apart >= 0.75 * headings.length && tagged < 0.5 * filled;
}

/** True when more than half of the lines begin with the same two words and are no sentences, as a program's lines do. */
function beginsAlike(filled: readonly string[]): boolean {
  const counts = new Map<string, number>();
  for (const line of filled) {
    const beginning = /^\s*\S+\s+\S+/.exec(line)?.[0];
    if (beginning !== undefined && !SENTENCES().test(line)) counts.set(beginning, (counts.get(beginning) ?? 0) + 1);
  }
  return Math.max(0, ...counts.values()) > 0.5 * filled.length;
}

/** Headings stand apart, unlike comments of settings and scripts. What is quoted below them tells something too. */
function hasHeadings(lines: readonly string[], quotes: number): boolean {
  const blankAt = (at: number): boolean => (lines[at] ?? "") === "";
  const marked = lines.flatMap((line, at) => (MARKED.test(line) ? [at] : []));
  const apart = marked.filter((at) => blankAt(at + 1) || blankAt(at - 1)).length;
  const underlined = lines.filter(
    (line, at) => blankAt(at - 1) && underlineOf(line, lines[at + 1] ?? "") !== undefined,
  ).length;
  const telling = lines.filter(
    (line) => !MARKED.test(line) && (MARKDOWN.test(line) || SENTENCES().test(line) || isSentence(line)),
  ).length;
  if (marked.length >= 2 && apart >= 0.75 * marked.length && telling >= 0.5 * marked.length - quotes) return true;
  return (underlined >= 2 || (underlined === 1 && marked.length >= 1)) && telling >= underlined;
}

/** Lines that go on in the next, or that hold several sentences. */
function hasParagraphs(lines: readonly string[], filled: readonly string[]): boolean {
  if (lines.length <= filled.length) return false;
  const several = filled.filter((line) => SENTENCES().test(line));
  const long = several.filter((line) => line.length > LONG).length;
  const wide = several.filter((line) => WIDE.test(line)).length;
  if (long > 0.4 * filled.length || wide > 0.5 * filled.length) return true;
  const pairs = lines.flatMap((line, at) => (at > 0 && line !== "" && lines[at - 1] !== "" ? [at] : []));
  const continued = pairs.filter((at) => {
    const before = lines[at - 1] as string;
    return before.length > 40 && !ENDED.test(before) && CONTINUED().test(lines[at] as string);
  }).length;
  if (continued < 4 || continued <= 0.33 * pairs.length) return false;
  return filled.filter(isSentence).length > 0.5 * filled.length;
}

/** Five words or more, and little else. */
function isSentence(line: string): boolean {
  const tokens = line.trim().split(/\s+/);
  if (tokens.length < 5) return false;
  const words = tokens.filter((token) => WORD().test(token)).length;
  return words >= 5 && words >= 0.6 * tokens.length;
}
