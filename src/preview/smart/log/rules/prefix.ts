import { ASCII, FewUnits, firstShown } from "../ascii-ends.ts";

// Times, container steps, names of services and workers, and seconds since boot stand before what the tool itself said.
// One pattern of them all took a twentieth of a first preview to compile; of these a log needs one or two.
const DAY = String.raw`\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|\s?[+-]\d\d:?\d\d)?\]?(?:\s|$)`;
const CLOCK = String.raw`\[?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\]?(?:\s|$)`;
const INDENTED = new RegExp(String.raw`\s{1,4}${DAY}`, "y");
const NUMBERED = new RegExp(String.raw`${DAY}|${CLOCK}|\d{1,5}\.\d{3} (?=[a-zA-Z])`, "y");
const BRACKETED = new RegExp(
  [
    DAY,
    CLOCK,
    String.raw`\[\s{0,8}\d{1,8}\.\d{1,9}\](?:\[[^\]]{0,20}\])?\s`,
    String.raw`\[(?:pod\/[\w./-]{1,120}|[A-Za-z][\w.-]{0,20}[ :#-]?\d{1,4})\]\s`,
  ].join("|"),
  "y",
);
const STEP = /#\d{1,4} (?:\d{1,6}\.\d{1,4} |(?=ERROR))/y;
const PACKAGE = /@[\w-]{1,40}\/[\w.-]{1,60}:[\w.:-]{1,40}:\s/y;
const MONTH = /[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S{1,80} [\w./-]{1,60}(?:\[\d{1,8}\])?:\s/y;
const BARRED = /[A-Za-z][\w.@/-]{0,40}\s{0,24}\|\s/y;
const SOURCE = /(?:DEBUG|INFO) \w{1,40}\.py:\d{1,5}:\s{1,2}/y;
const COLUMNS = /[^\t]{1,80}\t[^\t]{1,80}\t(?=\d{4}-)/y;

const MOST_PARTS = 3;
const BYTE_ORDER_MARK = 0xfeff;
const BLANK = 32;
/** Where the bar of a name stands at most after its first letter. */
const MOST_NAME = 65;

/** Where that ends which a runner put before what the tool said; 0 when there is nothing of the kind. */
export function prefixEnd(text: string): number {
  const columns = text.includes("\t") ? endOf(COLUMNS, text, 0) : 0;
  return partsEnd(text, columns) || (columns > 0 ? partsEnd(text, 0) : 0);
}

function partsEnd(text: string, start: number): number {
  const from = text.charCodeAt(start) === BYTE_ORDER_MARK ? start + 1 : start;
  let at = from;
  for (let part = 0; part < MOST_PARTS; part++) {
    const end = partEnd(text, at);
    if (end === at) break;
    at = end;
  }
  return at === from ? 0 : at;
}

function partEnd(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if ((unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122)) return nameEnd(text, at);
  if (unit >= 48 && unit <= 57) return endOf(NUMBERED, text, at);
  if (unit <= BLANK || unit >= ASCII) return isDayLikely(text, at) ? endOf(INDENTED, text, at) : at;
  if (unit === 91) return endOf(BRACKETED, text, at);
  if (unit === 35) return endOf(STEP, text, at);
  return unit === 64 ? endOf(PACKAGE, text, at) : at;
}

const DAY_SIGNS = new FewUnits("0123456789[");

/** False when no day can follow the blanks: most rows that are indented are frames of a trace. */
function isDayLikely(text: string, at: number): boolean {
  return DAY_SIGNS.has(text.charCodeAt(firstShown(text, at)));
}

/** At most one of these can be there. */
function nameEnd(text: string, at: number): number {
  if (text.charCodeAt(at + 3) === BLANK) {
    const end = endOf(MONTH, text, at);
    if (end > at) return end;
  }
  const bar = text.indexOf("|", at);
  if (bar > at && bar <= at + MOST_NAME) {
    const end = endOf(BARRED, text, at);
    if (end > at) return end;
  }
  return text.startsWith("INFO ", at) || text.startsWith("DEBUG ", at) ? endOf(SOURCE, text, at) : at;
}

/** Where a pattern ends that begins at a place; the place itself when it does not. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
