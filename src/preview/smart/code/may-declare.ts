import { isCut } from "./declaration-place.ts";
import { DECLARED_FORMS } from "./declared-forms.ts";
import {
  ALIASING,
  ANNOUNCING,
  DEFINING,
  INITIALIZING,
  isWordUnit,
  MODIFYING,
  meaningAt,
  skipBlanks,
  TESTING,
  wordEnd,
} from "./first-words.ts";
import type { Language } from "./language.ts";
import { mayBeFunction } from "./may-be-function.ts";
import type { DeclarationKind } from "./read-declaration.ts";
import type { SourcePage } from "./source-page.ts";

const BLANK = 32;
const DOUBLE_QUOTE = 34;
const HASH = 35;
const OPEN_PARENTHESIS = 40;
const LESS = 60;
const AT = 64;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const LETTER_A = 97;
const LETTER_D = 100;
const LETTER_P = 112;
const OPEN_BRACE = 123;
const LAST_ASCII = 0x7f;

/** False when a line surely declares nothing, by its edges and its first words. */
export function mayDeclare(
  page: SourcePage,
  index: number,
  language: Language,
  within: DeclarationKind | undefined,
): boolean {
  const units = page.units(index);
  const head = page.heads[index] as number;
  const first = page.firsts[index] as number;
  const meaning = page.meanings[index] as number;
  if (first > LAST_ASCII || first === AT || isCut(page, index)) return true;
  const inFunction = within === "function" || within === "test";
  switch (language) {
    case "python":
      return mayDefine(meaning, units, head) || isAnnounced(meaning, units, head) || mayOpenValue(page, index, within);
    case "ruby":
      return mayDefine(meaning, units, head) || (meaning & (ANNOUNCING | TESTING)) !== 0;
    case "shell":
      return (meaning & ANNOUNCING) !== 0 || page.opensParenthesis(index);
    case "swift":
      return (meaning & (ANNOUNCING | MODIFYING | INITIALIZING)) !== 0;
    case "go":
      return mayAlias(meaning, units, head) || isAnnounced(meaning, units, head) || mayOpenValue(page, index, within);
    case "rust":
    case "kotlin":
    case "php":
      return isAnnounced(meaning, units, head) || mayOpenValue(page, index, within);
    case "javascript":
      return (
        (meaning & TESTING) !== 0 ||
        mayAlias(meaning, units, head) ||
        isAnnounced(meaning, units, head) ||
        mayBeFunction(page, index, inFunction) ||
        mayOpenValue(page, index, within)
      );
    case "c":
    case "java":
    case "csharp":
      if (first === HASH) return mayDefineMacro(units, head);
      return (
        isAnnounced(meaning, units, head) ||
        (!inFunction && page.opensParenthesis(index)) ||
        mayOpenValue(page, index, within)
      );
    default:
      return DECLARED_FORMS[language] !== undefined;
  }
}

/** Of directives only `define` declares something. */
function mayDefineMacro(units: Uint8Array, head: number): boolean {
  const unit = units[skipBlanks(units, head + 1)] as number;
  return unit === LETTER_D || unit > LAST_ASCII;
}

/** `def`, after one other word at most. */
function mayDefine(meaning: number, units: Uint8Array, head: number): boolean {
  if ((meaning & DEFINING) !== 0) return true;
  const end = wordEnd(units, head);
  const at = skipBlanks(units, end);
  const unit = units[at] as number;
  return unit > LAST_ASCII || (at > end && (unit === LETTER_D || unit === LETTER_A));
}

/** A type by another name: `type`, or what may stand before it. */
function mayAlias(meaning: number, units: Uint8Array, head: number): boolean {
  if ((meaning & ALIASING) === 0) return false;
  const after = units[wordEnd(units, head)] as number;
  return after <= BLANK || after > LAST_ASCII;
}

/** A word that announces a declaration, or one that modifies it with another such behind. */
function isAnnounced(meaning: number, units: Uint8Array, head: number): boolean {
  if ((meaning & ANNOUNCING) !== 0) return true;
  if ((meaning & MODIFYING) === 0) return false;
  let at = wordEnd(units, head);
  const after = units[at] as number;
  // `pub(crate)`, `private[package]`
  if (after === OPEN_PARENTHESIS || after === OPEN_BRACKET) return units[head] === LETTER_P;
  while (units[at] === BLANK) at++;
  const unit = units[at] as number;
  if (isWordUnit(unit)) return (meaningAt(units, at) & (ANNOUNCING | MODIFYING)) !== 0;
  return unit === LESS || unit === AT || unit === DOUBLE_QUOTE;
}

/** What stands at the top and opens a bracket at its end. */
function mayOpenValue(page: SourcePage, index: number, within: DeclarationKind | undefined): boolean {
  if (within !== undefined || page.indents[index] !== 0) return false;
  const last = page.last(index);
  return last === OPEN_BRACE || last === OPEN_PARENTHESIS || last === OPEN_BRACKET || last === BACKSLASH;
}
