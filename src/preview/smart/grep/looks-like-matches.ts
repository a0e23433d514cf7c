import { looksLikeTable } from "../csv/looks-like-table.ts";
import { PATH } from "../listing/looks-like-listing.ts";
import { looksLikeFindings } from "../log/looks-like-findings.ts";
import { DIAGNOSTIC, LOGGED, lessThan, moreThan, type Sample } from "../sample.ts";

const MATCH = /^(?!\d+[-:.])(?:[a-zA-Z]:[\\/])?(?=[^\s:]*[./\\a-z])[\w.@+~()/\\-]{1,300}?[:-]\d{1,7}[:-]/;
/** A file at the top named in capitals, such as NEWS; not the level of a log. */
const CAPITAL_MATCH =
  /^(?!(?:INFO|DEBUG|WARN|ERROR|TRACE|FATAL|CRITICAL|NOTICE|SEVERE|VERBOSE)[A-Z]*:)[A-Z][A-Z_]{3,40}[:-]\d{1,7}[:-]/;
const PLACE =
  /^((?:[a-zA-Z]:[\\/])?(?:[^\s:]{1,300}(?=:\d{1,7}[:-])|[^\s:]{1,300}?(?=-\d{1,7}[:-])))[:-](\d{1,7})[:-](?:(\d{1,5}):)?/;
/** A time of day where a path and its line number would stand. */
const CLOCK = /^\S*[:_T-]\d\d:\d\d:\d\d(?!\d)/;
const HEADED_MATCH = /^\d{1,7}[:-](?!\d\d[-:T ])/;

/** Searches go through a file from its beginning to its end; a logger comes back to the same places again and again. */
export function looksLikeMatches({ filled }: Sample): boolean {
  const lines = filled.filter((line) => line !== "--");
  if (!mostlyMatches(lines) || !lessThan(0.3, lines, DIAGNOSTIC) || !lessThan(0.1, lines, CLOCK)) return false;
  const reached = new Map<string, number>();
  let back = 0;
  for (const line of lines) {
    const place = PLACE.exec(line);
    if (place === null) continue;
    const [, path = "", number, column] = place;
    const last = reached.get(path) ?? 0;
    const at = Number(number);
    // One line may match twice, at two columns.
    if (at < last || (at === last && column === undefined)) back++;
    reached.set(path, at);
  }
  return back / lines.length <= 0.1;
}

function mostlyMatches(lines: readonly string[]): boolean {
  if (moreThan(0.8, lines, MATCH)) return true;
  if (!moreThan(0.3, lines, MATCH)) return false;
  return lines.filter((line) => MATCH.test(line) || CAPITAL_MATCH.test(line)).length / lines.length > 0.8;
}

/** A search that begins with hits in minified files shows few lines in many bytes. */
export function looksLikeLongMatches({ short, long, filled }: Sample): boolean {
  return short && long && filled.length > 0 && filled.every((line) => MATCH.test(line));
}

export function looksLikeHeadedMatches({ filled: lines }: Sample): boolean {
  if (!moreThan(0.5, lines, HEADED_MATCH)) return false;
  const matches = lines.filter((line) => HEADED_MATCH.test(line)).length / lines.length;
  const headings = lines.filter((line) => PATH.test(line) && !HEADED_MATCH.test(line)).length / lines.length;
  return headings > 0 && headings + matches > 0.9;
}

const NUMBERED = /^\s{0,8}(?:Line )?(\d{1,8})(?:\t|→|[:|] ?|$)(?!\d\d[-:T ])/;
/** What a test runner prints for each test. */
const RESULT = /^\s*(?:PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS|PASS|FAIL|ok|not ok|✓|✗|---)\b|\b(?:PASSED|FAILED|ok)$/;

/** Lines that carry numbers: all of a part of a file is read as source, some of them are matches of a search in one file. */
export function numbersOf({ filled: lines }: Sample): "code" | "grep" | undefined {
  if (!moreThan(0.9, lines, NUMBERED)) return undefined;
  let last = 0;
  let rising = 0;
  let next = 0;
  for (const line of lines) {
    const number = Number(NUMBERED.exec(line)?.[1] ?? 0);
    if (number > last) rising++;
    if (number === last + 1) next++;
    last = number;
  }
  if (rising < 0.9 * lines.length || looksLikeTable(lines)) return undefined;
  const texts = lines.map((line) => line.replace(NUMBERED, ""));
  if ([LOGGED, DIAGNOSTIC, RESULT].some((pattern) => !lessThan(0.2, texts, pattern))) return undefined;
  return next > 0.7 * lines.length ? "code" : /^\d+:/.test(lines[0] ?? "") ? "grep" : "code";
}

const UNNUMBERED_MATCH = /^((?:\.{0,2}\/)?[\w.@+~-]+(?:\/[\w.@+~-]+)*\/[\w@+~-]+\.\w{1,12}):(?!\d+:|\/\/)/;

/** What `grep -r` prints without `-n`; the same file comes in one run of lines. */
export function looksLikeUnnumberedMatches({ filled: lines }: Sample): boolean {
  if (!moreThan(0.8, lines, UNNUMBERED_MATCH) || !lessThan(0.3, lines, DIAGNOSTIC)) return false;
  if (looksLikeFindings(lines)) return false;
  const paths = lines.map((line) => UNNUMBERED_MATCH.exec(line)?.[1] ?? "").filter((path) => path !== "");
  const runs = paths.filter((path, index) => path !== paths[index - 1]).length;
  return runs <= 1.1 * new Set(paths).size;
}
