import { unitAt } from "../../../bytes/unit-at.ts";

/** How a version control system writes its history down. */
export interface HistoryForm {
  readonly name: "commits" | "changesets" | "revisions" | "releases" | "entries" | "blame" | "oneline";
  /** The first line of an entry; its groups are an id and, where the line has them, an author and a date. */
  readonly start: RegExp;
  /** Stands in every such line: most outputs are no history, which is told by this before a pattern is compiled. */
  readonly sign: string;
}

/** What `--graph` draws before a line. */
const GRAPH = String.raw`(?:[*|\\/_ .-]*[*|\\/_.-] {1,3})?`;

/** The more telling first. */
export const HISTORY_FORMS: readonly HistoryForm[] = [
  { name: "commits", sign: "commit ", start: new RegExp(String.raw`^${GRAPH}commit (?<id>[0-9a-f]{7,64})\b`) },
  { name: "changesets", sign: "changeset: ", start: /^changeset: {1,6}(?<id>\d+:[0-9a-f]{6,40})/ },
  { name: "revisions", sign: " | ", start: /^(?<id>r\d+) \| (?<author>[^|]{1,80}) \| (?<date>[^|]{8,80})(?: \||$)/ },
  {
    name: "releases",
    sign: "urgency=",
    start: /^(?<id>[a-z0-9][a-z0-9+.-]+ \([^()\s]{1,80}\)) [\w. ~-]{1,60}; ?urgency=/,
  },
  {
    name: "entries",
    sign: " <",
    start: /^(?<date>\d{4}-\d\d-\d\d) {1,4}(?<author>\S.{0,80}?) {1,4}<[^<>\s]{1,80}>\s*$/,
  },
  {
    name: "blame",
    sign: "(",
    start:
      /^\^?(?<id>[0-9a-f]{7,64}) (?:\S{1,300} {1,40})?\((?:<?(?<author>.{1,80}?)>?) {1,40}(?<date>\d{4}-\d\d-\d\d) \d\d:\d\d:\d\d [+-]\d{4} {1,12}\d+\)/,
  },
  {
    name: "oneline",
    sign: "",
    start: new RegExp(
      String.raw`^${GRAPH}(?:(?<date>\d{4}-\d\d-\d\d)\S* (?:[\d:]{5,8} )?(?:[+-]\d{4} )?)?(?![0-9a-f]{32,64} [ *]\S+$)(?:[<([]?)(?<id>[0-9a-f]{7,40})(?=[\s|,;:)>\]]).{0,3}\S`,
    ),
  },
];

/** What the first line of an entry says. */
export interface EntryStart {
  readonly id?: string;
  readonly author?: string;
  readonly date?: string;
}

/** Reads the first line of an entry; undefined for any other line. */
export function readStart(text: string, { name, sign, start }: HistoryForm): EntryStart | undefined {
  if (name === "commits") return readCommit(text, start);
  if (name === "oneline") {
    const end = plainIdEnd(text);
    if (end > 0) return { id: text.slice(0, end) };
  }
  return text.includes(sign) ? start.exec(text)?.groups : undefined;
}

/** Nearly all lines of a log are told by what they begin with, without a pattern. */
function readCommit(text: string, start: RegExp): EntryStart | undefined {
  let at = 0;
  while (unitAt(text, at) === BLANK) at++;
  if (at === 0 && text.startsWith(COMMIT)) {
    COMMIT_ID.lastIndex = COMMIT.length;
    return COMMIT_ID.test(text) ? { id: text.slice(COMMIT.length, COMMIT_ID.lastIndex) } : undefined;
  }
  return DRAWN.includes(text.charAt(at)) ? start.exec(text)?.groups : undefined;
}

const COMMIT = "commit ";
const COMMIT_ID = /[0-9a-f]{7,64}\b/y;
/** What a graph is drawn with. */
const DRAWN = "*|\\/_.-";
const BLANK = 32;
const LEAST_ID = 7;
/** More digits may be a checksum of a file. */
const MOST_ID = 31;

/** Where the id ends that a line begins with and goes on after a blank, as most do; 0 for all that a pattern must tell. */
function plainIdEnd(text: string): number {
  let end = 0;
  while (end <= MOST_ID && isHex(unitAt(text, end))) end++;
  if (end < LEAST_ID || end > MOST_ID || unitAt(text, end) !== BLANK) return 0;
  const next = unitAt(text, end + 1);
  return next > BLANK && next < 127 ? end : 0;
}

function isHex(unit: number): boolean {
  return (unit >= 48 && unit <= 57) || (unit >= 97 && unit <= 102);
}

/** A line that `--graph`, `--stat` or `--name-status` puts between entries. */
export const BETWEEN =
  /^[*|\\/_ .-]*$|^[|* ]{0,12} ?\S.{0,300} \| +(?:\d+|Bin\b)|\d+ files? changed,|^[AMDRCT]\d{0,3}\t/;

/** The form that a history has, judged by its first lines; undefined for anything else. */
export function historyForm(lines: readonly string[]): HistoryForm | undefined {
  const first = lines.slice(0, 4);
  for (const form of HISTORY_FORMS.slice(0, 5)) {
    if (!first.some((line) => line.includes(form.sign) && form.start.test(line))) continue;
    if (form.name === "commits" && !lines.some((line) => /^[|* ]*(?:Author|AuthorDate|Date|Merge): /.test(line)))
      continue;
    if (form.name === "entries" && lines.filter((line) => form.start.test(line)).length < 2) continue;
    return form;
  }
  return HISTORY_FORMS.slice(5).find((form) => mostly(lines, form));
}

/** Fewer ids may rise by chance. */
const LEAST_RISING = 8;

function mostly(lines: readonly string[], { start, sign }: HistoryForm): boolean {
  let starts = 0;
  let others = 0;
  let rising = 0;
  let zeros = 0;
  let before = "";
  let letters = false;
  for (const line of lines) {
    const id = line.includes(sign) ? start.exec(line)?.groups?.id : undefined;
    if (id !== undefined) {
      starts++;
      letters ||= /[a-f]/.test(id) && /\d/.test(id);
      if (id > before) rising++;
      if (id.startsWith("000")) zeros++;
      before = id;
    } else if (!BETWEEN.test(line) && ++others > 0.1 * lines.length) return false;
  }
  // What rises from line to line, or begins with zeros, are addresses, as in a dump of bytes or a table of symbols.
  if ((rising === starts && starts >= LEAST_RISING) || zeros > 0.1 * starts) return false;
  return letters && starts >= 4 && starts >= 0.02 * lines.length;
}
