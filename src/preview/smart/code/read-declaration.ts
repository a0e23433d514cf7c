import type { DeclarationPlace } from "./declaration-place.ts";
import { DECLARED_FORMS } from "./declared-forms.ts";
import { ALIASING, ANNOUNCING, MODIFYING, TESTING } from "./first-words.ts";
import type { Language } from "./language.ts";
import { readParenthesized } from "./read-parenthesized.ts";
import { headLines, MAX_HEAD_LINES } from "./signature.ts";

/** What is declared: a type or namespace, a function, one without a body, a test by its title, a value of many lines. */
export type DeclarationKind = "class" | "function" | "prototype" | "test" | "value";

/** What a line declares, and how many lines its signature takes. */
export interface DeclarationHead {
  readonly kind: DeclarationKind;
  readonly name: string;
  readonly headLines: number;
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
/** A word that announces a declaration; after what only modifies one there is none to read without it. */
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
const HASH = 35;
const OPEN_PARENTHESIS = 40;
const SEMICOLON = 59;
const GREATER = 62;
const AT = 64;
const OPEN_BRACE = 123;
const LAST_ASCII = 0x7f;
/** What a test by its title ends with: `{`, `(`, `do`, `=>`, a comma. */
const TEST_ENDS = "{(o>,";

/** What the line declares, by its form alone; undefined for any other line. */
export function readDeclaration(place: DeclarationPlace): DeclarationHead | undefined {
  const { text, language, meaning } = place;
  const forms = DECLARED_FORMS[language];
  if (forms !== undefined) {
    for (const [kind, form] of forms) {
      const name = form.exec(text)?.[1];
      if (name !== undefined) return headOf(kind, name, place);
    }
    return undefined;
  }
  if ((language === "python" || language === "ruby") && text.includes("def")) {
    const def = DEF.exec(text);
    if (def !== null) return headOf("function", def[1], place);
  }
  if (language === "ruby") return headOf("class", RUBY_TYPE.exec(text)?.[1], place) ?? test(text, place);
  if (language === "shell") {
    const name = SHELL_FUNCTION.exec(text)?.[1] ?? /^\s*function\s+([\w:.-]+)\s*\{/.exec(text)?.[1];
    return headOf("function", name, place);
  }
  const modified = (meaning & MODIFYING) !== 0 || place.first === AT;
  const announced = (meaning & ANNOUNCING) !== 0 || (modified && ANNOUNCED.test(text));
  const called = announced && language !== "c" ? FUNCTION.exec(text) : null;
  if (called !== null) {
    const name = called[1] ?? called[2] ?? called[3] ?? called[4];
    return headOf(place.last === SEMICOLON ? "prototype" : "function", name, place);
  }
  const type = announced ? TYPE.exec(text) : null;
  if (type !== null && isType(type, text, place)) {
    const name = type[2] ?? type[4] ?? type[6] ?? type[7] ?? "";
    return headOf("class", name === "" ? type[1] : name, place);
  }
  if (language === "go") return headOf("class", TYPE_ALIAS.exec(text)?.[1], place) ?? value(text, place);
  if (language === "swift") return headOf("function", SWIFT_SPECIAL.exec(text)?.[1], place);
  if (language === "javascript") {
    const found = readScript(text, place);
    if (found !== undefined) return found;
  }
  if (!KEYWORD_LANGUAGES.has(language)) {
    const found = readParenthesized(text, place);
    if (found !== undefined) return found;
  }
  return value(text, place);
}

function headOf(kind: DeclarationKind, name: string | undefined, place: DeclarationPlace): DeclarationHead | undefined {
  return name === undefined ? undefined : { kind, name, headLines: headLines(place) };
}

function test(text: string, place: DeclarationPlace): DeclarationHead | undefined {
  const call = TEST_ENDS.includes(String.fromCharCode(place.last)) ? TEST_CALL.exec(text) : null;
  return headOf("test", call?.[1] ?? call?.[2] ?? call?.[3], place);
}

function value(text: string, place: DeclarationPlace): DeclarationHead | undefined {
  if (place.language === "c" && (place.first === HASH || place.first > LAST_ASCII)) {
    const macro = MACRO.exec(text);
    if (macro !== null) return headOf("value", macro[1], place);
  }
  if (place.within !== undefined || place.indent > 0) return undefined;
  if (text.length > 160 || !/=.*[{[(]\s*\\?\s*$/.test(text)) return undefined;
  return headOf("value", VALUE.exec(text)?.[1], place);
}

function readScript(text: string, place: DeclarationPlace): DeclarationHead | undefined {
  if (text.length > 200) return undefined;
  const alias = (place.meaning & ALIASING) !== 0 ? TYPE_ALIAS_SCRIPT.exec(text) : null;
  if (alias !== null) return headOf("class", alias[1], place);
  if ((place.meaning & TESTING) !== 0) {
    const called = test(text, place);
    if (called !== undefined) return called;
  }
  const { last } = place;
  const opens = last === OPEN_BRACE || last === OPEN_PARENTHESIS || (last === GREATER && text.trimEnd().endsWith("=>"));
  // What fits on a line is seen as a line.
  if (opens && /=>|function/.test(text)) {
    const assigned = ASSIGNED_FUNCTION.exec(text) ?? PROPERTY_FUNCTION.exec(text);
    if (assigned !== null) return headOf("function", assigned[1], place);
  }
  const open = last === OPEN_PARENTHESIS ? OPEN_ARROW.exec(text) : null;
  if (open !== null) {
    for (let at = 1; at < MAX_HEAD_LINES; at++) {
      const next = place.ahead(at);
      if (next === undefined || /;\s*$/.test(next)) break;
      if (/^\s*\).*=>/.test(next)) return headOf("function", open[1], place);
    }
  }
  return undefined;
}

/** In Rust and C the words also name a type in use: `struct pool *p = …`. */
function isType(match: RegExpExecArray, text: string, place: DeclarationPlace): boolean {
  const { language } = place;
  if (place.last === SEMICOLON)
    return language === "rust" ? match[3] !== undefined : match[5] === "namespace" && language !== "php";
  if (match[3] !== undefined && language === "c") {
    return place.last === OPEN_BRACE || (/^\s*\{/.test(place.ahead(1) ?? "") && !text.includes("("));
  }
  if (language === "python") return match[1] === "class";
  if (match[1] === "object" || match[1] === "impl" || match[1] === "extension" || match[1] === "record") {
    const at = { object: "kotlin", impl: "rust", extension: "swift", record: undefined }[match[1]];
    return at === undefined ? language === "java" || language === "csharp" : language === at;
  }
  if (match[5] !== undefined) return match[5] === "mod" ? language === "rust" : language !== "rust";
  return true;
}
