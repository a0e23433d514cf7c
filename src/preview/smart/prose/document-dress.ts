import { type LineRole, PLAIN_LINE } from "../items/item.ts";

const MATTER = /^(?:---|\+\+\+)\s*$/;
const MATTER_END = /^(?:---|\+\+\+|\.\.\.)\s*$/;
const NAMED = /^["']?(title|description|summary|subtitle)["']?\s*[:=]\s*\S/i;
const MOST_MATTER = 80;
const TITLE: LineRole = { opens: false, rank: 0.97 };
const SUMMARY: LineRole = { opens: false, rank: 0.6 };
const ASIDE: LineRole = { ...PLAIN_LINE, aside: true };

const SPACE = 32;
const RULE = /^\s*([-*_])(?:\s*\1){2,}\s*$/;
const UNREAD = /^\s*<(style|script|svg)\b/i;
/** Tags, comments, images, links without words, macros of a template, and where links lead. */
const MARKUP =
  /<!--.*?(?:-->|$)|<[^<>]*(?:>|$)|!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])|\{\{.*?\}\}|\{%.*?%\}|^\[[^\]]+\]:\s.*$/g;
const EMPTY_LINK = /\[\s*\](?:\([^)]*\)|\[[^\]]*\])/g;

/** Tells what a document wears from what it says: the settings before it, rules, and lines that are markup alone. */
export class DocumentDress {
  /** Lines so far of what stands between two rules before the text; 0 outside. */
  #matter = 0;
  #first = true;
  /** The element whose content nobody reads, while it is open. */
  #unread: string | undefined;

  /** What a line that is not part of the text is; undefined for one that is. */
  read(text: string): LineRole | undefined {
    if (this.#first) {
      this.#first = false;
      if (!MATTER.test(text)) return this.#markup(text);
      this.#matter = 1;
      return ASIDE;
    }
    return this.#matter > 0 ? this.#setting(text) : this.#markup(text);
  }

  #setting(text: string): LineRole {
    if (MATTER_END.test(text) || ++this.#matter > MOST_MATTER) this.#matter = 0;
    const name = NAMED.exec(text)?.[1]?.toLowerCase();
    if (name === undefined) return ASIDE;
    return name === "title" ? TITLE : SUMMARY;
  }

  #markup(text: string): LineRole | undefined {
    if (this.#unread !== undefined) {
      if (text.includes(`</${this.#unread}`)) this.#unread = undefined;
      return ASIDE;
    }
    let at = 0;
    while (at < text.length && text.charCodeAt(at) <= SPACE) at++;
    const first = text.charAt(at);
    if (first === "-" || first === "*" || first === "_") return RULE.test(text) ? ASIDE : undefined;
    if (first !== "<" && first !== "[" && first !== "!" && first !== "{") return undefined;
    const element = UNREAD.exec(text)?.[1]?.toLowerCase();
    if (element !== undefined && !text.includes(`</${element}`)) this.#unread = element;
    if (element !== undefined) return ASIDE;
    return text.replace(MARKUP, "").replace(EMPTY_LINK, "").trim() === "" ? ASIDE : undefined;
  }
}
