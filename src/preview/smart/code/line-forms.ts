import { CLOSING, IMPORTING, isWordUnit, wordEnd } from "./first-words.ts";
import type { SourcePage } from "./source-page.ts";

const COMMENT =
  /^\s*(?:\/\/|\/\*|\*(?:[ /]|$)|#(?![!]?\[|\s*(?:include|define|if|ifdef|ifndef|else|elif|endif|pragma|undef|error|import|region)\b)|--\s|<!--)/;
const DECORATOR = /^\s*(?:@[\w.]+(?:\(.*)?|#!?\[.*|\[[A-Z]\w*(?:\(.*\))?\])\s*$/;
const IMPORT =
  /^\s*(?:import\b(?!\()|from\s+\S+\s+import\b|export\s+(?:\*|\{[^}]*\})\s+from\b|#\s*(?:include|import)\b|using\s+(?:static\s+)?[\w.=\s]+;|use\s+[\w\\:{}*,\s]+;|(?:const|let|var)\s+.*=\s*require\(|require(?:_relative|_once)?\b|include(?:_once)?\s+['"]|package\s+[\w.]+;?\s*$|source\s+\S|extern crate\b|load\()/;
const CLOSER =
  /^\s*(?:[}\])]+[;,)]*|end|fi|done|esac|else|\}\s*else\s*\{|\{|#endif.*|then|do|begin|try\s*[:{]?|\)\s*[:{]|\}\);?|pass)\s*[;,]?\s*$/;
/** Lines that end what opened at their indentation and still belong to it. */
const CLOSES = /^\s*(?:[{})\]]|end\b)/;
/** Lines that stand at the left wherever they belong. */
const APART =
  /^\s*#\s*(?:if|ifdef|ifndef|else|elif|endif|define|undef|pragma|region|endregion)\b|^\s*(?!else|try|finally|default)[A-Za-z_]\w*:\s*(?:$|\/\/|\/\*)|^(?:EOF|"""|''')/;
/** What only closes is short. */
const CLOSER_CHARS = 30;
/** Beyond it white space that is neither blank nor tab may hide what a line begins with. */
const LAST_ASCII = 0x7f;
const BLANK = 32;
const DOUBLE_QUOTE = 34;
const HASH = 35;
const QUOTE = 39;
const CLOSE_PARENTHESIS = 41;
const STAR = 42;
const COMMA = 44;
const DASH = 45;
const SLASH = 47;
const COLON = 58;
const SEMICOLON = 59;
const LESS = 60;
const AT = 64;
const LETTER_E = 69;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
/** What directives begin with, which are no comments. */
const DIRECTIVES_BEGIN = "idepur";

/** True for a comment and for what decorates the declaration that follows. */
export function isComment(page: SourcePage, index: number): boolean {
  const first = page.firsts[index] as number;
  const units = page.units(index);
  const after = (page.heads[index] as number) + 1;
  const next = units[after] as number;
  switch (first) {
    case SLASH:
      return next === SLASH || next === STAR;
    case STAR:
      return next === BLANK || next === SLASH || after === page.ends[index];
    case DASH:
      if (next !== DASH) return false;
      break;
    case HASH:
      if (
        next === BLANK &&
        isWordUnit(units[after + 1] as number) &&
        !DIRECTIVES_BEGIN.includes(String.fromCharCode(units[after + 1] as number))
      )
        return true;
      break;
    case LESS:
    case AT:
    case OPEN_BRACKET:
      break;
    default:
      if (first <= LAST_ASCII) return false;
  }
  const line = page.text(index) as string;
  return COMMENT.test(line) || DECORATOR.test(line);
}

/** True for a line that ends what opened at its indentation and still belongs to it. */
export function closes(page: SourcePage, index: number): boolean {
  const first = page.firsts[index] as number;
  if (isBlockSign(first)) return true;
  return ((page.meanings[index] as number) & CLOSING) !== 0 && CLOSES.test(page.text(index) as string);
}

/** True for a line that stands at the left wherever it belongs; a label ends with its colon. */
export function standsApart(page: SourcePage, index: number): boolean {
  if (isWordUnit(page.firsts[index] as number)) {
    const head = page.heads[index] as number;
    const end = page.ends[index] as number;
    const mayLabel = page.units(index)[end - 1] === COLON || page.has(": /", index);
    if (!mayLabel && (end - head !== 3 || page.text(index) !== "EOF")) return false;
  }
  return looksApart(page, index);
}

/** The same of a line that is only looked at: a label may have anything behind its colon. */
export function looksApart(page: SourcePage, index: number): boolean {
  return mayStandApart(page, index) && APART.test(page.text(index) as string);
}

function mayStandApart(page: SourcePage, index: number): boolean {
  const first = page.firsts[index] as number;
  if (isWordUnit(first)) {
    const units = page.units(index);
    return first === LETTER_E || units[wordEnd(units, page.heads[index] as number)] === COLON;
  }
  if (first === QUOTE || first === DOUBLE_QUOTE) return page.indents[index] === 0;
  return first === HASH || first > LAST_ASCII;
}

/** True for a line that brings in what others declare. */
export function isImport(page: SourcePage, index: number): boolean {
  const mayImport = ((page.meanings[index] as number) & IMPORTING) !== 0 || (page.firsts[index] as number) === HASH;
  return mayImport && IMPORT.test(page.text(index) as string);
}

/** True for a line that only closes, opens or divides. */
export function isCloser(page: SourcePage, index: number): boolean {
  const head = page.heads[index] as number;
  const end = page.ends[index] as number;
  if (end - head >= CLOSER_CHARS) return false;
  const first = page.firsts[index] as number;
  if (isBlockSign(first)) {
    if (end - head === 1) return true;
    if (first !== OPEN_BRACE && hasOnlyClosers(page.units(index), head, end)) return true;
  } else if (first !== HASH && ((page.meanings[index] as number) & CLOSING) === 0) return false;
  return CLOSER.test(page.text(index) as string);
}

/** True for closing brackets with what may follow them; others may be closers too. */
function hasOnlyClosers(units: Uint8Array, head: number, end: number): boolean {
  let at = head;
  while (at < end && isBlockSign(units[at] as number) && units[at] !== OPEN_BRACE) at++;
  const unit = units[at] as number;
  return at === end || (at === end - 1 && (unit === SEMICOLON || unit === COMMA));
}

function isBlockSign(unit: number): boolean {
  return unit === CLOSE_BRACE || unit === CLOSE_PARENTHESIS || unit === CLOSE_BRACKET || unit === OPEN_BRACE;
}
