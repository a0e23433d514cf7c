/** What one line is in a file of any format. */
export type OutlineLine = "heading" | "comment" | "closer" | "text";

const COMMENT = /^(?:#(?![\d!])|\/\/|\/\*|\*(?:[\s/]|$)|;|--(?:\s|$)|%|"(?:\s|$)|<!--|dnl\b|\.?\\")/;
const SIGN = /^(?:#|\/\/|\/?\*|;|--|%|"|<!--|dnl|\.?\\")/;
/** A comment drawn as a heading: `#### NETWORK ####`, `; --- paths ---`. */
const DRAWN = /^[^\p{L}\p{N}]{3,}\s*\p{L}[^#=*]{1,60}?\s*[-=#*~+]{3,}\W*$/u;
/** Macros that begin a section of a manual. */
const MANUAL = /^\.(?:TH|SH|SS|Dt|Sh|Ss)\b/;
const CLOSER = /^(?:[\])}>;,.\s]+|<\/[^>]+>[;,]?|end\w*;?)$/i;

/** Reads a line without the blanks around it. */
export function readOutlineLine(text: string): OutlineLine {
  if (MANUAL.test(text) || DRAWN.test(text)) return "heading";
  if (COMMENT.test(text)) return "comment";
  return CLOSER.test(text) ? "closer" : "text";
}

/** What ends a comment that goes on in the next lines; undefined when this one ends it, or begins none. */
export function commentEnd(said: string): string | undefined {
  const end = said.startsWith("<!--") ? "-->" : said.startsWith("/*") ? "*/" : undefined;
  return end === undefined || said.includes(end) ? undefined : end;
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
