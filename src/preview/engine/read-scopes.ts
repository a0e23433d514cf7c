import { addTallies } from "../../query/relevance.ts";
import { declarationOf, FORM_CHARS, isFileHeading, kindOf, opensBlock } from "./line-kind.ts";
import type { Scope, TextLine } from "./text-line.ts";

/** Lines that end what opened at their indentation and still belong to it. */
const CLOSES = /^(?:[{})\]]|end\b)/;
/** Lines that stand at the left wherever they belong. */
const APART =
  /^#\s*(?:if|ifdef|ifndef|else|elif|endif|define|undef|pragma)|^(?!else|try|finally|default)\w+:(?:$|\s*\/\/)/;
const DOC_QUOTE = /"""|'''/g;
const BEGINS_DOC = /^[rRuUbB]{0,2}(?:"""|''')/;

/** Finds the kind of each line and the declaration that it belongs to, by indentation, whatever the language. */
export function readScopes(lines: readonly TextLine[]): void {
  const texts = lines.map(({ text }) => text.slice(0, FORM_CHARS));
  const open: Scope[] = [];
  let inDoc = false;
  let inImport = false;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] as TextLine;
    const text = texts[index] as string;
    const previous = lines[index - 1];
    // What stands between was not held: nobody knows what it opened or closed.
    if (previous !== undefined && previous.held.line + 1 < line.held.line) {
      inDoc = false;
      inImport = false;
    }
    line.kind = kindOf(text);
    if (line.indent === 0 && isFileHeading(text)) {
      open.length = 0;
      open.push(scopeOf("file", line, undefined));
      line.kind = "heading";
      inDoc = false;
      inImport = false;
    } else if (line.kind !== "blank") {
      const quotes = text.match(DOC_QUOTE)?.length ?? 0;
      if (inDoc || BEGINS_DOC.test(text)) {
        line.kind = "comment";
        inDoc = inDoc !== (quotes % 2 === 1);
      } else if (inImport) {
        line.kind = "import";
        inImport = !/[)}]|;$/.test(text);
      } else if (line.kind === "import") inImport = /[({]$/.test(text);
      if (line.kind !== "comment" && !APART.test(text)) leave(open, line, text);
      if (line.kind === "code") {
        const declared = declarationOf(text, () => opensBlock(texts, index));
        if (declared !== undefined) {
          line.kind = "declaration";
          open.push(scopeOf(declared, line, open.at(-1)));
        }
      }
    }
    line.scope = open.at(-1);
  }
  giveCommentsToNext(lines);
  for (const { kind, scope, tally } of lines) {
    if (kind === "blank" || scope === undefined) continue;
    scope.lines++;
    scope.tally = addTallies(scope.tally, tally);
  }
}

function scopeOf(kind: Scope["kind"], head: TextLine, parent: Scope | undefined): Scope {
  return { kind, head, parent, lines: 0, tally: undefined };
}

/** Ends what a line no longer belongs to. */
function leave(open: Scope[], { indent }: TextLine, text: string): void {
  for (let last = open.at(-1); last !== undefined && last.kind !== "file"; last = open.at(-1)) {
    const { indent: outer } = last.head;
    if (indent > outer || (indent === outer && CLOSES.test(text))) return;
    open.pop();
  }
}

/** A comment belongs to what follows it at the same indentation. */
function giveCommentsToNext(lines: readonly TextLine[]): void {
  let next: TextLine | undefined;
  for (let index = lines.length - 1; index >= 0; index--) {
    const line = lines[index] as TextLine;
    if (line.kind === "blank") continue;
    const comment = line.kind === "comment" && !BEGINS_DOC.test(line.text) && !line.text.endsWith('"""');
    if (comment && next?.indent === line.indent && next.kind !== "closer") line.scope = next.scope;
    next = line;
  }
}
