import { latePattern } from "../../../query/late-pattern.ts";

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
export function isUnderline(text: string, next: string): string | undefined {
  const sign = UNDERLINES.includes(next.charAt(0)) ? UNDERLINE.exec(next)?.[1] : undefined;
  if (sign === undefined || text.length > 120 || /^\s|[|]|^[-*+] /.test(text) || UNDERLINE.test(text)) return undefined;
  return next.trim().length >= text.trim().length / 2 ? sign : undefined;
}

/** How much a line tells as a heading, 0 to 1; 0 when it is none. Numbers and capitals count only between blank lines. */
export function headingRank(text: string, next: string | undefined, afterBlank: boolean): number {
  const marked = text.startsWith("#") || text.startsWith("=") ? MARKED.exec(text) : null;
  if (marked !== null) return 0.96 - 0.1 * (marked[1]?.length ?? 1);
  if (!afterBlank) return 0;
  if (CAPITALS.test(text)) return 0.86;
  if (VERSION.test(text)) return 0.82;
  if (CHAPTER.test(text)) return 0.8;
  const before = next === undefined || next.trim() === "";
  if (before && CENTRED.test(text)) return 0.76;
  if (SUBHEADING.test(text) && next !== undefined && /^ {4,}\S/.test(next)) return 0.62;
  if (!before) return 0;
  if (NUMBERED().test(text)) return 0.7;
  if (INTRODUCING().test(text)) return 0.56;
  return STANDALONE().test(text) && text.split(" ").length <= TITLE_WORDS ? 0.6 : 0;
}
