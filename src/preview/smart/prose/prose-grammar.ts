import { unitAt } from "../../../bytes/unit-at.ts";
import { latePattern } from "../../../query/late-pattern.ts";
import { formatPlural } from "../../omission.ts";
import { type Grammar, type LineRole, PLAIN_LINE } from "../items/item-analyzer.ts";

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
  readonly #frontMatter = new FrontMatter();

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
    if (isCapitalOrSign(unitAt(text, 0)) && LOGGED.test(text)) this.#logged++;
    if (!isLetter(unitAt(text, 0)) && FENCE.test(text)) {
      this.#fenced = !this.#fenced;
      return PLAIN_LINE;
    }
    if (this.#fenced || this.#underlined) {
      this.#underlined = false;
      return PLAIN_LINE;
    }
    const role = this.#frontMatter.read(text);
    if (role !== undefined) {
      this.#afterBlank = true;
      if (this.#headings === 0) this.#opening = 2;
      return role;
    }
    const heading = this.#heading(text, next, afterBlank);
    if (heading === 0) return this.#paragraph(text, afterBlank);
    this.#headings++;
    this.#sinceOpened = 0;
    this.#opening = 2;
    return { opens: true, rank: heading };
  }

  title(lines: number): string {
    const parts =
      this.#headings > 0 ? formatPlural(this.#headings, "heading") : formatPlural(this.#paragraphs, "paragraph");
    return `document: ${formatPlural(lines, "line")}, ${parts}`;
  }

  #heading(text: string, next: string | undefined, afterBlank: boolean): number {
    const underline = next === undefined ? undefined : underlineOf(text, next);
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

/** A capital letter, a digit or a bracket. */
function isCapitalOrSign(unit: number): boolean {
  return unit === 91 || (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90);
}

function isLetter(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90);
}

const UNDERLINE = /^([=~^"'*+#`:.-])\1{2,}\s*$/;
const UNDERLINES = "=~^\"'*+#`:.-";
const MARKED = /^(#{1,6}|={1,6})\s+\S/;
const CAPITALS = /^[A-Z][A-Z0-9 ,./()&'-]{2,60}$/;
const CENTRED = /^\s{2,}[A-Z][A-Z0-9 .,;'()/-]{5,70}$/;
const SUBHEADING = /^ {2,3}[A-Z]\S.{0,60}$/;
const VERSION =
  /^(?:\[?[vV]?\d+\.\d+[\w.+-]*\]?(?:$|[\s:(-])|(?:Version|Release|CHANGES (?:WITH|IN|FROM)|Changes (?:in|since|between|with)|Noteworthy changes|What's new|News for|\* (?:Changes|Noteworthy|Version))\b.{0,60}\d)/;
const CHAPTER =
  /^\s{0,8}(?:Chapter|CHAPTER|Part|PART|Article|ARTICLE|Section|SECTION|Appendix|APPENDIX) [\dIVXA-Z]+\b|^第[\d一二三四五六七八九十百]+[章节節条條部]|^[一二三四五六七八九十]+、/;
const NUMBERED = latePattern(String.raw`^\s{0,8}\d{1,2}(?:\.\d{1,2}){0,3}\.?\s+\p{Lu}\S*(?:\s\S+){0,10}$`, "u");
const INTRODUCING = latePattern(String.raw`^\s{0,12}\p{Lu}[^.!?]{3,70}:$`, "u");
const STANDALONE = latePattern(String.raw`^\p{Lu}[^.,;:!?|<>{}=]{2,68}[^.,;:!?|\s]$`, "u");
const TITLE_WORDS = 9;

/** The sign that a line is underlined with; undefined when the next line is no underline of it. */
export function underlineOf(text: string, next: string): string | undefined {
  const sign = UNDERLINES.includes(next.charAt(0)) ? UNDERLINE.exec(next)?.[1] : undefined;
  if (sign === undefined || text.length > 120 || /^\s|[|]|^[-*+] /.test(text) || UNDERLINE.test(text)) return undefined;
  return next.trim().length >= text.trim().length / 2 ? sign : undefined;
}

/** How much a line tells as a heading, 0 to 1; 0 when it is none. Numbers and capitals count only between blank lines. */
function headingRank(text: string, next: string | undefined, afterBlank: boolean): number {
  const marked = text.startsWith("#") || text.startsWith("=") ? MARKED.exec(text) : null;
  if (marked !== null) return 0.96 - 0.1 * (marked[1]?.length ?? 1);
  if (!afterBlank) return 0;
  if (CAPITALS.test(text)) return 0.86;
  if (VERSION.test(text)) return 0.82;
  if (CHAPTER.test(text)) return 0.8;
  const apart = next === undefined || next === "";
  if (apart && CENTRED.test(text)) return 0.76;
  if (SUBHEADING.test(text) && next !== undefined && /^ {4,}\S/.test(next)) return 0.62;
  if (!apart) return 0;
  if (NUMBERED().test(text)) return 0.7;
  if (INTRODUCING().test(text)) return 0.56;
  return STANDALONE().test(text) && text.split(" ").length <= TITLE_WORDS ? 0.6 : 0;
}

const MATTER = /^(?:---|\+\+\+)\s*$/;
const MATTER_END = /^(?:---|\+\+\+|\.\.\.)\s*$/;
const NAMED = /^["']?(title|description|summary|subtitle)["']?\s*[:=]\s*\S/i;
const MOST_MATTER = 80;
const ASIDE: LineRole = { rank: 0, aside: true };
const RULE = /^\s*([-*_])(?:\s*\1){2,}\s*$/;
const UNREAD = /^\s*<(style|script|svg)\b/i;
/** Tags, comments, images, links without words, macros of a template, and where links lead. */
const MARKUP =
  /<!--.*?(?:-->|$)|<[^<>]*(?:>|$)|!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])|\{\{.*?\}\}|\{%.*?%\}|^\[[^\]]+\]:\s.*$/g;
const EMPTY_LINK = /\[\s*\](?:\([^)]*\)|\[[^\]]*\])/g;
const MARKED_FIRST = "<[!{-*_";

/** Tells what stands beside the text of a document: the settings before it, rules, and lines that are markup alone. */
class FrontMatter {
  /** Lines so far of the settings between two rules before the text; 0 outside. */
  #matter = 0;
  #first = true;
  /** The element whose content nobody reads, while it is open. */
  #unread: string | undefined;

  /** The role of a line that is not part of the text; undefined for one that is. */
  read(text: string): LineRole | undefined {
    if (this.#first && MATTER.test(text)) this.#matter = 1;
    else if (this.#matter > 0) return this.#setting(text);
    this.#first = false;
    return this.#matter > 0 ? ASIDE : this.#markup(text);
  }

  #setting(text: string): LineRole {
    if (MATTER_END.test(text) || ++this.#matter > MOST_MATTER) this.#matter = 0;
    const name = NAMED.exec(text)?.[1]?.toLowerCase();
    if (name === undefined) return ASIDE;
    return { rank: name === "title" ? 0.97 : 0.6 };
  }

  #markup(text: string): LineRole | undefined {
    if (this.#unread !== undefined) {
      if (text.includes(`</${this.#unread}`)) this.#unread = undefined;
      return ASIDE;
    }
    if (!MARKED_FIRST.includes(text.trimStart().charAt(0))) return undefined;
    if (RULE.test(text)) return ASIDE;
    const element = UNREAD.exec(text)?.[1]?.toLowerCase();
    if (element !== undefined && !text.includes(`</${element}`)) this.#unread = element;
    if (element !== undefined) return ASIDE;
    return text.replace(MARKUP, "").replace(EMPTY_LINK, "").trim() === "" ? ASIDE : undefined;
  }
}
