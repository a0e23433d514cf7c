import { unitAt } from "../../../bytes/unit-at.ts";

/** What one line is in a file of any format. */
export type OutlineLine = "heading" | "comment" | "closer" | "text";

const COMMENT = /^(?:#(?![\d!])|\/\/|\/\*|\*(?:[\s/]|$)|;|--(?:\s|$)|%|"(?:\s|$)|<!--|dnl\b|\.?\\")/;
const SIGN = /^(?:#|\/\/|\/?\*|;|--|%|"|<!--|dnl|\.?\\")/;
/** A comment drawn as a heading: `#### NETWORK ####`, `; --- paths ---`. */
const DRAWN = /^[^\p{L}\p{N}]{3,}\s*\p{L}[^#=*]{1,60}?\s*[-=#*~+]{3,}$/u;
/** Macros that begin a section of a manual. */
const MANUAL = /^\.(?:TH|SH|SS|Dt|Sh|Ss)\b/;
const CLOSER = /^(?:[^\p{L}\p{N}]+|<\/[^>]+>[;,]?|end\w*;?)$/iu;

/** What a line may be that begins with a character; most need not be looked at with a pattern. */
const MAY_COMMENT = 1;
const MAY_CLOSE = 2;
const MAY_HEAD = 4;
const DRAWN_ENDS: ReadonlySet<number> = new Set(Array.from("-=#*~+", (sign) => sign.charCodeAt(0)));
const ROLES = new Uint8Array(128);
for (const [characters, role] of [
  ['#/*;-%"<d.\\', MAY_COMMENT],
  ["<eE", MAY_CLOSE],
  [".", MAY_HEAD],
] as const) {
  for (const character of characters) ROLES[character.charCodeAt(0)] = (ROLES[character.charCodeAt(0)] ?? 0) | role;
}

/** Reads a line without the blanks around it. */
export function readOutlineLine(said: string): OutlineLine {
  const first = said.charCodeAt(0);
  const roles = first < 128 ? (ROLES[first] as number) : 0;
  if ((roles & MAY_HEAD) !== 0 && MANUAL.test(said)) return "heading";
  if (!isNamed(first) && DRAWN_ENDS.has(said.charCodeAt(said.length - 1)) && DRAWN.test(said)) return "heading";
  if ((roles & MAY_COMMENT) !== 0 && COMMENT.test(said)) return "comment";
  return ((roles & MAY_CLOSE) !== 0 || !isNamed(first)) && CLOSER.test(said) ? "closer" : "text";
}

/** What ends a comment that goes on in the next lines; undefined when this one ends it, or begins none. */
export function commentEnd(said: string): string | undefined {
  const end = said.startsWith("<!--") ? "-->" : said.startsWith("/*") ? "*/" : undefined;
  return end === undefined || said.includes(end) ? undefined : end;
}

/** By what sign a comment is known. */
export function commentSign(said: string): string {
  return SIGN.exec(said)?.[0].replace("/*", "*") ?? "";
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
export function openingOf(said: string): string {
  let end = 1;
  if (said.charCodeAt(0) === 60) {
    while (end < said.length && !endsTag(said.charCodeAt(end))) end++;
  } else {
    end = 0;
    while (isNamed(unitAt(said, end))) end++;
  }
  return said.slice(0, Math.max(1, end));
}

/** The first name in a line, with what joins its parts. */
export function nameIn(said: string): string {
  let start = 0;
  while (start < said.length && !isJoined(said.charCodeAt(start))) start++;
  let end = start;
  while (isJoined(unitAt(said, end))) end++;
  return end > start ? said.slice(start, end) : said.charAt(0);
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
