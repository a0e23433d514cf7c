import { DECLARED_FORMS } from "./declared-forms.ts";
import { DECLARING_WORDS, TEST_WORDS } from "./first-words.ts";
import type { Language } from "./language.ts";
import { firstCharacter, firstWord, lastCharacter } from "./line-edges.ts";

/** What is declared: a type or namespace, a function, one without a body, a test by its title, a value of many lines. */
export type DeclarationKind = "class" | "function" | "prototype" | "test" | "value";

/** What a line declares, and how many lines its signature takes. */
export interface DeclarationHead {
  readonly kind: DeclarationKind;
  readonly name: string;
  readonly headLines: number;
}

/** What is known of the place of a line. */
export interface DeclarationPlace {
  readonly language: Language;
  /** What the line stands in; undefined at the top. */
  readonly within: DeclarationKind | undefined;
  readonly indent: number;
  /** The line so many lines further on. */
  ahead(lines: number): string | undefined;
}

const MODIFIERS =
  '(?:(?:export|default|declare|abstract|public|private|protected|internal|fileprivate|static|final|sealed|partial|open|data|inner|inline|value|annotation|unsafe|async|const|override|virtual|mutating|nonisolated|pub(?:\\([^)]*\\))?|extern|extern "C"|readonly|indirect|companion|expect|actual|suspend|operator|infix|tailrec|external|class(?= func| var)|convenience|required|private\\[\\w+\\]|@\\w+(?:\\([^)]*\\))?|template ?<[^>]*>|typedef) +)*';
const TYPE = new RegExp(
  `^\\s*${MODIFIERS}(?:(class|interface|trait|protocol|extension|record|actor|object|enum class|annotation class|impl)(?:\\s*<[^{}]*?>)?\\s+([\\w$.:<>,&' ]*?[\\w$>])\\s*(?=[{:(<=]|extends\\b|implements\\b|where\\b|final\\b|with\\b|$)|(struct|enum|union)\\s+([\\w:]+)\\s*(?:[{<:(]|where\\b|$)|(namespace|module|mod)\\s+([A-Za-z_][\\w.:\\\\]*)\\s*[{;]?\\s*$|macro_rules!\\s+(\\w+))`,
);
const RUBY_TYPE = /^\s*(?:class|module)\s+([A-Z][\w:]*)/;
const TYPE_ALIAS =
  /^\s*(?:export\s+)?(?:declare\s+)?type\s+(\w+)(?:<[^=]*>)?\s+(?:=|struct\b|interface\b|func\b|map\b|\w+$)/;
const TYPE_ALIAS_SCRIPT = /^\s*(?:export\s+)?(?:declare\s+)?type\s+(\w+)(?:<[^=]*>)?\s*=/;
const DEF = /^\s*(?:[a-z_]+\s+)?(?:async\s+)?def\s+((?:self\.|\w+\.)?[\w?!=<>[\]+*/%~^&|-]+)/;
const FUNCTION = new RegExp(
  `^\\s*${MODIFIERS}(?:function\\b\\s*\\*?\\s*&?\\s*([\\w$.:-]+)|func\\s+(?:\\([^)]*\\)\\s*)?([\\w\`]+|[-+*/%<>=!&|^~]+)\\s*[(<[]|fn\\s+(\\w+)|fun\\s+(?:<[^>]*>\\s*)?(?:[\\w.<>?, *]+\\.)?(\`[^\`]+\`|\\w+)\\s*\\()`,
);
/** A word that announces a declaration; without one there is none to read. */
const ANNOUNCED =
  /\b(?:function|func|fn|fun|class|interface|trait|protocol|extension|record|actor|object|enum|impl|struct|union|namespace|module|mod|macro_rules)\b/;
const SWIFT_SPECIAL = new RegExp(`^\\s*${MODIFIERS}((?:de)?init|subscript)[?!]?(?:<[^>]*>)?\\s*[({]`);
const SHELL_FUNCTION = /^\s*(?:function\s+)?([\w:.-]+)\s*\(\)\s*(?:\{|\(|$)/;
const ASSIGNED_FUNCTION =
  /^\s*(?:export\s+)?(?:(?:const|let|var)\s+)?((?:[\w$]+\.)*[\w$]+)(?:\s*:\s*[^=]+)?\s*=\s*(?:async\s*)?(?:function\b|\([^()]*\)\s*(?::[^=]+)?=>|[\w$]+\s*=>)/;
const OPEN_ARROW = /^\s*(?:export\s+)?(?:const|let|var)\s+([\w$]+)(?:\s*:\s*[^=]+)?\s*=\s*(?:async\s*)?\(\s*$/;
const PROPERTY_FUNCTION =
  /^\s*("[^"]+"|'[^']+'|[\w$.-]+)\s*:\s*(?:async\s*)?(?:function\b|\([^()]*\)\s*=>|[\w$]+\s*=>\s*\{)/;
const TEST_CALL =
  /^\s*(?:(?:x|f)?(?:describe|it|test|context|suite|specify|scenario)|Deno\.test|t\.Run)(?:\.\w+)*\s*\(?\s*(?:"([^"\u2028\u2029]{1,80})"|'([^'\u2028\u2029]{1,80})'|`([^`\u2028\u2029]{1,80})`).*(?:[{(]|\bdo|=>|,)\s*$/;
const MACRO = /^\s*#\s*define\s+(\w+)\(/;
const VALUE =
  /^(?:export\s+)?(?:(?:const|let|var|static|final|public|pub|private|extern|readonly|unsigned)\s+)*(?:[\w:<>*& ]+?[ *&])??([A-Za-z_$][\w$.]*)(?:\[[^\]]*\])*(?:\s*:\s*[^=]+)?\s*(?::=|=)\s*(?:[^=].*)?[{[(]\s*(?:\\\s*)?$/;
/** What stands before an opening parenthesis: words of a type, then a name. */
const BEFORE_PARENTHESIS = /^[\w\s$@:<>,*&~[\]?#"'.=+!-]*$/;
const NAME_AT_END = /(~?[\w$:~]+|operator\s*[^\s\w(]+|"[^"]+"|'[^']+'|\[[\w.]+\])(?:<[^()<>]*>)?\s*$/;
const NO_NAME = new Set(
  "if for while switch catch return else do new throw await yield delete case goto assert raise import using require include sizeof typeof when match guard lock fixed unless until elsif and or not in foreach function super this echo print elif with defined alignas decltype __attribute__ static_assert".split(
    " ",
  ),
);
const NO_FIRST_WORD = new Set(
  "return throw new else await yield delete case goto raise do print echo import using typeof in of and or not if for while switch match let const var".split(
    " ",
  ),
);
const AFTER_SIGNATURE =
  /^\s*(?:\{|throws\b|const\b|noexcept\b|override\b|where\b|->|:(?!:)|__|requires\b|final\b|=>|&&?\s*(?:\{|$))/;
const KEYWORD_LANGUAGES: ReadonlySet<Language> = new Set<Language>([
  "python",
  "ruby",
  "go",
  "rust",
  "kotlin",
  "swift",
  "php",
  "shell",
]);
const OPEN_PARENTHESIS = 40;
const CLOSE_PARENTHESIS = 41;
const MAX_HEAD_LINES = 12;
/** So much is read of a line. */
export const READ_CHARS = 400;

/** What the line declares, by its form alone; undefined for any other line. */
export function readDeclaration(line: string, place: DeclarationPlace): DeclarationHead | undefined {
  const text = line.length > READ_CHARS ? line.slice(0, READ_CHARS) : line;
  const { language } = place;
  const forms = DECLARED_FORMS[language];
  if (forms !== undefined) {
    for (const [kind, form] of forms) {
      const name = form.exec(text)?.[1];
      if (name !== undefined) return headOf(kind, name, text, place);
    }
    return undefined;
  }
  if ((language === "python" || language === "ruby") && text.includes("def")) {
    const def = DEF.exec(text);
    if (def !== null) return headOf("function", def[1], text, place);
  }
  if (language === "ruby") return headOf("class", RUBY_TYPE.exec(text)?.[1], text, place) ?? test(text, place);
  if (language === "shell") {
    const name = SHELL_FUNCTION.exec(text)?.[1] ?? /^\s*function\s+([\w:.-]+)\s*\{/.exec(text)?.[1];
    return headOf("function", name, text, place);
  }
  const first = firstWord(text);
  const announced = (first === "" ? firstCharacter(text) === "@" : DECLARING_WORDS.has(first)) && ANNOUNCED.test(text);
  const called = announced && language !== "c" ? FUNCTION.exec(text) : null;
  if (called !== null) {
    const name = called[1] ?? called[2] ?? called[3] ?? called[4];
    const open = /;\s*$/.test(text);
    return headOf(open ? "prototype" : "function", name, text, place);
  }
  const type = announced ? TYPE.exec(text) : null;
  if (type !== null && isType(type, text, place)) {
    const name = type[2] ?? type[4] ?? type[6] ?? type[7] ?? "";
    return headOf("class", name === "" ? type[1] : name, text, place);
  }
  if (language === "go") return headOf("class", TYPE_ALIAS.exec(text)?.[1], text, place) ?? value(text, place);
  if (language === "swift") return headOf("function", SWIFT_SPECIAL.exec(text)?.[1], text, place);
  if (language === "javascript") {
    const found = readScript(text, first, place);
    if (found !== undefined) return found;
  }
  if (!KEYWORD_LANGUAGES.has(language)) {
    const found = readParenthesized(text, place);
    if (found !== undefined) return found;
  }
  return value(text, place);
}

function headOf(
  kind: DeclarationKind,
  name: string | undefined,
  text: string,
  place: DeclarationPlace,
): DeclarationHead | undefined {
  return name === undefined ? undefined : { kind, name, headLines: headLines(text, place) };
}

function test(text: string, place: DeclarationPlace): DeclarationHead | undefined {
  const call = "{(o>,".includes(lastCharacter(text)) ? TEST_CALL.exec(text) : null;
  return headOf("test", call?.[1] ?? call?.[2] ?? call?.[3], text, place);
}

function value(text: string, place: DeclarationPlace): DeclarationHead | undefined {
  if (place.language === "c" && firstCharacter(text) === "#") {
    const macro = MACRO.exec(text);
    if (macro !== null) return headOf("value", macro[1], text, place);
  }
  if (place.within !== undefined || place.indent > 0) return undefined;
  if (text.length > 160 || !/=.*[{[(]\s*\\?\s*$/.test(text)) return undefined;
  return headOf("value", VALUE.exec(text)?.[1], text, place);
}

function readScript(text: string, first: string, place: DeclarationPlace): DeclarationHead | undefined {
  if (text.length > 200) return undefined;
  const alias = first === "type" || first === "export" || first === "declare" ? TYPE_ALIAS_SCRIPT.exec(text) : null;
  if (alias !== null) return headOf("class", alias[1], text, place);
  if (TEST_WORDS.has(first)) {
    const called = test(text, place);
    if (called !== undefined) return called;
  }
  const last = lastCharacter(text);
  // What fits on a line is seen as a line.
  if ((last === "{" || last === "(" || text.trimEnd().endsWith("=>")) && /=>|function/.test(text)) {
    const assigned = ASSIGNED_FUNCTION.exec(text) ?? PROPERTY_FUNCTION.exec(text);
    if (assigned !== null) return headOf("function", assigned[1], text, place);
  }
  const open = last === "(" ? OPEN_ARROW.exec(text) : null;
  if (open !== null) {
    for (let at = 1; at < MAX_HEAD_LINES; at++) {
      const next = place.ahead(at);
      if (next === undefined || /;\s*$/.test(next)) break;
      if (/^\s*\).*=>/.test(next)) return headOf("function", open[1], text, place);
    }
  }
  return undefined;
}

/** In Rust and C the words also name a type in use: `struct pool *p = …`. */
function isType(match: RegExpExecArray, text: string, place: DeclarationPlace): boolean {
  const { language } = place;
  if (/;\s*$/.test(text))
    return language === "rust" ? match[3] !== undefined : match[5] === "namespace" && language !== "php";
  if (match[3] !== undefined && language === "c") {
    return /\{\s*$/.test(text) || (/^\s*\{/.test(place.ahead(1) ?? "") && !text.includes("("));
  }
  if (language === "python") return match[1] === "class";
  if (match[1] === "object" || match[1] === "impl" || match[1] === "extension" || match[1] === "record") {
    const at = { object: "kotlin", impl: "rust", extension: "swift", record: undefined }[match[1]];
    return at === undefined ? language === "java" || language === "csharp" : language === at;
  }
  if (match[5] !== undefined) return match[5] === "mod" ? language === "rust" : language !== "rust";
  return true;
}

/** A function that no keyword announces: something called with parentheses and followed by its body. */
function readParenthesized(text: string, place: DeclarationPlace): DeclarationHead | undefined {
  const { language, within } = place;
  const inFunction = within === "function" || within === "test";
  if (inFunction && (language !== "javascript" || lastCharacter(text) !== "{")) return undefined;
  const open = text.indexOf("(");
  if (open <= 0 || open > 200) return undefined;
  const opening = text.slice(0, open);
  const match = BEFORE_PARENTHESIS.test(opening) ? NAME_AT_END.exec(opening) : null;
  if (match === null) return undefined;
  const before = opening.slice(0, match.index).trim();
  const name = match[1] ?? "";
  if (/[.=+!-]|^["']/.test(before) || /[\w.]$/.test(opening.slice(0, match.index))) return undefined;
  if (NO_NAME.has(name) || NO_FIRST_WORD.has(/^\w+/.exec(before)?.[0] ?? "") || /^[#:]|^\[/.test(before))
    return undefined;
  const bare =
    before === "" || /^(?:(?:async|static|get|set|public|private|protected|override|readonly)\b|\*|\s)+$/.test(before);
  if (inFunction && (!/^[a-z$#"'[][\w$:.">'\]-]*$|^"/.test(name) || /for_?each/i.test(name))) return undefined;
  if (language === "javascript" && !bare) return undefined;
  const end = signatureEnd(text, open, place);
  if (end === undefined) return undefined;
  if (end.body) return { kind: "function", name, headLines: end.lines };
  if (bare || inFunction || language === "javascript" || before === "") return undefined;
  return { kind: "prototype", name, headLines: end.lines };
}

/** Where the signature that opens a parenthesis at `from` ends, and whether a body follows; undefined for a mere call. */
function signatureEnd(
  text: string,
  from: number,
  place: DeclarationPlace,
): { readonly body: boolean; readonly lines: number } | undefined {
  let depth = 0;
  let line = text;
  for (let at = 0, index = from; at < MAX_HEAD_LINES; at++, index = 0) {
    for (; index < line.length; index++) {
      const character = line[index];
      if (character === "(") depth++;
      else if (character === ")" && --depth === 0) return afterSignature(line.slice(index + 1), at, place);
      else if ((character === "{" || character === ";") && depth === 1 && index === line.trimEnd().length - 1)
        return undefined;
    }
    const next = place.ahead(at + 1);
    if (next === undefined) return undefined;
    line = next.slice(0, READ_CHARS);
  }
  return undefined;
}

function afterSignature(
  rest: string,
  at: number,
  place: DeclarationPlace,
): { readonly body: boolean; readonly lines: number } | undefined {
  let tail = rest;
  for (let further = 0; further < 5; further++) {
    const bare = tail.replace(/\/\/.*|\/\*.*?\*\//g, "").trim();
    if (
      bare === "" ||
      further > 0 ||
      AFTER_SIGNATURE.test(bare) ||
      bare === ";" ||
      /^=\s*(?:0|default|delete)\s*;/.test(bare)
    ) {
      const end = /[{;]|=>/.exec(bare);
      if (end !== null)
        return { body: end[0] !== ";", lines: at + further + 1 - (bare === "{" && further > 0 ? 1 : 0) };
    } else {
      return undefined;
    }
    const next = place.ahead(at + further + 1);
    if (next === undefined || (!AFTER_SIGNATURE.test(next) && !(further > 0 && /^\s+\S/.test(next)))) return undefined;
    tail = next.slice(0, READ_CHARS);
  }
  return undefined;
}

/** Lines until the parentheses of a signature are closed. */
function headLines(text: string, place: DeclarationPlace): number {
  let depth = 0;
  let line = text;
  for (let at = 0; at < MAX_HEAD_LINES; at++) {
    for (let index = 0; index < line.length; index++) {
      const unit = line.charCodeAt(index);
      if (unit === OPEN_PARENTHESIS) depth++;
      else if (unit === CLOSE_PARENTHESIS) depth--;
    }
    if (depth <= 0) return at + 1;
    const next = place.ahead(at + 1);
    if (next === undefined) return 1;
    line = next.slice(0, READ_CHARS);
  }
  return 1;
}
