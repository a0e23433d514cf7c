import { unitAt } from "../../../bytes/unit-at.ts";
import { formatPlural } from "../../omission.ts";
import { type Grammar, type LineRole, PLAIN_LINE } from "../items/item.ts";
import { DocumentDress } from "./document-dress.ts";
import { headingRank, isUnderline } from "./heading.ts";

const FENCE = /^\s{0,3}(?:```|~~~)/;
const LIST_ITEM = /^\s*(?:[-*+•‣·]|\d{1,3}[.)])\s+\S/;
const SENTENCE_END = /[.!?:。！？：][)"'”’」]*\s*$/;
const LOGGED =
  /^\[?\d{4}-\d\d-\d\d[T ]\d\d:|^\[?\d\d:\d\d:\d\d|^\[?(?:INFO|DEBUG|WARN|WARNING|ERROR|TRACE|FATAL)\b[\]:\s]|^[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d /;
/** A text without headings is taken in parts of so many lines. */
const PART_LINES = 40;
const OPENING = 0.42;
const PARAGRAPH = 0.16;
const ITEM = 0.12;

/** Reads documents: headings of Markdown, reStructuredText, manuals, news and licences, and how paragraphs begin. */
export class ProseGrammar implements Grammar {
  readonly noun = "section";
  readonly firstCounts = false;
  readonly looksAhead = true;
  #headings = 0;
  #paragraphs = 0;
  #lines = 0;
  #logged = 0;
  #sinceOpened = 0;
  #afterBlank = true;
  #fenced = false;
  /** Lines of the first paragraph of a section that still belong to its first sentence. */
  #opening = 0;
  #underlined = false;
  readonly #underlines: string[] = [];
  readonly #dress = new DocumentDress();

  get wrong(): boolean {
    return this.#logged > 20 && this.#logged > 0.1 * this.#lines;
  }

  read(text: string, next: string | undefined): LineRole {
    this.#lines++;
    this.#sinceOpened++;
    if (text === "") {
      this.#afterBlank = true;
      return PLAIN_LINE;
    }
    const afterBlank = this.#afterBlank;
    this.#afterBlank = false;
    const first = text.charAt(0);
    if (mayBeLogged(first) && LOGGED.test(text)) this.#logged++;
    if ((first <= " " || first > "\x7f" || first === "`" || first === "~") && FENCE.test(text)) {
      this.#fenced = !this.#fenced;
      return PLAIN_LINE;
    }
    if (this.#fenced) return PLAIN_LINE;
    if (this.#underlined) {
      this.#underlined = false;
      return PLAIN_LINE;
    }
    const worn = this.#dress.read(text);
    if (worn !== undefined) {
      this.#afterBlank = true;
      if (this.#headings === 0) this.#opening = 2;
      return worn;
    }
    const heading = this.#heading(text, next, afterBlank);
    if (heading > 0) {
      this.#headings++;
      this.#sinceOpened = 0;
      this.#opening = 2;
      return { opens: true, rank: heading };
    }
    return this.#paragraph(text, afterBlank);
  }

  end(): void {}

  label(): undefined {
    return undefined;
  }

  title(lines: number): string {
    const parts =
      this.#headings > 0 ? formatPlural(this.#headings, "heading") : formatPlural(this.#paragraphs, "paragraph");
    return `document: ${formatPlural(lines, "line")}, ${parts}`;
  }

  #heading(text: string, next: string | undefined, afterBlank: boolean): number {
    const underline = next === undefined ? undefined : isUnderline(text, next);
    if (underline === undefined) return headingRank(text, next, afterBlank);
    this.#underlined = true;
    if (!this.#underlines.includes(underline)) this.#underlines.push(underline);
    return 0.9 - 0.12 * Math.min(4, this.#underlines.indexOf(underline));
  }

  #paragraph(text: string, afterBlank: boolean): LineRole {
    const opens = afterBlank && this.#sinceOpened > PART_LINES;
    if (opens) this.#sinceOpened = 0;
    if (afterBlank) this.#paragraphs++;
    if (this.#opening > 0 && (this.#opening < 2 || afterBlank || this.#sinceOpened === 1)) {
      this.#opening = SENTENCE_END.test(text) ? 0 : this.#opening - 1;
      return { opens, rank: OPENING };
    }
    if (!isLetter(unitAt(text, 0)) && LIST_ITEM.test(text)) return { opens, rank: ITEM };
    return { opens, rank: afterBlank ? (this.#headings === 0 ? OPENING : PARAGRAPH) : 0 };
  }
}

function mayBeLogged(first: string): boolean {
  return first === "[" || (first >= "0" && first <= "9") || (first >= "A" && first <= "Z");
}

function isLetter(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90);
}
