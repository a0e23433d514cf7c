const NUMBERED = /^\s{0,8}(?:Line )?(\d{1,8})(?:\t|→|: ?|\| ?|\s?│ ?)/;
/** Numbers begin within so many lines that say something, or not at all. */
const FIRST_LINES = 5;

/** Takes away the numbers that a reader's tool puts before the lines of a file: `cat -n`, `12→`, `12: `, `00012| `. */
export class LineNumbers {
  #last = 0;
  #seen = 0;

  /** True when lines are known to have no numbers. */
  get none(): boolean {
    return this.#last === 0 && this.#seen >= FIRST_LINES;
  }

  /** How many characters of the line are its number. */
  width(text: string): number {
    if (this.none) return 0;
    if (text.trim() === "") return 0;
    this.#seen++;
    const match = NUMBERED.exec(text);
    const number = Number(match?.[1] ?? 0);
    if (match === null || number <= this.#last || (this.#last > 0 && number > this.#last + 1000)) return 0;
    this.#last = number;
    return match[0].length;
  }

  /** A further file begins. */
  restart(): void {
    this.#last = 0;
    this.#seen = 0;
  }
}

/** What a line of a source is to a reader; `heading` names a file of several that follow each other. */
export type LineKind = "blank" | "comment" | "import" | "declaration" | "closer" | "code" | "heading";

/** A form is told from so many characters of a line; ask with no more. */
export const FORM_CHARS = 300;

const HEADING =
  /^==> .+ <==$|^(?:\/\/|#|---)?\s*(?:=====*|-----*)\s+\S+\.\w{1,6}\s+(?:=====*|-----*)$|^<(?:file|document)\b[^>]*(?:path|name)=/;
const COMMENT =
  /^(?:\/\/|\/\*|\*(?:[ /]|$)|#(?![!]?\[|\s*(?:include|define|if|ifdef|ifndef|else|elif|endif|pragma|undef|error|import|region)\b)|--(?:\s|$)|<!--|@[\w.]+(?:\(.*)?$|#!?\[.*\]$)/;
const IMPORT =
  /^(?:import\b(?!\()|from\s+\S+\s+import\b|export\s+(?:\*|\{[^}]*\})\s+from\b|#\s*(?:include|import)\b|using\s+(?:static\s+)?[\w.=\s]+;|use\s+[\w\\:{}*,\s]+;|(?:const|let|var)\s+.*=\s*require\(|require(?:_relative|_once)?\b|include(?:_once)?\s+['"]|package\s+[\w.]+;?$|extern crate\b)/;
const CLOSER =
  /^(?:[}\])]+[;,)]*|end|fi|done|esac|else:?|\}\s*else\s*\{|\{|#endif.*|then|do|begin|try\s*[:{]?|\)\s*[:{]|pass)[;,]?$/;

const CONTROL =
  /^(?:\}\s*)?(?:if|elif|else|for|while|switch|catch|return|do|try|with|when|match|case|throw|await|yield|assert|super|new|foreach|unless|until|print|echo|using|lock)\b/;
const TYPE =
  /^(?:[\w@]+\s+)*(?:class|interface|trait|struct|enum|impl|module|namespace|protocol|extension|object|describe|create (?:or replace )?(?:table|view))\b(?!\s*[=.;,):])/i;
const FUNCTION =
  /^(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|override|virtual|inline|unsafe|extern|pub(?:\([^)]*\))?|const|suspend|open|local|synchronized|fileprivate|mutating|operator|constexpr|"C")\s+)*(?:def|function\*?|func|fn|fun|sub|defp|defmacro|macro_rules!|proc|init|deinit|create (?:or replace )?function)\b(?!\s*[=.;,)])/i;
const TEST = /^(?:it|test|context|suite|specify|Deno\.test|t\.Run)(?:\.\w+)?\(/;
const MACRO = /^#\s*define\s+\w+\(/;
const ASSIGNED_FUNCTION =
  /^(?:export\s+)?(?:default\s+)?(?:(?:const|let|var|local|my)\s+)?[\w$.]+\s*(?:[:=]|<-)\s*(?:async\s*)?(?:function\b|\([^()]*\)\s*=>|\w+\s*=>|.*=>\s*\{$)/;
const METHOD = /^(?:[\w$<>[\],.?*&:~#]+\s+)*[*&#]*[\w$:~#.]+\s*(?:<[^()]*>)?\([^;={}]*(?:\)[^;(]*\{?|,)$/;
/** A function of a shell. */
const OPENED = /^[\w-]+\s*\(\)\s*\{?$/;

/** How far below the beginning of a declaration its block may open. */
const OPENING_LINES = 8;
const OPENS = /^\{$|\)[^;]*\{$/;

/** True when a block opens within a few lines below the line at `index`. */
export function opensBlock(lines: readonly string[], index: number): boolean {
  for (let at = index + 1; at < Math.min(lines.length, index + OPENING_LINES); at++)
    if (OPENS.test(lines[at] as string)) return true;
  return false;
}

/** True for a line that names the file which follows. */
export function isFileHeading(line: string): boolean {
  return HEADING.test(line);
}

/** The kind of a line without its indentation and the white space at its end. */
export function kindOf(text: string): LineKind {
  if (text === "") return "blank";
  if (COMMENT.test(text)) return "comment";
  if (CLOSER.test(text)) return "closer";
  return IMPORT.test(text) ? "import" : "code";
}

/** What a line of code declares; `opens` says whether a block follows it, which tells a method from a call. */
export function declarationOf(text: string, opens: () => boolean): "type" | "function" | undefined {
  if (CONTROL.test(text)) return undefined;
  if (TYPE.test(text)) return "type";
  if (FUNCTION.test(text) || TEST.test(text) || MACRO.test(text) || OPENED.test(text)) return "function";
  return (ASSIGNED_FUNCTION.test(text) || METHOD.test(text)) && (text.endsWith("{") || opens())
    ? "function"
    : undefined;
}
