import {
  CONTROL_WORDS,
  CONTROLLING,
  FUNCTIONAL,
  IMPORTING,
  isWordUnit,
  meaningAt,
  QUALIFYING,
  skipBlanks,
  wordEnd,
} from "./first-words.ts";
import type { SourcePage } from "./source-page.ts";
import type { SourceText } from "./source-text.ts";

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
export function mayBeFunction(page: SourcePage, index: number, inFunction: boolean): boolean {
  const units = page.units(index);
  const head = page.heads[index] as number;
  const end = page.ends[index] as number;
  const last = page.last(index);
  const meaning = page.meanings[index] as number;
  if (last === OPEN_BRACE || last === OPEN_PARENTHESIS || last === GREATER) {
    if (mayAssign(units, head, end)) return true;
    if (last === OPEN_PARENTHESIS && (meaning & IMPORTING) !== 0 && mayOpenArrow(units, end)) return true;
  }
  const mayHaveBody = inFunction ? last === OPEN_BRACE : page.opensParenthesis(index);
  return mayHaveBody && mayBeMethod(page.texts[index] as SourceText, head, meaning);
}

/** A name, and behind it a function as its value or property. */
function mayAssign(units: Uint8Array, head: number, end: number): boolean {
  let at = head;
  let unit = units[at] as number;
  if (unit === QUOTE || unit === DOUBLE_QUOTE) return true;
  while (isWordUnit(unit) || unit === DOLLAR || unit === DOT || unit === DASH || unit === BLANK || unit === TAB)
    unit = units[++at] as number;
  if (unit > LAST_ASCII) return true;
  if (unit !== EQUALS && unit !== COLON) return false;
  if (mayFunctionFollow(units, at + 1)) return true;
  // The colon may be that of a type.
  if (unit !== COLON) return false;
  while (at < end && units[at] !== EQUALS) at++;
  return at < end;
}

function mayFunctionFollow(units: Uint8Array, from: number): boolean {
  const at = skipBlanks(units, from);
  const first = units[at] as number;
  if (first === OPEN_PARENTHESIS || first > LAST_ASCII) return true;
  if ((meaningAt(units, at) & FUNCTIONAL) !== 0) return true;
  let end = at;
  while (isWordUnit(units[end] as number) || units[end] === DOLLAR) end++;
  const after = units[skipBlanks(units, end)] as number;
  return after === EQUALS || after > LAST_ASCII;
}

/** A parenthesis at the end of a line that is not that of a call. */
function mayOpenArrow(units: Uint8Array, end: number): boolean {
  let at = end - 1;
  if (units[at] !== OPEN_PARENTHESIS) return true;
  do at--;
  while (units[at] === BLANK || units[at] === TAB);
  const unit = units[at] as number;
  return unit === EQUALS || unit === LETTER_C || unit > LAST_ASCII;
}

/** A name with a parenthesis behind it, and before it at most what a method may have. */
function mayBeMethod({ text, units }: SourceText, head: number, meaning: number): boolean {
  const first = units[head] as number;
  if (!isWordUnit(first)) return !NO_NAMES.includes(String.fromCharCode(first));
  const end = wordEnd(units, head);
  const after = units[end] as number;
  if (after === DOT) return !isWordUnit(units[end + 1] as number);
  if (after === COMMA || after === EQUALS) return false;
  const next = units[skipBlanks(units, end)] as number;
  if (next === OPEN_PARENTHESIS) return (meaning & CONTROLLING) === 0 || !CONTROL_WORDS.has(text.slice(head, end));
  return (after !== BLANK && after !== TAB) || next > LAST_ASCII || (meaning & QUALIFYING) !== 0;
}
