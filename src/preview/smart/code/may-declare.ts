import { DECLARED_FORMS } from "./declared-forms.ts";
import {
  ALIASING,
  ANNOUNCING,
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
import { type DeclarationKind, READ_CHARS } from "./read-declaration.ts";
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
const OPEN_BRACE = 123;
const LAST_ASCII = 0x7f;

/** False when a line surely declares nothing, by its edges and its first words; `meaning` is that of the first. */
export function mayDeclare(
  page: SourcePage,
  index: number,
  meaning: number,
  language: Language,
  within: DeclarationKind | undefined,
): boolean {
  const text = page.texts[index] as string;
  const head = page.heads[index] as number;
  const first = text.charCodeAt(head);
  if (first > LAST_ASCII || first === AT || isCut(page, index)) return true;
  const inFunction = within === "function" || within === "test";
  switch (language) {
    case "python":
      return mayDefine(text, head) || isAnnounced(meaning, text, head) || mayOpenValue(page, index, within);
    case "ruby":
      return mayDefine(text, head) || (meaning & (ANNOUNCING | TESTING)) !== 0;
    case "shell":
      return (meaning & ANNOUNCING) !== 0 || page.parentheses.on(index);
    case "swift":
      return (meaning & (ANNOUNCING | MODIFYING | INITIALIZING)) !== 0;
    case "go":
      return mayAlias(meaning, text, head) || isAnnounced(meaning, text, head) || mayOpenValue(page, index, within);
    case "rust":
    case "kotlin":
    case "php":
      return isAnnounced(meaning, text, head) || mayOpenValue(page, index, within);
    case "javascript":
      return (
        (meaning & TESTING) !== 0 ||
        mayAlias(meaning, text, head) ||
        isAnnounced(meaning, text, head) ||
        mayBeFunction(page, index, meaning, inFunction) ||
        mayOpenValue(page, index, within)
      );
    case "c":
    case "java":
    case "csharp":
      if (first === HASH) return mayDefineMacro(text, head);
      return (
        isAnnounced(meaning, text, head) ||
        (!inFunction && page.parentheses.on(index)) ||
        mayOpenValue(page, index, within)
      );
    default:
      return DECLARED_FORMS[language] !== undefined;
  }
}

/** Of a long line only the beginning is read, which has another end. */
function isCut(page: SourcePage, index: number): boolean {
  return (page.ends[index] as number) - (page.starts[index] as number) > READ_CHARS;
}

/** Of directives only `define` declares something. */
function mayDefineMacro(text: string, head: number): boolean {
  const unit = text.charCodeAt(skipBlanks(text, head + 1));
  return unit === LETTER_D || unit > LAST_ASCII;
}

/** `def`, after one other word at most. */
function mayDefine(text: string, head: number): boolean {
  if (text.startsWith("def", head)) return true;
  const end = wordEnd(text, head);
  const at = skipBlanks(text, end);
  const unit = text.charCodeAt(at);
  return unit > LAST_ASCII || (at > end && (unit === LETTER_D || unit === LETTER_A));
}

/** A type by another name: `type`, or what may stand before it. */
function mayAlias(meaning: number, text: string, head: number): boolean {
  if ((meaning & ALIASING) === 0) return false;
  const after = text.charCodeAt(wordEnd(text, head));
  return after <= BLANK || after > LAST_ASCII;
}

/** A word that announces a declaration, or one that modifies it with another such behind. */
function isAnnounced(meaning: number, text: string, head: number): boolean {
  if ((meaning & ANNOUNCING) !== 0) return true;
  if ((meaning & MODIFYING) === 0) return false;
  let at = wordEnd(text, head);
  const after = text.charCodeAt(at);
  if (after === OPEN_PARENTHESIS) return text.startsWith("pub", head);
  if (after === OPEN_BRACKET) return text.startsWith("private", head);
  while (text.charCodeAt(at) === BLANK) at++;
  const unit = text.charCodeAt(at);
  if (isWordUnit(unit)) return (meaningAt(text, at) & (ANNOUNCING | MODIFYING)) !== 0;
  return unit === LESS || unit === AT || unit === DOUBLE_QUOTE;
}

/** What stands at the top and opens a bracket at its end. */
function mayOpenValue(page: SourcePage, index: number, within: DeclarationKind | undefined): boolean {
  if (within !== undefined || page.indents[index] !== 0) return false;
  const last = page.last(index);
  return last === OPEN_BRACE || last === OPEN_PARENTHESIS || last === OPEN_BRACKET || last === BACKSLASH;
}
