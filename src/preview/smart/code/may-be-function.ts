import { CONTROL_WORDS, CONTROLLING, IMPORTING, isWordUnit, QUALIFYING, skipBlanks, wordEnd } from "./first-words.ts";
import type { SourcePage } from "./source-page.ts";

const TAB = 9;
const BLANK = 32;
const DOUBLE_QUOTE = 34;
const DOLLAR = 36;
const QUOTE = 39;
const OPEN_PARENTHESIS = 40;
const COMMA = 44;
const DASH = 45;
const DOT = 46;
const COLON = 58;
const EQUALS = 61;
const GREATER = 62;
const LETTER_C = 99;
const OPEN_BRACE = 123;
const LAST_ASCII = 0x7f;
/** What a call or method with a body does not begin with. */
const NO_NAMES = "(){}/|;`%^\\.+-=!&";

/** False when a line of a script surely begins no function that goes without its keyword. */
export function mayBeFunction(page: SourcePage, index: number, meaning: number, inFunction: boolean): boolean {
  const text = page.texts[index] as string;
  const head = page.heads[index] as number;
  const end = page.ends[index] as number;
  const last = page.last(index);
  if (last === OPEN_BRACE || last === OPEN_PARENTHESIS || last === GREATER) {
    if (mayAssign(text, head, end)) return true;
    if (last === OPEN_PARENTHESIS && (meaning & IMPORTING) !== 0 && mayOpenArrow(text, end)) return true;
  }
  const mayHaveBody = inFunction ? last === OPEN_BRACE : page.parentheses.on(index);
  return mayHaveBody && mayBeMethod(text, head, meaning);
}

/** A name, and behind it a function as its value or property. */
function mayAssign(text: string, head: number, end: number): boolean {
  let at = head;
  let unit = text.charCodeAt(at);
  if (unit === QUOTE || unit === DOUBLE_QUOTE) return true;
  while (isWordUnit(unit) || unit === DOLLAR || unit === DOT || unit === DASH || unit === BLANK || unit === TAB)
    unit = text.charCodeAt(++at);
  if (unit > LAST_ASCII) return true;
  if (unit !== EQUALS && unit !== COLON) return false;
  if (mayFunctionFollow(text, at + 1)) return true;
  // The colon may be that of a type.
  const assigned = unit === COLON ? text.indexOf("=", at) : -1;
  return assigned >= 0 && assigned < end;
}

function mayFunctionFollow(text: string, from: number): boolean {
  const at = skipBlanks(text, from);
  const first = text.charCodeAt(at);
  if (first === OPEN_PARENTHESIS || first > LAST_ASCII) return true;
  if (text.startsWith("async", at) || text.startsWith("function", at)) return true;
  let end = at;
  while (isWordUnit(text.charCodeAt(end)) || text.charCodeAt(end) === DOLLAR) end++;
  const after = text.charCodeAt(skipBlanks(text, end));
  return after === EQUALS || after > LAST_ASCII;
}

/** A parenthesis at the end of a line that is not that of a call. */
function mayOpenArrow(text: string, end: number): boolean {
  let at = end - 1;
  if (text.charCodeAt(at) !== OPEN_PARENTHESIS) return true;
  do at--;
  while (text.charCodeAt(at) === BLANK || text.charCodeAt(at) === TAB);
  const unit = text.charCodeAt(at);
  return unit === EQUALS || unit === LETTER_C || unit > LAST_ASCII;
}

/** A name with a parenthesis behind it, and before it at most what a method may have. */
function mayBeMethod(text: string, head: number, meaning: number): boolean {
  if (!isWordUnit(text.charCodeAt(head))) return !NO_NAMES.includes(text.charAt(head));
  const end = wordEnd(text, head);
  const after = text.charCodeAt(end);
  if (after === DOT) return !isWordUnit(text.charCodeAt(end + 1));
  if (after === COMMA || after === EQUALS) return false;
  const next = text.charCodeAt(skipBlanks(text, end));
  if (next === OPEN_PARENTHESIS) return (meaning & CONTROLLING) === 0 || !CONTROL_WORDS.has(text.slice(head, end));
  return (after !== BLANK && after !== TAB) || next > LAST_ASCII || (meaning & QUALIFYING) !== 0;
}
