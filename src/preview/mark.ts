/** Digits of a mark. */
const DIGITS = 6;
/** Half of a surrogate pair: nothing that was decoded from bytes holds one. As long as the sign that takes its place. */
const SEAT = "\udfff";

/**
 * What every marker begins with while a preview is a draft: a sign that no output can write, and room for the mark, so
 * that a draft is as long as the text it becomes.
 */
export const OPEN = SEAT + "0".repeat(DIGITS);
/** The same without a mark, for the short counts within an outline, where many stand on a page. */
export const OPEN_SHORT = "\udffe";
/** What the line over an outline begins with: a bracket, and room for the mark. */
export const HEADING = `\udffd${"0".repeat(DIGITS + 1)}`;
const OWN_MARKER = new RegExp(`(?:${OPEN}|${OPEN_SHORT})[^…\\n]*…`, "gu");
// In this mode half of a pair is found only where it stands alone, never within a character that has both.
const SEATS = new RegExp(`${OPEN}|${OPEN_SHORT}|${HEADING}`, "gu");

/** Stands before a line of the output that has the form of a marker or a notice. */
const QUOTE = "output> ";
/** A count or a place between two signs, whether it claims a mark or not; or the words that end a marker. */
const MARKER_FORM = /…\s?(?:[0-9a-f]{4,64}\s)?(?:lines? |bytes )?\d[^…]*…|\bomitted: (?:lines?|bytes|items?) \d/;
const HEADING_FORM =
  /^\[(?:(?:[0-9a-f]{4,64} )?(?:listing|preview of JSON|page text|source|table|search results|diff|question|findings|by rule|by file): |[0-9a-f]{6} [a-z][^\n]*\]\s*$)/m;
const NOTICE_FORM =
  /^\[spillway(?: [0-9a-f]+)?: |^[ \t]*\[[0-9a-f]{4,64}\] (?:the tool call|failed|cut short|truncated)\b|\b(?:full|partial) output(?: saved to)?:|\bfull output (?:could not be saved|lost)\b|\boutput truncated: \d|\boutput was truncated\b|\boutput shown without formatting codes\b|\bdo not read it whole\b/im;

const FORMS = [MARKER_FORM, HEADING_FORM, NOTICE_FORM];

/** Six of the digits that the text does not hold as a mark, the first such; the text may come from somebody who guessed. */
export function chooseMark(digits: string, text: string): string {
  for (let at = 0; at + 2 * DIGITS <= digits.length; at += DIGITS) {
    const mark = digits.slice(at, at + DIGITS);
    if (!text.includes(`…${mark}`) && !text.includes(`[${mark}`)) return mark;
  }
  return digits.slice(-DIGITS);
}

/** The beginning of a marker. */
export function openMarker(mark: string | undefined): string {
  return `…${mark ?? ""}`;
}

/** The text that a draft becomes. */
export function stamp(draft: string, mark: string | undefined): string {
  return draft.replace(SEATS, (seat) => {
    if (seat === HEADING) return mark === undefined ? "[" : `[${mark} `;
    return seat === OPEN ? openMarker(mark) : "…";
  });
}

/** A draft in which each line of the output that has the form of a marker or a notice says that it is the output's. */
export function quoteImitations(draft: string): string {
  if (!FORMS.some((form) => form.test(draft))) return draft;
  return draft
    .split("\n")
    .map((line) => (isImitation(line) ? QUOTE + line : line))
    .join("\n");
}

function isImitation(line: string): boolean {
  const foreign = line.replace(OWN_MARKER, "");
  return FORMS.some((form) => form.test(foreign));
}
