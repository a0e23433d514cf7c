import { decode } from "../../bytes/utf8.ts";
import { cleanLines } from "../clean.ts";
import { looksLikeCode } from "../engine/looks-like-code.ts";
import { findAlignedColumns, isRule } from "./csv/aligned-columns.ts";
import { documentShape } from "./document-shape.ts";
import { historyForm } from "./history/history-forms.ts";
import { isPageElement } from "./html/elements.ts";
import { isFinding } from "./log/findings.ts";
import { jsonLine, looksLikeJson } from "./looks-like-json.ts";
import { looksLikeOutline } from "./outline/looks-like-outline.ts";
import { isMarkdown } from "./prose/markdown.ts";

/** What an output looks like. */
export type Shape =
  | "log"
  | "test run"
  | "trace"
  | "diff"
  | "grep"
  | "listing"
  | "json"
  | "html"
  | "csv"
  | "code"
  | "prose"
  | "history"
  | "settings"
  | "records"
  | "plan"
  | "description"
  | "snapshot"
  | "outline";

const MAX_LINES = 400;
const LINE_CHARS = 400;
/** What tells JSON and HTML may take so many bytes. */
const LOOKED_BYTES = 16_384;
/** Data that stands in lines has so many characters in one, on average, and is shown with its tags. */
const LONGEST_LINES = 300;
const NEWLINE = 10;
/** What a test runner says first; whatever its tests print, the output is a run. */
const TEST_SESSION =
  /^=+ test session starts =+$|^Creating test database for alias |^Testing against \S+ installed in |^TAP version \d+$|^running \d+ tests?$|^=== RUN {3}\S|^\[INFO\] {2}T E S T S$/;
const OPENING_LINES = 40;
const FINDINGS_SHARE = 0.3;

const MATCH = /^(?!\d+[-:.])(?:[a-zA-Z]:[\\/])?(?=[^\s:]*[./\\a-z])[\w.@+~()/\\-]{1,300}?[:-]\d{1,7}[:-]/;
/** A file at the top named in capitals, such as NEWS; not the level of a log. */
const CAPITAL_MATCH =
  /^(?!(?:INFO|DEBUG|WARN|ERROR|TRACE|FATAL|CRITICAL|NOTICE|SEVERE|VERBOSE)[A-Z]*:)[A-Z][A-Z_]{3,40}[:-]\d{1,7}[:-]/;
const PLACE =
  /^((?:[a-zA-Z]:[\\/])?(?:[^\s:]{1,300}(?=:\d{1,7}[:-])|[^\s:]{1,300}?(?=-\d{1,7}[:-])))[:-](\d{1,7})[:-](?:(\d{1,5}):)?/;
/** A time of day where a path and its line number would stand. */
const CLOCK = /^\S*[:_T-]\d\d:\d\d:\d\d(?!\d)/;
const HEADED_MATCH = /^\d{1,7}[:-](?!\d\d[-:T ])/;
const DIAGNOSTIC = /:\d+:\d+: |\b(?:error|warning|note)\b:|^\s+(?:at |\^)/;
const PATH = /^(?:\.{0,2}\/)?[\w.@+~[\](){}$#=,&%!-]+(?:[/\\][\w.@+~[\](){}$#=,&%! -]+)*[/\\*@|]?$/;
/** "[12/90] Compiling a/b.swift" */
const PROGRESS = /^\[\s*\d+(?:\/\d+|\s*%)\]/;
const LONG_LISTING =
  /^(?:[bcdlps-][rwxsStT-]{9}[.+@]?\s|\d{6} (?:blob|tree|commit) [0-9a-f]{40}|total \d+$|[│├└| `]+[─-]{2} )/;
const LOGGED =
  /^\[?\d{4}[-/]\d\d[-/]\d\d|^\d\d[-/]\d\d[ -]|^<?\d+>?[\s:]|^\[?\d\d:\d\d:\d\d|^\[\s*\d|^(?:\[)?(?:INFO|DEBUG|WARN|ERROR|TRACE|info|error|warn)\b|^[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:|^[^\t]{1,80}\t[^\t]{1,80}\t\ufeff?\d{4}-\d\d-\d\dT|\.\.\.|^\$ |^> /;

/** Guesses the shape from the beginning of an output; what has no clear shape is a log. */
export function detectShape(beginning: Uint8Array): Shape {
  const looked = cleanLines(decode(lookedAt(beginning)).replace(/^\ufeff/, ""));
  const opening = looked.find((line) => line.trim() !== "")?.trimStart() ?? "";
  if (/^[[{<]/.test(opening)) {
    const start = looked.join("\n").trimStart();
    if (looksLikeJson(start)) return "json";
    if (looksLikeMarkup(start) && !isMarkdown(looked.slice(0, MAX_LINES).map((line) => line.trimEnd())))
      return isData(start) && start.length < LONGEST_LINES * looked.length ? "outline" : "html";
  }
  const begins = jsonLine(looked);
  if (begins > 0 && looksLikeJson(looked.slice(begins).join("\n").trimStart())) return "json";
  const lines = shortened(looked);
  // What a commit says of itself may be longer than all that is looked at.
  const patched = /^(?:commit|From) [0-9a-f]{7}/.test(opening) ? cleanLines(decode(beginning)) : lines;
  if (looksLikeDiff(patched)) return "diff";
  const filled = lines.filter((line) => line !== "");
  if (filled.slice(0, OPENING_LINES).some((line) => TEST_SESSION.test(line))) return "log";
  if (filled.length < 4) return filled.length > 0 && looksLikeLongMatches(filled, beginning.length) ? "grep" : "log";
  if (historyForm(filled) !== undefined) return "history";
  if (looksLikeMatches(filled.filter((line) => line !== "--"))) return "grep";
  const numbered = numbersOf(filled);
  if (numbered !== undefined) return numbered;
  if (looksLikeHeadedMatches(filled) || looksLikeUnnumberedMatches(filled)) return "grep";
  if (looksLikeFindings(filled)) return "log";
  if (looksAligned(lines, filled)) return "csv";
  if (moreThan(0.7, filled, LONG_LISTING) || looksLikePaths(filled) || looksLikeFolders(lines)) return "listing";
  if (looksLikeCode(cleanLines(decode(beginning)))) return "code";
  if (looksLikeTable(filled) && lessThan(0.3, filled, DIAGNOSTIC)) {
    const titled = !/\d{2}/.test(filled[0] ?? "");
    if (titled || lessThan(0.5, filled, LOGGED)) return "csv";
  }
  return documentShape(lines, filled) ?? (looksLikeOutline(filled) ? "outline" : "log");
}

function shortened(lines: readonly string[]): string[] {
  return lines.slice(0, MAX_LINES).map((line) => line.slice(0, LINE_CHARS).trimEnd());
}

/** Reads no more than what is looked at, in whole lines. */
function lookedAt(bytes: Uint8Array): Uint8Array {
  let lines = 0;
  let end = 0;
  while (end < bytes.length && (lines < MAX_LINES || end < LOOKED_BYTES)) {
    const newline = bytes.indexOf(NEWLINE, end);
    end = newline === -1 ? bytes.length : newline + 1;
    lines++;
  }
  return bytes.subarray(0, end);
}

function looksLikeMarkup(start: string): boolean {
  if (!/^<(?:!doctype|html|\?xml|!--|svg|rss|feed|[a-z][\w:-]{0,40}(?:\s[^<>]{0,400})?\/?>)/i.test(start)) return false;
  return (start.slice(0, 8000).match(/<\/?[a-z!?]/gi)?.length ?? 0) >= 4;
}

/** True where tags are none of a page's. */
function isData(start: string): boolean {
  return !isPageElement(/<([a-z][\w:-]*)/i.exec(start.replace(/<!--.*?-->/gs, ""))?.[1]?.toLowerCase() ?? "");
}

function moreThan(share: number, lines: readonly string[], pattern: RegExp): boolean {
  let needed = Math.floor(share * lines.length);
  while (needed / lines.length <= share) needed++;
  return atLeast(needed, lines, pattern);
}

function lessThan(share: number, lines: readonly string[], pattern: RegExp): boolean {
  let excluded = Math.floor(share * lines.length);
  while (excluded / lines.length < share) excluded++;
  return !atLeast(excluded, lines, pattern);
}

/** Stops at the line that decides it: most outputs are soon seen not to be of a shape. */
function atLeast(needed: number, lines: readonly string[], pattern: RegExp): boolean {
  let missing = needed;
  for (let index = 0; missing > 0 && missing <= lines.length - index; index++) {
    if (pattern.test(lines[index] as string)) missing--;
  }
  return missing <= 0;
}

/** What linters print may be aligned like a table, or have headings like a document. */
function looksLikeFindings(lines: readonly string[]): boolean {
  return lines.filter(isFinding).length > Math.max(3, FINDINGS_SHARE * lines.length);
}

/** A column of numbers looks like what a logger puts before its lines, unless a rule under the names says better. */
function looksAligned(lines: readonly string[], filled: readonly string[]): boolean {
  const ruled = isRule(filled[1] ?? "");
  if (!ruled && !lessThan(0.5, filled, LOGGED)) return false;
  return findAlignedColumns(lines) !== undefined;
}

/** Searches go through a file from its beginning to its end; a logger comes back to the same places again and again. */
function looksLikeMatches(lines: readonly string[]): boolean {
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
function looksLikeLongMatches(lines: readonly string[], bytes: number): boolean {
  return bytes > LOOKED_BYTES && lines.every((line) => MATCH.test(line));
}

function looksLikeHeadedMatches(lines: readonly string[]): boolean {
  if (!moreThan(0.5, lines, HEADED_MATCH)) return false;
  const matches = lines.filter((line) => HEADED_MATCH.test(line)).length / lines.length;
  const headings = lines.filter((line) => PATH.test(line) && !HEADED_MATCH.test(line)).length / lines.length;
  return headings > 0 && headings + matches > 0.9;
}

const NUMBERED = /^\s{0,8}(?:Line )?(\d{1,8})(?:\t|→|[:|] ?|$)(?!\d\d[-:T ])/;

/** What a test runner prints for each test. */
const RESULT = /^\s*(?:PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS|PASS|FAIL|ok|not ok|✓|✗|---)\b|\b(?:PASSED|FAILED|ok)$/;

/** Lines that carry numbers: all of a part of a file is read as source, some of them are matches of a search in one file. */
function numbersOf(lines: readonly string[]): "code" | "grep" | undefined {
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
function looksLikeUnnumberedMatches(lines: readonly string[]): boolean {
  if (!moreThan(0.8, lines, UNNUMBERED_MATCH) || !lessThan(0.3, lines, DIAGNOSTIC)) return false;
  if (looksLikeFindings(lines)) return false;
  const paths = lines.map((line) => UNNUMBERED_MATCH.exec(line)?.[1] ?? "").filter((path) => path !== "");
  const runs = paths.filter((path, index) => path !== paths[index - 1]).length;
  return runs <= 1.1 * new Set(paths).size;
}

const FOLDER_HEADING = /^(?:[\w.@+~$-][^:]*|\/[^:]*):$/;

/** `ls -R`: names below the folders that they are in, which blank lines part. */
function looksLikeFolders(lines: readonly string[]): boolean {
  const headings = lines.filter(
    (line, index) => FOLDER_HEADING.test(line) && (index === 0 || lines[index - 1] === ""),
  ).length;
  if (headings < 2) return false;
  const first = lines[0] ?? "";
  const below = lines.filter((line) => line.includes("/") && FOLDER_HEADING.test(line)).length;
  if (!FOLDER_HEADING.test(first) || below === 0) return false;
  const filled = lines.filter((line) => line !== "" && !FOLDER_HEADING.test(line));
  return !lessThan(0.95, filled, PATH) && filled.every((line) => !line.endsWith(":"));
}

function looksLikeDiff(lines: readonly string[]): boolean {
  const first = lines.findIndex((line) => /^(?:diff --git |diff -|Index: \S|--- \S|\*\*\* \S)/.test(line));
  if (
    first < 0 ||
    !lines
      .slice(first, first + 40)
      .some((line) => /^(?:@@ |\*{15}|Binary files|similarity index|new file|deleted file|rename )/.test(line))
  )
    return false;
  const before = lines.slice(0, first);
  const introduced =
    first <= 2 ||
    before.every((line, index) => (index === 0 ? /^(?:commit |From )[0-9a-f]{7}/.test(line) : !/^[$+] /.test(line)));
  const after = lines.slice(first).filter((line) => line !== "");
  const inside = after.filter((line) =>
    /^(?:[ +\-@\\!*]|diff |index |new |deleted |old |similarity |rename |copy |Index|Binary|=+$|commit |Author|Date|\d+\.\d)/.test(
      line,
    ),
  );
  return introduced && inside.length / after.length > 0.9;
}

/** `find -printf '%s %p'`, `du`, `wc -l`: the size stands first. */
const SIZE = /^\s*\d[\d.,]*[KMGT]?\s+(?=\S)/;

function looksLikePaths(listed: readonly string[]): boolean {
  const sized = moreThan(0.9, listed, SIZE);
  const lines = sized ? listed.map((line) => line.replace(SIZE, "")) : listed;
  if (lessThan(0.92, lines, PATH) || !lessThan(0.1, lines, PROGRESS) || isBlob(lines)) return false;
  return lines.filter((line) => PATH.test(line) && /[/\\]|\.\w{1,5}$/.test(line)).length / lines.length > 0.6;
}

/** Base64 and the like: lines of one length without a point. */
function isBlob(lines: readonly string[]): boolean {
  const { length } = lines[0] ?? "";
  return (
    length > 50 && lines.filter((line) => line.length === length && !line.includes(".")).length > 0.8 * lines.length
  );
}

function looksLikeTable(lines: readonly string[]): boolean {
  const filled = lines.slice(0, 60).filter((line) => !isRule(line));
  const rows = filled.map((line) => (line.includes('"') ? line.replace(/"(?:[^"]|"")*"/g, "") : line));
  return ["\t", ",", ";", "|", "│"].some((delimiter) => {
    const usual = countOf(rows[0] ?? "", delimiter);
    if (usual < (delimiter === "\t" || isPair(rows) ? 1 : 2)) return false;
    return rows.filter((row) => countOf(row, delimiter) === usual).length / rows.length > 0.9;
  });
}

/** Two columns under their names, with no blank in any cell: prose has a comma in a line too. */
function isPair(rows: readonly string[]): boolean {
  return (
    rows.length > 20 && /^[A-Za-z_]\w*[,;][A-Za-z_]\w*$/.test(rows[0] ?? "") && rows.every((row) => !/\s/.test(row))
  );
}

function countOf(text: string, character: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) count++;
  return count;
}
