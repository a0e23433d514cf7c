import { latePattern } from "../../../query/late-pattern.ts";
import { isUnderline } from "./heading.ts";
import { isMarkdown, withoutQuotes } from "./markdown.ts";

const MANUAL = /^\S+\(\d\w*\)\s.*\S+\(\d\w*\)\s*$/;
const MARKED = /^(?:#{1,6}|={1,5}) \S/;
const MARKDOWN = /^\s*[-*+] \S|^\s*\d+\. \S|^\||^```|^>|\[[^\]]+\]\([^)]+\)|!\[|`[^`]+`|\*\*\S/;
const TIMED =
  /^\[?\d{4}-\d\d-\d\d[T ]\d\d:|^\[?\d\d:\d\d:\d\d|^\[?(?:INFO|DEBUG|WARN|WARNING|ERROR|TRACE|FATAL|info|debug|error|warn|warning|fatal)\b[\]:\s]|^[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:|^\[\s*\d+[\d.]*[\]/%]/;
const PLACED = /^[^\s:]{1,200}:\d+(?::\d+)?[: ]|^\s+at \S+[ (]|^\$ |^\+ |^##\[/;
/** A typesetter tells what it was given, and reads like it. */
const TYPESETTER = /^This is \S*TeX\S*, Version \d|^(?:Over|Under)full \\[hv]box \(/;
/** A client that shows what it sends and gets, whatever it gets. */
const SENT = /^> [A-Z]{3,7} \S+ HTTP\/\d/;
const RECEIVED = /^< HTTP\/\d/;
const CODE =
  /[{};]\s*$|^\s*(?:import |from \S+ import|export |const |let |var |def |class |function |fn |pub |func |package |#include|using |public |private |protected |return\b|if ?\(|for ?\(|elif |else:|try:|raise |self\.)|^\s*\w+ = /;
const WORD = latePattern(String.raw`^["'(*_\x60[]*\p{L}[\p{L}'’-]*[)"'*_\x60\].,;:!?]*$`, "u");
const CONTINUED = latePattern(String.raw`^\s*["'(\x60*_]?\p{Ll}`, "u");
const ENDED = /[.:!?;]["')\]]?\s*$/;
const SENTENCES = latePattern(String.raw`\p{L}{2,}[.!?]["')]? \p{Lu}|[。！？，、][^。！？]{4,}[。！？]`, "u");
const LONG = 90;

/** What programs are made of, at the start of a line. */
const DECLARATION =
  /^(?:import [\w{*"'(]|from \S+ import |#include\b|#define\b|package [\w.]+;?$|(?:async )?def \w+\(|class \w+[\s(:{]|use [\w:]+|using [\w.]+;|(?:pub )?(?:fn|struct|impl|mod) |func [\w(]|(?:export |const |let |var |function |interface |namespace |public |private )|"""|@\w+)/;
const MOST_DECLARATIONS = 3;
const MOST_CODE_IN_MARKDOWN = 0.6;
const LISTED = /^\s*(?:[-*+]|\d+[.)]) |^\|/;

/** True for a text that is read: a document with headings, or paragraphs of sentences. `lines` include blank ones. */
export function looksLikeProse(looked: readonly string[]): boolean {
  const lines = withoutQuotes(looked);
  const filled = lines.filter((line) => line !== "");
  if (filled.length < 4) return false;
  const share = (pattern: RegExp): number => filled.filter((line) => pattern.test(line)).length / filled.length;
  const manual = MANUAL.test(filled[0] ?? "");
  if (!manual && (share(TIMED) > 0.04 || share(PLACED) > 0.1)) return false;
  if (filled.filter((line) => DECLARATION.test(line) && !isSaid(line)).length >= MOST_DECLARATIONS) return false;
  if (manual) return true;
  if (filled.some((line) => SENT.test(line)) && filled.some((line) => RECEIVED.test(line))) return false;
  if (filled.some((line) => TYPESETTER.test(line))) return false;
  const markdown = isMarkdown(looked);
  if (share(CODE) > (markdown ? MOST_CODE_IN_MARKDOWN : 0.3)) return false;
  // The entries of a changelog may well begin alike.
  if (beginsAlike(markdown ? filled.filter((line) => !LISTED.test(line)) : filled)) return false;
  const quotes = looked.length - lines.length;
  return hasHeadings(lines, markdown ? quotes : 0) || hasParagraphs(lines, filled);
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
  let marked = 0;
  let apart = 0;
  let underlined = 0;
  lines.forEach((line, at) => {
    if (MARKED.test(line)) {
      marked++;
      if ((lines[at + 1] ?? "") === "" || at === 0 || (lines[at - 1] ?? "") === "") apart++;
    }
    if (isUnderline(line, lines[at + 1] ?? "") !== undefined && (at === 0 || lines[at - 1] === "")) underlined++;
  });
  if (marked >= 2 && apart >= 0.75 * marked && tellsMore(lines, 0.5 * marked - quotes)) return true;
  return (underlined >= 2 || (underlined === 1 && marked >= 1)) && tellsMore(lines, underlined);
}

/** True when at least so many lines below headings say something. */
function tellsMore(lines: readonly string[], least: number): boolean {
  let telling = 0;
  for (const line of lines) {
    if (telling >= least) break;
    if (!MARKED.test(line) && (MARKDOWN.test(line) || SENTENCES().test(line) || isSaid(line))) telling++;
  }
  return telling >= least;
}

/** Lines that go on in the next, or that hold several sentences. */
function hasParagraphs(lines: readonly string[], filled: readonly string[]): boolean {
  const long = filled.filter((line) => line.length > LONG && SENTENCES().test(line)).length;
  const wide = filled.filter(
    (line) => /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/.test(line) && SENTENCES().test(line),
  ).length;
  if (long > 0.4 * filled.length || wide > 0.5 * filled.length) return lines.length > filled.length;
  let pairs = 0;
  let continued = 0;
  for (let at = 1; at < lines.length; at++) {
    const before = lines[at - 1] ?? "";
    const line = lines[at] ?? "";
    if (before === "" || line === "") continue;
    pairs++;
    if (!ENDED.test(before) && CONTINUED().test(line) && before.length > 40) continued++;
  }
  if (continued < 4 || continued <= 0.33 * pairs || lines.length <= filled.length) return false;
  return filled.filter((line) => isSaid(line)).length > 0.5 * filled.length;
}

/** Five words or more, and little else. */
function isSaid(line: string): boolean {
  const tokens = line.trim().split(/\s+/);
  if (tokens.length < 5) return false;
  const words = tokens.filter((token) => WORD().test(token)).length;
  return words >= 5 && words >= 0.6 * tokens.length;
}
