import { LOGGED } from "../log/mere-words.ts";
import { isElement } from "./outline-grammar.ts";
import { commentSign, indentOf, kindOf } from "./outline-line.ts";

const LEAST_LINES = 12;
/** Of the lines that are no comment, those that may look like a log's. */
const MOST_LOGGED = 0.04;
/** Places in other files or in memory, frames of a stack, signs below a quoted place, and what a debugger prints. */
const PLACED =
  /^\d+:\d+\s|^at \S+\(|\b0x[\da-f]{8}|\bline \d+\b|\w:\d+:|\(\d+,\s?\d+\)|^[~^]+(?:[-\s]|$)|^\[[^\]]* \(|<optimized out>/i;
const MOST_PLACED = 0.1;
const LONG = 240;
const ENDED = /[{};,]$/;
const OPENED = /[({[]$/;
const OPENS = /[:{]$/;
/** What a file has above nested lines; a report says more there. */
const HEADED = /[:({[]$|^\S+$/;
const LEAST_HEADED = 0.8;
const TAGGED = /^<[/!?a-z]/i;
const MACRO = /^\.[A-Z][A-Za-z]\b/;
/** `key: value`, `key = value`, `- key: value`, `- element`, `"element",`. */
const KEYED =
  /^(?:- )?(?!\d+[:-])["']?[\w$@.-][\w.$@-]{0,60}(?: [\w.-]{1,20})?["']?\s*(?:[:=]|\+=)(?:\s|$|["'\w./[{(-])|^- \S|^["'].*,$/;
/** What loggers and tools put before a colon. */
const SPOKEN =
  /^(?:(?:npm|yarn|pip|make|warning|warn|error|fatal|info|debug|note|notice|hint|trace|stderr|stdout|usage|fail(?:ed|ure)?)\b.{0,20}|\S+ \S+ \S+ .*):(?:\s|$)/i;
/** What a test runner prints between its parts. */
const BANNER = /^={3,} .{1,200} ={3,}$/;
/** What stands above and below the head of a table. */
const RULES = /^-{3,}(?: +-{3,})+$/;
const MOST_BANNERS = 2;
const LEAST_KEYED = 0.6;
/** Forms that lines have which report events; a record has more keys. */
const MOST_REPORT_FORMS = 3;
const REPORTED = 0.95;
/** Of the lines, those at the margin that are nothing of this. */
const MOST_OTHERS = 0.05;

/**
 * True for what may be a file with a form of its own: in sections, of keys with values, nested, commented, tagged or in
 * braces, and without a log's times and levels. `filled` are its first lines without blank ones.
 */
export function looksLikeOutline(filled: readonly string[]): boolean {
  if (filled.length < LEAST_LINES) return false;
  const texts = filled.map((line) => line.trim());
  const kinds = texts.map(kindOf);
  const count = (test: (line: string, at: number) => boolean): number => texts.filter(test).length;
  const comments = count((_, at) => kinds[at] === "comment" || kinds[at] === "heading");
  const bare = filled.length - comments;
  if (bare < 4) return false;
  const outside = (pattern: RegExp): number => count((line, at) => kinds[at] !== "comment" && pattern.test(line));
  if (count(isElement) > 0.3 * bare) return true;
  // A name that others stand under is none of a log's levels.
  const logged = count((line, at) => kinds[at] !== "comment" && LOGGED.test(line) && !OPENS.test(line));
  if (logged >= MOST_LOGGED * bare || outside(PLACED) > MOST_PLACED * bare) return false;
  if (count((line) => BANNER.test(line)) > MOST_BANNERS || count((line) => RULES.test(line)) > MOST_BANNERS)
    return false;
  const isKeyed = (line: string): boolean => KEYED.test(line) && !SPOKEN.test(line);
  const keyed = count((line, at) => kinds[at] === "text" && isKeyed(line));
  const closed = count((_, at) => kinds[at] === "closer" || kinds[at] === "section");
  const others = count((line, at) => kinds[at] === "text" && filled[at] === line && !isKeyed(line));
  if (keyed > 0 && keyed + closed > LEAST_KEYED * bare && others < MOST_OTHERS * bare && !isReport(texts)) return true;
  if (count((line) => line.length > LONG) > 0.1 * filled.length) return false;
  if (count((line) => TAGGED.test(line)) > 0.5 * filled.length) return true;
  if (count((line) => ENDED.test(line)) > 0.5 * filled.length) return true;
  if (count((line) => MACRO.test(line)) > 0.2 * filled.length) return true;
  if (comments > 0.25 * filled.length && hasOneSign(texts.filter((_, at) => kinds[at] === "comment"))) return true;
  return isNested(
    filled.filter((_, at) => kinds[at] === "text"),
    closed,
  );
}

/** True if nearly all lines have one of a few forms, but for their numbers: they report one event each. */
function isReport(texts: readonly string[]): boolean {
  // Settings assign; a report says something behind a colon.
  if (
    texts.some((text) => text.startsWith("[")) ||
    texts.filter((text) => /^[^=]*: /.test(text)).length < 0.5 * texts.length
  )
    return false;
  const counts = new Map<string, number>();
  for (const text of texts) {
    const form = text.replace(/\d+/g, "0");
    counts.set(form, (counts.get(form) ?? 0) + 1);
  }
  const most = [...counts.values()].sort((left, right) => right - left).slice(0, MOST_REPORT_FORMS);
  return most.reduce((sum, count) => sum + count, 0) > REPORTED * texts.length;
}

/** Whoever writes comments begins them alike; what tools print with such signs has several. */
function hasOneSign(comments: readonly string[]): boolean {
  const counts = new Map<string, number>();
  for (const comment of comments) counts.set(commentSign(comment), (counts.get(commentSign(comment)) ?? 0) + 1);
  return Math.max(...counts.values()) > 0.9 * comments.length;
}

/** Most lines stand below others, which come again and again at the margin. */
function isNested(lines: readonly string[], closed: number): boolean {
  const indents = lines.map(indentOf);
  const least = Math.min(...indents);
  const tops = indents.filter((indent) => indent === least).length;
  const opens = (at: number): boolean => indents[at] === least && (indents[at + 1] ?? 0) > least;
  const opening = lines.filter((_, at) => opens(at)).length;
  const headed = lines.filter((line, at) => opens(at) && HEADED.test(line.trim())).length;
  const nested = (lines.length - tops) / lines.length;
  if (headed + closed < LEAST_HEADED * opening) return false;
  if (nested > 0.3 && opening >= 3 && opening > 0.5 * tops) return true;
  return nested > 0.6 && lines.some((line, at) => OPENED.test(line) && (indents[at + 1] ?? 0) > (indents[at] ?? 0));
}
