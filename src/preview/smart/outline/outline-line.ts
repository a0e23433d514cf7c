import { unitAt } from "../../../bytes/unit-at.ts";

/** What one line is in a file of settings, data or any other format that indents. */
export type LineKind = "section" | "heading" | "comment" | "closer" | "text";

/** `[name]` or `[[name]]` by itself, as in ini and TOML. */
const SECTION = /^\[{1,2}[^\][]{1,200}\]{1,2}\s*(?:[#;].*)?$/;
const COMMENT = /^(?:#(?![\d!])|\/\/|\/\*|\*(?:[\s/]|$)|;|--(?:\s|$)|%|"(?:\s|$)|<!--|dnl\b|\.?\\")/;
const SIGN = /^(?:#|\/\/|\/?\*|;|--|%|"|<!--|dnl|\.?\\")/;
/** A comment drawn as a heading: `#### NETWORK ####`, `; --- paths ---`. */
const DRAWN = /^[^\p{L}\p{N}]{3,}\s*\p{L}[^#=*]{1,60}?\s*[-=#*~+]{3,}$/u;
/** Macros that begin a section of a manual. */
const MANUAL = /^\.(?:TH|SH|SS|Dt|Sh|Ss)\b/;
const CLOSER = /^(?:[^\p{L}\p{N}]+|<\/[^>]+>[;,]?|end\w*;?)$/iu;
const DRAWN_ENDS = "-=#*~+";

/** The kind of a line without the blanks around it. The first character spares most lines the patterns. */
export function kindOf(text: string): LineKind {
  const first = text.charAt(0);
  const named = isNamed(text.charCodeAt(0));
  if (first === "[" && SECTION.test(text)) return "section";
  if (first === "." && MANUAL.test(text)) return "heading";
  if (!named && DRAWN_ENDS.includes(text.charAt(text.length - 1)) && DRAWN.test(text)) return "heading";
  if ((!named || first === "d") && COMMENT.test(text)) return "comment";
  return (!named || first === "e" || first === "E") && CLOSER.test(text) ? "closer" : "text";
}

/** What ends a comment that goes on in the next lines; undefined when this one ends it, or begins none. */
export function commentEnd(text: string): string | undefined {
  const end = text.startsWith("<!--") ? "-->" : text.startsWith("/*") ? "*/" : undefined;
  return end === undefined || text.includes(end) ? undefined : end;
}

/** By what sign a comment is known. */
export function commentSign(text: string): string {
  return SIGN.exec(text)?.[0].replace("/*", "*") ?? "";
}

/** How far a line is indented, a tab being as wide as four blanks. */
export function indentOf(text: string): number {
  let indent = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 32) indent++;
    else if (unit === 9) indent += 4;
    else break;
  }
  return indent;
}

/** What a line begins with: a word, a tag, or a sign. */
export function openingOf(text: string): string {
  let end = 0;
  if (text.charCodeAt(0) === 60) while (end < text.length && !endsTag(text.charCodeAt(end))) end++;
  else while (isNamed(unitAt(text, end))) end++;
  return text.slice(0, Math.max(1, end));
}

/** The first name in a line, with what joins its parts. */
export function nameIn(text: string): string {
  let start = 0;
  while (start < text.length && !isJoined(text.charCodeAt(start))) start++;
  let end = start;
  while (isJoined(unitAt(text, end))) end++;
  return end > start ? text.slice(start, end) : text.charAt(0);
}

/** A letter, a digit or a low line; other scripts have nothing else here. */
function isNamed(unit: number): boolean {
  return (
    (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || (unit >= 48 && unit <= 57) || unit === 95 || unit > 127
  );
}

/** A part of a name, or `.`, `:`, `@`, `-`. */
function isJoined(unit: number): boolean {
  return isNamed(unit) || unit === 46 || unit === 58 || unit === 64 || unit === 45;
}

/** A blank, `>` or `/`. */
function endsTag(unit: number): boolean {
  return unit <= 32 || unit === 62 || unit === 47;
}
