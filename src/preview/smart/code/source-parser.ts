import type { Tally } from "../../../query/relevance.ts";
import { copyText } from "../lines/held-line.ts";
import { guessLanguage, type Language } from "./language.ts";
import {
  type DeclarationHead,
  type DeclarationKind,
  type DeclarationPlace,
  readDeclaration,
} from "./read-declaration.ts";

/** A class, function or the like, and what it covers. */
export interface Declaration {
  readonly kind: DeclarationKind;
  readonly name: string;
  readonly indent: number;
  readonly depth: number;
  readonly parent: Declaration | undefined;
  readonly startLine: number;
  readonly headLines: number;
  /** The last line that surely belongs to it. */
  endLine: number;
  /** Lines of it that say something, those of what it holds included. */
  lines: number;
  /** How often each term of the question stands in its signature, and in all of it. */
  headTally: Tally | undefined;
  tally: Tally | undefined;
}

/** What a line is to a reader. */
export type LineKind = "blank" | "comment" | "import" | "head" | "closer" | "code" | "heading";

/** What the parser knows of a line. */
export interface ParsedLine {
  readonly kind: LineKind;
  readonly scope: Declaration | undefined;
  readonly indent: number;
}

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
const HEADING =
  /^==> .+ <==$|^(?:\/\/|#|---)?\s*(?:=====*|-----*)\s+\S+\.\w{1,6}\s+(?:=====*|-----*)$|^<(?:file|document)\b[^>]*(?:path|name)=/;
const GUESSED_LINES = 1000;
/** Fewer than it takes to know that something is source. */
const SAMPLED_LINES = 100;
const TAB_COLUMNS = 8;
/** What only closes is short. */
const CLOSER_CHARS = 30;
const HASH = 35;
const DASH = 45;
const SLASH = 47;
const LESS = 60;
const EQUALS = 61;
/** The characters that what the patterns find may begin with. */
const COMMENTS_BEGIN = "/*#-<@[";
const APART_BEGINS = "#\"'";
const CLOSES_BEGINS = "{})]e";
const CLOSERS_BEGIN = "{})]#efdtbp";
const IMPORTS_BEGIN = "ifeu#clvrps";

/** Follows source text line by line, by indentation and the forms of declarations. */
export class SourceParser {
  /** Declarations found so far. */
  declared = 0;
  /** Lines that are no comment, blank or heading. */
  coded = 0;
  language: Language | undefined;
  #scopes: Declaration[] = [];
  #headLeft = 0;
  #commentOpen: "*/" | '"""' | "'''" | undefined;
  #commentScope: Declaration | undefined;
  #inComments = false;
  #importOpen = false;
  readonly #place = new ReusedPlace();

  /** The language is guessed unless it is known. */
  constructor(language?: Language) {
    this.language = language;
  }

  /** True for a line that names the file which follows. */
  static isHeading(text: string): boolean {
    const first = text.charCodeAt(0);
    return (
      (first === EQUALS || first === LESS || first === HASH || first === SLASH || first === DASH) && HEADING.test(text)
    );
  }

  /** Reads the line at `index` of `lines`, which are bare; those behind it are looked at, not read. */
  read(lines: readonly string[], index: number, lineNumber: number): ParsedLine {
    const text = lines[index] ?? "";
    if (SourceParser.isHeading(text)) {
      this.#reset();
      this.language = guessLanguage(lines.slice(index + 1, index + 1 + GUESSED_LINES), SAMPLED_LINES).language;
      return { kind: "heading", scope: undefined, indent: 0 };
    }
    this.language ??= guessLanguage(lines.slice(index, index + GUESSED_LINES), SAMPLED_LINES).language;
    const indent = indentOf(text);
    if (indent < 0) return { kind: "blank", scope: this.#scopes.at(-1), indent };
    const wasOpen = this.#commentOpen !== undefined;
    if (this.#inComment(text)) {
      if (!wasOpen) this.#commentScope = this.#upcoming(lines, index);
      return { kind: "comment", scope: this.#commentScope, indent };
    }
    if (this.#headLeft > 0) {
      this.#headLeft--;
      return this.#put("head", indent, lineNumber);
    }
    if (this.#importOpen) {
      if (/[)}]|;\s*$/.test(text)) this.#importOpen = false;
      return { kind: "import", scope: undefined, indent };
    }
    const start = leadingSpaces(text);
    const first = text.charAt(start);
    const wordy = isWordUnit(text.charCodeAt(start));
    if (!wordy && mayBegin(first, COMMENTS_BEGIN) && (COMMENT.test(text) || DECORATOR.test(text))) {
      this.#commentScope = this.#inComments ? this.#commentScope : this.#upcoming(lines, index);
      this.#inComments = true;
      return { kind: "comment", scope: this.#commentScope, indent };
    }
    this.#inComments = false;
    // A label ends with its colon.
    const mayStandApart = wordy
      ? text.endsWith(":") || text === "EOF" || text.includes(": /")
      : mayBegin(first, APART_BEGINS);
    if (!mayStandApart || !APART.test(text)) this.#leave(indent, mayBegin(first, CLOSES_BEGINS) && CLOSES.test(text));
    this.coded++;
    const within = this.#scopes.at(-1);
    this.#place.set(this.language, within?.kind, indent, lines, index);
    const head = readDeclaration(text, this.#place);
    if (head !== undefined) return this.#open(head, indent, lineNumber);
    if ((within === undefined || within.kind === "class") && mayBegin(first, IMPORTS_BEGIN) && IMPORT.test(text)) {
      this.#importOpen = /[({]\s*$/.test(text);
      return { kind: "import", scope: within, indent };
    }
    const closes = text.length - start < CLOSER_CHARS && mayBegin(first, CLOSERS_BEGIN) && CLOSER.test(text);
    return this.#put(closes ? "closer" : "code", indent, lineNumber);
  }

  #reset(): void {
    this.#scopes = [];
    this.#headLeft = 0;
    this.#commentOpen = undefined;
    this.#importOpen = false;
    this.#inComments = false;
  }

  #open(head: DeclarationHead, indent: number, startLine: number): ParsedLine {
    this.declared++;
    const parent = this.#scopes.at(-1);
    const declaration: Declaration = {
      kind: head.kind,
      name: copyText(head.name),
      indent,
      depth: (parent?.depth ?? -1) + 1,
      parent,
      startLine,
      headLines: head.headLines,
      endLine: startLine,
      lines: 0,
      headTally: undefined,
      tally: undefined,
    };
    this.#scopes.push(declaration);
    this.#headLeft = head.headLines - 1;
    return this.#put("head", indent, startLine);
  }

  #put(kind: LineKind, indent: number, lineNumber: number): ParsedLine {
    for (const scope of this.#scopes) scope.endLine = lineNumber;
    return { kind, scope: this.#scopes.at(-1), indent };
  }

  /** Ends what a line at this indentation no longer belongs to. */
  #leave(indent: number, closes: boolean): void {
    for (let last = this.#scopes.at(-1); last !== undefined; last = this.#scopes.at(-1)) {
      if (last.kind !== "prototype" && (indent > last.indent || (closes && indent === last.indent))) break;
      this.#scopes.pop();
    }
  }

  /** What a comment belongs to: what it stands in, or nothing yet when what follows is further out. */
  #upcoming(lines: readonly string[], index: number): Declaration | undefined {
    let open = this.#commentOpen;
    for (let at = index + 1; at < index + 60; at++) {
      const text = lines[at];
      if (text === undefined) break;
      if (open !== undefined) {
        if (text.includes(open)) open = undefined;
        continue;
      }
      if (text.trim() === "" || COMMENT.test(text) || DECORATOR.test(text)) continue;
      if (APART.test(text)) break;
      const next = indentOf(text) + (CLOSES.test(text) ? 1 : 0);
      let scope = this.#scopes.at(-1);
      while (scope !== undefined && (next <= scope.indent || scope.kind === "prototype")) scope = scope.parent;
      return scope;
    }
    return this.#scopes.at(-1);
  }

  #inComment(text: string): boolean {
    if (this.#commentOpen !== undefined) {
      if (text.includes(this.#commentOpen)) this.#commentOpen = undefined;
      return true;
    }
    if (!text.includes("/*") && (this.language !== "python" || !(text.includes('"""') || text.includes("'''")))) {
      return false;
    }
    const trimmed = text.trimStart();
    if (
      trimmed.startsWith("/*") &&
      this.language !== "python" &&
      this.language !== "shell" &&
      this.language !== "ruby"
    ) {
      if (!trimmed.includes("*/", 2)) this.#commentOpen = "*/";
      else if (!/\*\/\s*$/.test(trimmed)) return false;
      return true;
    }
    if (this.language !== "python") return false;
    const quotes = /^[rRuUbBfF]{0,2}("""|''')/.exec(trimmed);
    if (quotes === null) {
      // A string that opens in a statement and goes on: what follows is text, not code.
      const inner = /("""|''')/.exec(trimmed);
      if (inner !== null && trimmed.split(inner[1] as string).length % 2 === 0) this.#commentOpen = inner[1] as '"""';
      return false;
    }
    const mark = quotes[1] as '"""' | "'''";
    if (!trimmed.includes(mark, quotes[0].length)) this.#commentOpen = mark;
    return true;
  }
}

/** The place of the line that is being read; one for all lines, since every line has one. */
class ReusedPlace implements DeclarationPlace {
  language: Language = "c";
  within: DeclarationKind | undefined;
  indent = 0;
  #lines: readonly string[] = [];
  #index = 0;

  set(
    language: Language,
    within: DeclarationKind | undefined,
    indent: number,
    lines: readonly string[],
    index: number,
  ): void {
    this.language = language;
    this.within = within;
    this.indent = indent;
    this.#lines = lines;
    this.#index = index;
  }

  ahead(lines: number): string | undefined {
    return this.#lines[this.#index + lines];
  }
}

/** Columns before the first character; -1 for a blank line. */
function indentOf(text: string): number {
  let columns = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 32) columns++;
    else if (unit === 9) columns += TAB_COLUMNS;
    else return unit === 13 ? -1 : columns;
  }
  return -1;
}

function leadingSpaces(text: string): number {
  let at = 0;
  for (let unit = text.charCodeAt(0); unit === 32 || unit === 9; unit = text.charCodeAt(at)) at++;
  return at;
}

/** White space that is neither blank nor tab may hide what a line begins with. */
function mayBegin(first: string, characters: string): boolean {
  return characters.includes(first) || first > "\x7f";
}

function isWordUnit(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || unit === 95 || unit === 36;
}
