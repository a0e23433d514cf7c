import { copyText } from "../lines/held-line.ts";
import { type Declaration, endDeclaration } from "./declaration.ts";
import { DeclarationPlace } from "./declaration-place.ts";
import { isFileHeading, mayHead } from "./file-heading.ts";
import { guessLanguage, type Language } from "./language.ts";
import { closes, isCloser, isComment, isImport, looksApart, standsApart } from "./line-forms.ts";
import { mayDeclare } from "./may-declare.ts";
import { OpenComment } from "./open-comment.ts";
import { type DeclarationHead, readDeclaration } from "./read-declaration.ts";
import type { SourcePage } from "./source-page.ts";

/** What a line is to a reader. */
export type LineKind = "blank" | "comment" | "import" | "head" | "closer" | "code" | "heading";

const GUESSED_LINES = 1000;
/** Fewer than it takes to know that something is source. */
const SAMPLED_LINES = 100;
/** So far ahead stands what a comment belongs to. */
const COMMENT_REACH = 60;
const LAST_ASCII = 0x7f;

/** Follows source text line by line, by indentation and the forms of declarations. */
export class SourceParser {
  /** Declarations found so far. */
  declared = 0;
  /** Lines that are no comment, blank or heading. */
  coded = 0;
  language: Language | undefined;
  /** What the line that was read last stands in. */
  scope: Declaration | undefined;
  /** The innermost of what is open. */
  #within: Declaration | undefined;
  readonly #comment = new OpenComment();
  #headLeft = 0;
  #commentScope: Declaration | undefined;
  #inComments = false;
  #importOpen = false;

  /** The language is guessed unless it is known. */
  constructor(language?: Language) {
    this.language = language;
  }

  /** Reads the line at `index` of a page, whose number is `line`; those behind it are looked at, not read. */
  read(page: SourcePage, index: number, line: number): LineKind {
    if (isHeading(page, index)) {
      this.end();
      this.language = guessLanguage(page.slice(index + 1, index + 1 + GUESSED_LINES), SAMPLED_LINES).language;
      return this.#put("heading", undefined);
    }
    this.language ??= guessLanguage(page.slice(index, index + GUESSED_LINES), SAMPLED_LINES).language;
    const { language } = this;
    const indent = page.indents[index] as number;
    if (indent < 0) return this.#put("blank", this.#within);
    const wasOpen = this.#comment.isOpen;
    if (this.#comment.read(page, index, language)) {
      if (!wasOpen) this.#commentScope = this.#upcoming(page, index);
      return this.#put("comment", this.#commentScope);
    }
    if (this.#headLeft > 0) {
      this.#headLeft--;
      return this.#put("head", this.#within);
    }
    if (this.#importOpen) {
      if (/[)}]|;\s*$/.test(page.text(index) as string)) this.#importOpen = false;
      return this.#put("import", undefined);
    }
    if (isComment(page, index)) {
      if (!this.#inComments) this.#commentScope = this.#upcoming(page, index);
      this.#inComments = true;
      return this.#put("comment", this.#commentScope);
    }
    this.#inComments = false;
    if (!standsApart(page, index)) this.#leave(page, index, indent);
    this.coded++;
    const within = this.#within;
    if (mayDeclare(page, index, language, within?.kind)) {
      const head = readDeclaration(new DeclarationPlace(page, index, language, within?.kind));
      if (head !== undefined) return this.#open(head, indent, line);
    }
    if ((within === undefined || within.kind === "class") && isImport(page, index)) {
      this.#importOpen = /[({]\s*$/.test(page.text(index) as string);
      return this.#put("import", within);
    }
    return this.#put(isCloser(page, index) ? "closer" : "code", within);
  }

  /** Ends all that is open. */
  end(): void {
    while (this.#within !== undefined) this.#close(this.#within);
    this.#headLeft = 0;
    this.#comment.reset();
    this.#importOpen = false;
    this.#inComments = false;
  }

  #put(kind: LineKind, scope: Declaration | undefined): LineKind {
    this.scope = scope;
    return kind;
  }

  #open({ kind, name, headLines }: DeclarationHead, indent: number, startLine: number): LineKind {
    this.declared++;
    const parent = this.#within;
    const declaration: Declaration = {
      kind,
      name: copyText(name),
      indent,
      depth: (parent?.depth ?? -1) + 1,
      parent,
      startLine,
      open: true,
      lines: 0,
      headTally: undefined,
      tally: undefined,
    };
    this.#within = declaration;
    this.#headLeft = headLines - 1;
    return this.#put("head", declaration);
  }

  #close(declaration: Declaration): void {
    endDeclaration(declaration);
    this.#within = declaration.parent;
  }

  /** Ends what a line no longer belongs to. */
  #leave(page: SourcePage, index: number, indent: number): void {
    for (let last = this.#within; last !== undefined; last = this.#within) {
      if (last.kind !== "prototype") {
        if (indent > last.indent || (indent === last.indent && closes(page, index))) break;
      }
      this.#close(last);
    }
  }

  /** What a comment belongs to: what it stands in, or nothing yet when what follows is further out. */
  #upcoming(page: SourcePage, index: number): Declaration | undefined {
    const end = Math.min(page.count, index + COMMENT_REACH);
    for (let at = this.#comment.next(page, index, COMMENT_REACH); at < end; at++) {
      if (isBlank(page, at) || isComment(page, at)) continue;
      if (looksApart(page, at)) break;
      const next = (page.indents[at] as number) + (closes(page, at) ? 1 : 0);
      let scope = this.#within;
      while (scope !== undefined && (next <= scope.indent || scope.kind === "prototype")) scope = scope.parent;
      return scope;
    }
    return this.#within;
  }
}

/** True also for a line of other white space. */
function isBlank(page: SourcePage, index: number): boolean {
  if ((page.indents[index] as number) < 0) return true;
  return (page.firsts[index] as number) > LAST_ASCII && (page.text(index) as string).trim() === "";
}

function isHeading(page: SourcePage, index: number): boolean {
  if (page.indents[index] !== 0 || !mayHead(page.units(index), page.starts[index] as number)) return false;
  return isFileHeading(page.text(index) as string);
}
