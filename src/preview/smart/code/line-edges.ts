import { wordEnd } from "./first-words.ts";

/** Where a line begins after its blanks. */
function leadingBlanks(text: string): number {
  let at = 0;
  for (let unit = text.charCodeAt(0); unit === 32 || unit === 9; unit = text.charCodeAt(at)) at++;
  const unit = text.charCodeAt(at);
  return unit > 32 && unit < 128 ? at : text.length - text.trimStart().length;
}

/** The first character that is no white space; empty for a blank line. */
export function firstCharacter(text: string): string {
  return text.charAt(leadingBlanks(text));
}

/** The word that a line begins with; empty when it begins with a sign. */
export function firstWord(text: string): string {
  const start = leadingBlanks(text);
  return text.slice(start, wordEnd(text, start));
}

/** The last character that is no white space; empty for a blank line. */
export function lastCharacter(text: string): string {
  const unit = text.charCodeAt(text.length - 1);
  return unit > 32 && unit < 128 ? text.charAt(text.length - 1) : (text.trimEnd().at(-1) ?? "");
}
