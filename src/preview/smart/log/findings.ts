import { isDigit } from "../../../bytes/is-digit.ts";
import { HEADING } from "../../mark.ts";
import { formatCount, formatPlural } from "../../omission.ts";
import type { Room } from "../../pieces.ts";
import type { Candidate, Row } from "./row.ts";
import type { RowScanner } from "./row-scanner.ts";
import { bodyOf } from "./rules/classify.ts";

/** Rules whose lines hold a source location; a code in such a line is the linter rule that was broken. */
const DIAGNOSTICS: ReadonlySet<string> = new Set([
  "compiler error",
  "compiler warning",
  "linter error",
  "linter warning",
  "linter message",
  "message at a source line",
]);

/** How a message begins that names a code: `E501 …`, `error TS2339: …`, `lint/style/useConst …`, `SC2086 (info): …`. */
const CODE_FIRST =
  /^(?:(?:fatal |syntax )?(?:error|warning|note|info|style|refactor|convention)[:\s[]\s*)?[([]?([A-Z]{1,6}\d{2,6}(?:\/[a-z][a-z-]{1,40})?|lint\/[\w/]{3,80})(?=[\s:\])]|$)/;
/** `C: [Correctable] Style/StringLiterals: …` */
const COP_FIRST = /^(?:[A-Z]: +)?(?:\[\w+\] +)?([A-Z]\w+(?:\/[A-Z]\w+){1,3}): /;
/** How a message ends that names a rule: `… [no-untyped-def]`, `… (unused-import)`, `… [-Wunused]`. */
const BRACKETED = /^[[(](?:Error\/|Warning\/)?(-?[A-Za-z@][\w@/.=:+-]{2,80})[\])]$/;
/** The same behind two blanks, in a table of findings. */
const NAMED = /^[A-Za-z@][\w@/.-]{2,80}$/;

/** Identifies the linter rule in the line of a diagnostic; undefined if it names none. */
export function ruleOf(body: string, reason: string): string | undefined {
  if (!DIAGNOSTICS.has(reason)) return undefined;
  const place = PLACE_ALONE.exec(body)?.[0];
  const message = place === undefined ? (IN_FILE.exec(body)?.at(-1) ?? body) : body.slice(place.length).trimStart();
  // Templates replace all numbers by one sign.
  return nameOfRule(message)?.replace(/\d/g, (digit) => String.fromCharCode(0x61 + Number(digit)));
}

function nameOfRule(message: string): string | undefined {
  const first = (CODE_FIRST.exec(message) ?? COP_FIRST.exec(message))?.[1];
  if (first !== undefined) return first;
  const text = message.trimEnd();
  const at = text.lastIndexOf(" ");
  const last = text.slice(at + 1);
  return at > 0 && text[at - 1] === " " && NAMED.test(last) ? last : BRACKETED.exec(last)?.[1];
}

const SEVERITY =
  /^(?:(?:fatal |syntax |internal )?(?:error|warning|note|info|style|refactor|convention|hint|suggestion)\b|[CEFIRW]: |[✖✗×⚠ℹ]\s)/i;
/** What belongs to the finding before. */
const ASIDE = /^(?:note: |in (?:expansion|definition) of )/;
/** `src/a.py:3:1: …`, `src/a.ts(3,1): …`, `src/a.js: line 3, col 1, …`; the file, the column and the message. */
const IN_FILE =
  /^\s{0,8}(?:\[\w{1,8}\]\s+|[ew]: (?:file:\/\/)?)?((?:[A-Za-z]:(?=[\\/]))?[^\s:()[\]][^:(]{0,300}(?:\((?!\d)[^:(]{0,100}){0,3})(?::\d{1,7}(:\d{1,6})?|\(\d{1,7}(?:(,\d{1,6})){0,3}\)|: line \d{1,7}, col (\d{1,6}))(?:[:,]\s+|\s-\s|\s+)(\S.*)/;
/** What may be the name of a file: not a time, an address or a sentence. */
const FILE = /^(?:\S+|.*[/\\].*)$(?<=\.[A-Za-z]\w{0,9}|[/\\][^\s/\\]{1,200}|[Ff]ile)/;
/** `  12:5  error …`, ` 12 | ERROR | …`, `C: 12, 5: …`, `^-- SC2086 (info): …`: a place in a file that is named above. */
const PLACE_ALONE =
  /^(?:(?:ERROR|WARNING): \d{1,7}:\d{1,6}\s|\s{0,8}\d{1,7}:\d{1,6}(?:-\d{1,7}(?::\d{1,6})?)?\s|\s{0,8}\d{1,7}\s{1,4}\|\s+(?:ERROR|WARNING)\b|[A-Z]:\s{0,6}\d{1,7}[,:]\s{0,6}\d{1,6}: |\s{0,200}(?:\^-+\^?|\^-*)\s(?=[A-Z]{1,6}\d{2,6} \(\w+\): ))/;
/** ` --> src/a.rs:3:1` or `╭─[src/a.js:3:1]` under the message. */
const ARROW = /^\s{0,12}(?:-->\s|[╭┌]─+\s?\[?)\s?([^\s:][^:]{0,300}):\d{1,7}:\d{1,6}\]?\s*$/;
const ABOVE_ARROW =
  /^(?:(?:error|warning)(?:\[([\w:/-]+)\])?: |([A-Z]{1,6}\d{2,6}) |\s{1,4}[⚠×✖] (?:([\w-]+\([\w/-]+\)): )?)(.*)/;
const ROWS_ABOVE_ARROW = 3;
/** A row that holds nothing but the name of a file, with what linters put around it. */
const FILE_ALONE =
  /^(?:\s{0,2}(?:FILE: |== )?((?:[A-Za-z]:(?=[\\/]))?[^\s:|#][^:|]{0,300}\.\w{1,10})(?: ==)?|\s{0,2}((?:[A-Za-z]:)?[^\s:|#]{0,300}[/\\][^\s:|]{1,300})|\*{5,} Module (\S{1,300})|In (\S.{0,300}) line \d+:|\s{1,3}Line\s{2,}(\S{1,300}))\s*$/;
const TABLE_HEADING = /^\s{1,3}Line\s{2,}(\S{1,300})/;
/** Rows below such a heading, the rule that may stand below each, and the bars around both. */
const NUMBERED = /^\s{1,4}\d{1,7} {2,}(\S.*)/;
const TABLE_RULE = /^\s{1,12}🪪\s+([\w.@/-]{3,80})/u;
const TABLE_BAR = /^\s{0,3}-{3,} -{3,}/;
/** `src/a.ts:3:1 lint/style/useConst ━━━━`, and the messages below. */
const RULED_HEADING = /^[^\s:][^:]{0,300}:\d{1,7}:\d{1,6} .*━━━\s*$/;
const MARKED = /^\s{2}[×✖!ℹ] \S/;

const REACH_BYTES = 12_288;
const MOST_HEADINGS = 16_384;
const MOST_NAMES = 4096;
/** From so many findings on, a summary stands above them. */
const STORM = 100;
const SUMMARY_SHARE = 0.15;
const LEAST_SUMMARY_CHARS = 280;
const MOST_SUMMARY_CHARS = 1200;
const MESSAGE_CHARS = 50;

/** Counts the findings of linters and compilers by rule and by file, and knows the heading that names each one's file. */
export class Findings {
  #count = 0;
  readonly #rules = new Map<string, number>();
  readonly #files = new Map<string, number>();
  #headings: Row[] = [];
  /** Between these bytes headings were dropped. */
  #lostFrom = Infinity;
  #lostTo = 0;
  #file: string | undefined;
  #possible = true;
  /** The bars read so far of a table of findings, if one is being read, and the kind of its latest message. */
  #tableBars: number | undefined;
  #message: string | undefined;
  /** Rows that were read when a heading was looked for last. */
  #seen = 0;

  /** Takes the latest row of the scanner if it is a finding. Every row with a source location has to be given. */
  take(scanner: RowScanner): void {
    this.#possible = true;
    scanner.giveLatest(this);
    if (!this.#possible) return;
    const body = bodyOf(scanner.latestText());
    const place = PLACE_ALONE.exec(body);
    if (place !== null) {
      const file = this.#findFile(scanner);
      const message = body.slice(place[0].length).trimStart();
      if (file !== undefined) this.#add(file, nameOfRule(message) ?? messageKind(message));
      return;
    }
    const arrow = ARROW.exec(body);
    if (arrow !== null) {
      const message = messageAbove(scanner);
      if (message !== undefined) this.#add(arrow[1] as string, message);
      return;
    }
    const table = TABLE_HEADING.exec(body)?.[1];
    if (table !== undefined || RULED_HEADING.test(body)) this.#keep(scanner.row(0));
    if (table !== undefined) {
      this.endTable();
      this.#file = table;
      this.#tableBars = 0;
      return;
    }
    const found = findingIn(body);
    if (found !== undefined) this.#add(found.file, found.rule);
  }

  /** True while a table of findings is read; then every row has to be given to `takeTableRow`. */
  get inTable(): boolean {
    return this.#tableBars !== undefined;
  }

  takeTableRow(scanner: RowScanner): void {
    const body = bodyOf(scanner.latestText());
    const message = NUMBERED.exec(body)?.[1];
    const rule = TABLE_RULE.exec(body)?.[1];
    if (message !== undefined) {
      this.#addMessage();
      this.#message = messageKind(message);
    } else if (rule !== undefined && this.#message !== undefined) {
      this.#message = rule;
      this.#addMessage();
    } else if (body.trim() === "" || (TABLE_BAR.test(body) && ++(this.#tableBars as number) > 1)) this.endTable();
  }

  /** Counts the last finding of a table; to be called after the last row, too. */
  endTable(): void {
    this.#addMessage();
    this.#tableBars = undefined;
  }

  #addMessage(): void {
    if (this.#message !== undefined && this.#file !== undefined) this.#add(this.#file, this.#message);
    this.#message = undefined;
  }

  /** Rules out by their bytes most rows that hold a time or an address and no finding. */
  add(bytes: Uint8Array, start: number, end: number): void {
    this.#possible = mayBeFinding(bytes, start, end);
  }

  /** The candidates, each finding with the row that names its file; without those whose file is not known any more. */
  withHeadings(candidates: readonly Candidate[]): readonly Candidate[] {
    if (this.#headings.length === 0) return candidates;
    return candidates.flatMap((candidate) => {
      const { row } = candidate;
      const body = bodyOf(row.text);
      const below = NUMBERED.test(body) ? TABLE_HEADING : MARKED.test(body) ? RULED_HEADING : undefined;
      if (below === undefined && !PLACE_ALONE.test(body)) return [candidate];
      if (row.byte >= this.#lostFrom && row.byte < this.#lostTo) return [];
      const heading = this.#headings[this.#headingsBefore(row.byte) - 1];
      if (heading === undefined || below?.test(bodyOf(heading.text)) === false) return [candidate];
      return [{ ...candidate, heading }];
    });
  }

  /** Lines with the number of findings by rule and by file; none if there are few, or no room. */
  summary(room: Room): readonly string[] {
    if (this.#count < STORM || room.linesOnly === true) return [];
    const chars = Math.min(room.chars, room.bytes, room.tokens * 3);
    const most = Math.min(MOST_SUMMARY_CHARS, Math.max(LEAST_SUMMARY_CHARS, SUMMARY_SHARE * chars), chars / 2);
    const files = formatPlural(this.#files.size, "file");
    const more = this.#files.size < MOST_NAMES ? "" : "more than ";
    const title = `${HEADING}findings: ${formatCount(this.#count)} in ${more}${files}]`;
    const each = (most - title.length) / 2;
    const lists = [listCounts("by rule", this.#rules, each), listCounts("by file", this.#files, each)];
    return [title, ...lists.filter((line) => line !== "")].slice(0, room.lines / 2);
  }

  #add(file: string, rule: string): void {
    this.#count++;
    count(this.#rules, rule);
    count(this.#files, file);
  }

  /** The file named above the latest row. Looks through the rows since the last call, so that each is read once. */
  #findFile(scanner: RowScanner): string | undefined {
    const since = scanner.count - this.#seen;
    this.#seen = scanner.count;
    if (since === 1) return this.#file;
    const reach = Math.min(scanner.reach(REACH_BYTES), since) - 1;
    for (let ago = 1; ago <= reach; ago++) {
      const row = scanner.row(ago);
      const file = FILE_ALONE.exec(bodyOf(row.text))
        ?.slice(1)
        .find((name) => name !== undefined);
      if (file === undefined) continue;
      this.#file = file;
      this.#keep(row);
      return file;
    }
    if (reach < since - 1) this.#file = undefined;
    return this.#file;
  }

  #keep(row: Row): void {
    this.#headings.push(row);
    if (this.#headings.length <= MOST_HEADINGS) return;
    const half = MOST_HEADINGS / 2;
    const lost = this.#headings.splice(half, half / 2);
    this.#lostFrom = Math.min(this.#lostFrom, lost[0]?.byte ?? 0);
    this.#lostTo = this.#headings[half]?.byte ?? 0;
  }

  /** How many headings stand before a byte. */
  #headingsBefore(byte: number): number {
    let low = 0;
    let high = this.#headings.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#headings[middle] as Row).byte < byte) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const NEWLINE = 10;
const PARENTHESIS = 40;
const DOT = 46;
const COLON = 58;
const FIRST_BEYOND = 0x80;
const PLACE_BYTES = 1300;

/** False for a row that begins with an address or a word, if its first colon is followed by no line number. */
function mayBeFinding(bytes: Uint8Array, start: number, end: number): boolean {
  let last = end - 1;
  if (bytes[last] === NEWLINE) last--;
  if (last < start || (bytes[last] as number) >= FIRST_BEYOND) return true;
  let at = start;
  if (isDigit(bytes[at])) {
    while (isDigit(bytes[at])) at++;
    if (bytes[at] !== DOT) return true;
  } else if (!isSmallLetter(bytes[at]) || bytes[at + 1] === COLON) return true;
  for (const most = Math.min(last, start + PLACE_BYTES); at < most; at++) {
    if (bytes[at] === PARENTHESIS) return true;
    if (bytes[at] === COLON) return !isTimeOrName(bytes, at + 1);
  }
  return false;
}

/** True if what follows a colon is a time or more of a name, and no line number in digits or words. */
function isTimeOrName(bytes: Uint8Array, from: number): boolean {
  let at = from;
  while (isDigit(bytes[at])) at++;
  if (at === from) return bytes[at] !== 32;
  if (bytes[at] !== COLON) return false;
  const second = at + 1;
  for (at = second; isDigit(bytes[at]); ) at++;
  // A line and a column are followed by no third number.
  return at > second && bytes[at] === COLON && isDigit(bytes[at + 1]);
}

function isSmallLetter(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 97 && byte <= 122;
}

/** True for a line that only linters and compilers print. */
export function isFinding(line: string): boolean {
  const body = bodyOf(line);
  return PLACE_ALONE.test(body) || findingIn(body) !== undefined;
}

function findingIn(body: string): { readonly file: string; readonly rule: string } | undefined {
  const [, file = "", ...rest] = IN_FILE.exec(body) ?? [];
  const message = rest.at(-1) ?? "";
  if (!FILE.test(file)) return undefined;
  const rule = nameOfRule(message);
  const placed = rule !== undefined || rest.slice(0, -1).some((column) => column !== undefined);
  if (rule === undefined && ASIDE.test(message)) return undefined;
  return placed || SEVERITY.test(message) ? { file, rule: rule ?? messageKind(message) } : undefined;
}

/** A message without what it quotes and without numbers. */
function messageKind(message: string): string {
  const kind = message
    .replace(SEVERITY, "")
    .replace(/(["'`‘“]).*?["'`’”]/g, "_")
    .replace(/\d+/g, "N");
  return kind
    .replace(/^[\s:|-]+/, "")
    .slice(0, MESSAGE_CHARS)
    .trim();
}

function messageAbove(scanner: RowScanner): string | undefined {
  const reach = Math.min(scanner.reach(REACH_BYTES, ROWS_ABOVE_ARROW + 1) - 1, ROWS_ABOVE_ARROW);
  for (let ago = 1; ago <= reach; ago++) {
    const found = ABOVE_ARROW.exec(bodyOf(scanner.row(ago).text));
    if (found !== null) return found.slice(1, 4).find((code) => code !== undefined) ?? messageKind(found[4] as string);
  }
  return undefined;
}

/** What comes after the first few thousand names is counted in the total only. */
function count(counts: Map<string, number>, name: string): void {
  const known = counts.get(name);
  if (known !== undefined || counts.size < MOST_NAMES) counts.set(name, (known ?? 0) + 1);
}

/** The names with the highest counts that a line of so many characters holds; empty if it holds none. */
function listCounts(title: string, counts: ReadonlyMap<string, number>, chars: number): string {
  const ranked = [...counts].sort((a, b) => b[1] - a[1]);
  const start = `${HEADING}${title}: `;
  let line = start;
  for (const [index, [name, found]] of ranked.entries()) {
    const entry = `${index === 0 ? "" : ", "}${name} ${formatCount(found)}`;
    const rest = ranked.length - index - 1;
    if (line.length + entry.length + (rest > 0 ? 12 : 1) > chars)
      return index === 0 ? "" : `${line}, ${rest + 1} more]`;
    line += entry;
  }
  return `${line}]`;
}
