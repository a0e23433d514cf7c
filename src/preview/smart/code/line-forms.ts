import { ANYTHING, CLOSING, IMPORTING, isWordUnit, meaningAt, wordEnd } from "./first-words.ts";
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
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
/** What directives begin with, which are no comments. */
const DIRECTIVES_BEGIN = "idepur";

/** True for a comment and for what decorates the declaration that follows. */
export function isComment(page: SourcePage, index: number): boolean {
  const first = page.first(index);
  const text = page.texts[index] as string;
  const after = (page.heads[index] as number) + 1;
  const next = text.charCodeAt(after);
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
        isWordUnit(text.charCodeAt(after + 1)) &&
        !DIRECTIVES_BEGIN.includes(text.charAt(after + 1))
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
  const first = page.first(index);
  if (isBlockSign(first)) return true;
  const mayClose = first > LAST_ASCII || (page.texts[index] as string).startsWith("end", page.heads[index]);
  return mayClose && CLOSES.test(page.text(index) as string);
}

/** True for a line that stands at the left wherever it belongs; a label ends with its colon. */
export function standsApart(page: SourcePage, index: number): boolean {
  const text = page.texts[index] as string;
  const head = page.heads[index] as number;
  if (isWordUnit(text.charCodeAt(head))) {
    const end = page.ends[index] as number;
    const mayLabel = text.charCodeAt(end - 1) === COLON || page.labels.on(index);
    if (!mayLabel && (end - head !== 3 || page.text(index) !== "EOF")) return false;
  }
  return looksApart(page, index);
}

/** The same of a line that is only looked at: a label may have anything behind its colon. */
export function looksApart(page: SourcePage, index: number): boolean {
  return mayStandApart(page, index) && APART.test(page.text(index) as string);
}

function mayStandApart(page: SourcePage, index: number): boolean {
  const text = page.texts[index] as string;
  const head = page.heads[index] as number;
  const first = text.charCodeAt(head);
  if (isWordUnit(first)) return text.charCodeAt(wordEnd(text, head)) === COLON || text.startsWith("EOF", head);
  if (first === QUOTE || first === DOUBLE_QUOTE) return page.indents[index] === 0;
  return first === HASH || first > LAST_ASCII;
}

/** What the first word of a line may be; anything where white space may hide it. */
export function meaningOf(page: SourcePage, index: number): number {
  const first = page.first(index);
  if (first > LAST_ASCII) return ANYTHING;
  return isWordUnit(first) ? meaningAt(page.texts[index] as string, page.heads[index] as number) : 0;
}

/** True for a line that brings in what others declare; `meaning` is that of its first word. */
export function isImport(page: SourcePage, index: number, meaning: number): boolean {
  const mayImport = (meaning & IMPORTING) !== 0 || page.first(index) === HASH;
  return mayImport && IMPORT.test(page.text(index) as string);
}

/** True for a line that only closes, opens or divides; `meaning` is that of its first word. */
export function isCloser(page: SourcePage, index: number, meaning: number): boolean {
  const head = page.heads[index] as number;
  const end = page.ends[index] as number;
  if (end - head >= CLOSER_CHARS) return false;
  const first = page.first(index);
  if (isBlockSign(first)) {
    if (end - head === 1) return true;
    if (first !== OPEN_BRACE && hasOnlyClosers(page.texts[index] as string, head, end)) return true;
  } else if (first !== HASH && (meaning & CLOSING) === 0) return false;
  return CLOSER.test(page.text(index) as string);
}

/** True for closing brackets with what may follow them; others may be closers too. */
function hasOnlyClosers(text: string, head: number, end: number): boolean {
  let at = head;
  while (at < end && isBlockSign(text.charCodeAt(at)) && text.charCodeAt(at) !== OPEN_BRACE) at++;
  const unit = text.charCodeAt(at);
  return at === end || (at === end - 1 && (unit === SEMICOLON || unit === COMMA));
}

function isBlockSign(unit: number): boolean {
  return unit === CLOSE_BRACE || unit === CLOSE_PARENTHESIS || unit === CLOSE_BRACKET || unit === OPEN_BRACE;
}
