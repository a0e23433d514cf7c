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
const FORMS: readonly HistoryForm[] = [
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

/** The form of a line that begins an entry; undefined for any other line. */
export function formOf(text: string): HistoryForm | undefined {
  return FORMS.find(({ start }) => start.test(text));
}

/** Reads the first line of an entry; undefined for any other line. */
export function readStart(text: string, { name, sign, start }: HistoryForm): EntryStart | undefined {
  // Nearly all lines below a commit are indented.
  if (name === "commits" && unitAt(text, 0) === BLANK && unitAt(text, 1) === BLANK) return undefined;
  return text.includes(sign) ? start.exec(text)?.groups : undefined;
}

const BLANK = 32;

/** A line that `--graph`, `--stat` or `--name-status` puts between entries. */
const BETWEEN = /^[*|\\/_ .-]*$|^[|* ]{0,12} ?\S.{0,300} \| +(?:\d+|Bin\b)|\d+ files? changed,|^[AMDRCT]\d{0,3}\t/;
const COMMIT_FIELD = /^[|* ]*(?:Author|AuthorDate|Date|Merge): /;
/** Fewer ids may rise by chance. */
const LEAST_RISING = 8;

/** The form that a history has, judged by its first lines; undefined for anything else. */
export function historyForm(lines: readonly string[]): HistoryForm | undefined {
  const first = lines.slice(0, 4);
  for (const form of FORMS) {
    const begins = (line: string): boolean => line.includes(form.sign) && form.start.test(line);
    if (form.name === "blame" || form.name === "oneline") {
      if (mostly(lines, form)) return form;
    } else if (
      first.some(begins) &&
      (form.name !== "commits" || lines.some((line) => COMMIT_FIELD.test(line))) &&
      (form.name !== "entries" || lines.filter(begins).length > 1)
    )
      return form;
  }
  return undefined;
}

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
