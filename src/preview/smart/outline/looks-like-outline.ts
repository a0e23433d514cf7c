import { LOGGED } from "../log/mere-words.ts";
import { commentSign, indentOf, readOutlineLine } from "./outline-line.ts";

const LEAST_LINES = 12;
/** Of the lines that are no comment, those that may look like a log's. */
const MOST_LOGGED = 0.04;
/** Places in other files or in memory, frames of a stack, and signs below a quoted place. */
const PLACED = /^\d+:\d+\s|^at \S+\(|\b0x[\da-f]{8}|\bline \d+\b|\w:\d+:|\(\d+,\s?\d+\)|^[~^]+(?:[-\s]|$)/i;
const MOST_PLACED = 0.1;
const LONG = 240;
const ENDED = /[{};,]$/;
const OPENED = /[({[]$/;
/** What a file has above nested lines; a report says more there. */
const HEADED = /[:({[]$|^\S+$/;
const LEAST_HEADED = 0.8;
const TAGGED = /^<[/!?a-z]/i;
const MACRO = /^\.[A-Z][A-Za-z]\b/;

/**
 * True for what may be a file with a form of its own: nested, commented, tagged or in braces, and without a log's times
 * and levels. `filled` are its first lines without blank ones.
 */
export function looksLikeOutline(filled: readonly string[]): boolean {
  if (filled.length < LEAST_LINES) return false;
  const said = filled.map((line) => line.trim());
  const kinds = said.map(readOutlineLine);
  const count = (test: (line: string, at: number) => boolean): number => said.filter(test).length;
  const comments = count((_, at) => kinds[at] === "comment" || kinds[at] === "heading");
  const bare = filled.length - comments;
  if (bare < 4) return false;
  const outside = (pattern: RegExp): number => count((line, at) => kinds[at] !== "comment" && pattern.test(line));
  if (outside(LOGGED) >= MOST_LOGGED * bare || outside(PLACED) > MOST_PLACED * bare) return false;
  if (count((line) => line.length > LONG) > 0.1 * filled.length) return false;
  if (count((line) => TAGGED.test(line)) > 0.5 * filled.length) return true;
  if (count((line) => ENDED.test(line)) > 0.5 * filled.length) return true;
  if (count((line) => MACRO.test(line)) > 0.2 * filled.length) return true;
  if (comments > 0.25 * filled.length && hasOneSign(said.filter((_, at) => kinds[at] === "comment"))) return true;
  return isNested(filled.filter((_, at) => kinds[at] === "text"));
}

/** Whoever writes comments begins them alike; what tools print with such signs has several. */
function hasOneSign(comments: readonly string[]): boolean {
  const counts = new Map<string, number>();
  for (const comment of comments) counts.set(commentSign(comment), (counts.get(commentSign(comment)) ?? 0) + 1);
  return Math.max(...counts.values()) > 0.9 * comments.length;
}

/** Most lines stand below others, which come again and again at the margin. */
function isNested(lines: readonly string[]): boolean {
  const indents = lines.map(indentOf);
  const least = Math.min(...indents);
  const tops = indents.filter((indent) => indent === least).length;
  const opens = (at: number): boolean => indents[at] === least && (indents[at + 1] ?? 0) > least;
  const opening = lines.filter((_, at) => opens(at)).length;
  const headed = lines.filter((line, at) => opens(at) && HEADED.test(line.trim())).length;
  const nested = (lines.length - tops) / lines.length;
  if (headed < LEAST_HEADED * opening) return false;
  if (nested > 0.3 && opening >= 3 && opening > 0.5 * tops) return true;
  return nested > 0.6 && lines.some((line, at) => OPENED.test(line) && (indents[at + 1] ?? 0) > (indents[at] ?? 0));
}
