import { copyText } from "../../lines/line-drawing.ts";
import { FolderCounts, renderFolders } from "../../lines/paths.ts";
import { formatCount, formatPlural } from "../../omission.ts";
import { type Grammar, type Item, type LineRole, PLAIN_LINE } from "../items/item-analyzer.ts";
import { type EntryStart, formOf, type HistoryForm, readStart } from "./history-forms.ts";

/** `Author: Ada <a@b.c>`, `date:  Mon Nov 16 17:00:00 2026 +0000`, behind what `--graph` draws. */
const FIELD = /^[|* ]*(Author|AuthorDate|Date|user|date|summary): +(.*)$/;
const OTHER_FIELD =
  /^[|* ]*(?:Merge|Commit|CommitDate|Reflog|Reflog message|tag|branch|parent|phase|tree|encoding|committer|parents?):? |^-{3,}$/;
const SIGNED = /^ -- (.{1,80}?) <[^>]*> {1,2}(.*)$/;
const STAT = /(\d+) files? changed(?:, (\d+) insertions?\(\+\))?(?:, (\d+) deletions?\(-\))?/;
const STAT_FILE = /^[|* ]*(\S.{0,300}?) +\| +(?:\d+ |Bin\b)|^[AMDRCT]\d{0,3}\t(\S.*)$/;
const MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
const ISO_DATE = /\b\d{4}-\d\d-\d\d\b/;
const MONTH_FIRST = /\b([A-Z][a-z]{2})[a-z]* {1,2}(\d{1,2}),? (?:[\d:]{5,8} )?(\d{4})\b/;
const DAY_FIRST = /\b(\d{1,2}) ([A-Z][a-z]{2})[a-z]* (\d{4})\b/;
const ID_CHARS = 12;
const DATE_CHARS = 30;
const MOST_NAMES = 5000;
const SHOWN_NAMES = 4;
const SHOWN_FOLDERS = 10;
const DECLARATION =
  /\)\s+(?:export |public |static |async )*(?:class|def|function|func|fn|interface|struct|impl|module|type) /;
const FIELD_LINE: LineRole = { rank: 0.01 };

/** What is known of one entry. */
interface Entry {
  readonly id: string;
  author: string;
  date: string;
  subject: string;
  stat: string;
}

/** Reads histories: `git log` in its forms, blame, Subversion, Mercurial, Debian's and GNU's changelogs. */
export class HistoryGrammar implements Grammar {
  readonly firstCounts = true;
  #form: HistoryForm | undefined;
  #entries = 0;
  #lines = 0;
  #earliest: string | undefined;
  #latest: string | undefined;
  readonly #authors = new Map<string, number>();
  readonly #ids = new Set<string>();
  readonly #folders = new FolderCounts();
  #subject = false;

  get noun(): string {
    return this.#form?.name === "releases" ? "release" : this.#form?.name === "blame" ? "line" : "commit";
  }

  get wrong(): boolean {
    return this.#lines > 200 && this.#entries < this.#lines / 400;
  }

  read(text: string): LineRole {
    this.#lines++;
    if (text === "") return PLAIN_LINE;
    const form = this.#form ?? formOf(text);
    const start = form === undefined ? undefined : readStart(text, form);
    if (form === undefined || start === undefined) return this.#readInside(text);
    this.#form = form;
    this.#entries++;
    this.#subject = false;
    this.#meet(start.author ?? "", start.date ?? "");
    if (form.name === "oneline") return { opens: true, rank: 1 };
    if (form.name !== "blame") return { opens: true, rank: 0.5 };
    const id = start.id ?? "";
    if (this.#ids.size < MOST_NAMES && !this.#ids.has(id)) this.#ids.add(copyText(id));
    return { opens: true, rank: DECLARATION.test(text) ? 0.9 : 0.5 };
  }

  /** Id, date, author, subject and counts of an entry, where these stand in lines of their own. */
  label({ lines }: Item): string | undefined {
    const form = this.#form;
    const [first] = lines;
    if (form === undefined || form.name === "oneline" || form.name === "blame" || first === undefined) return undefined;
    const start = readStart(first.text, form);
    if (start === undefined) return undefined;
    const { id, author, date, subject, stat } = readEntry(
      start,
      lines.slice(1).map(({ text }) => text),
    );
    const head = [form.name === "commits" ? id.slice(0, ID_CHARS) : id, date, author].filter((part) => part !== "");
    return `${head.join(" ")}: ${subject}${stat}`;
  }

  title(lines: number): string {
    const entries =
      this.#form?.name === "blame"
        ? `blame: ${formatPlural(lines, "line")} of ${formatPlural(this.#ids.size, "commit")}`
        : `history: ${formatPlural(this.#entries, this.noun)}`;
    const dates = this.#earliest === undefined ? "" : `, ${this.#earliest} to ${this.#latest}`;
    const folders = renderFolders(this.#folders.counts, new Map(), SHOWN_FOLDERS);
    return `${entries}${dates}${this.#renderAuthors()}${folders === undefined ? "" : `; files changed: ${folders}`}`;
  }

  /** The number of authors, and how much is by those who wrote most. */
  #renderAuthors(): string {
    const { size } = this.#authors;
    if (size === 0) return "";
    const most = [...this.#authors].sort((a, b) => b[1] - a[1]).slice(0, SHOWN_NAMES);
    const named = most.map(([name, count]) => `${name} ${formatCount(count)}`).join(", ");
    return `, ${formatCount(size)} ${size === 1 ? "author" : "authors"}: ${named}${size > most.length ? ", …" : ""}`;
  }

  #readInside(text: string): LineRole {
    if (this.#entries === 0) return PLAIN_LINE;
    if (!this.#subject) {
      const [, name, value = ""] = FIELD.exec(text) ?? [];
      if (name === "summary") return this.#readSubject();
      if (name !== undefined) {
        if (name === "Author" || name === "user") this.#meet(value, "");
        else this.#meet("", value);
        return FIELD_LINE;
      }
      if (!OTHER_FIELD.test(text) && text.trim() !== "" && text.search(/[^*|\s]/) >= 0) return this.#readSubject();
    }
    const signed = text.startsWith(" --") ? SIGNED.exec(text) : null;
    if (signed !== null) {
      this.#meet(signed[1] ?? "", signed[2] ?? "");
      return FIELD_LINE;
    }
    if (text.includes(" changed") && STAT.test(text)) return FIELD_LINE;
    const file = text.includes("|") || text.includes("\t") ? STAT_FILE.exec(text) : null;
    if (file !== null) this.#folders.add(file[1] ?? file[2] ?? "");
    return PLAIN_LINE;
  }

  #readSubject(): LineRole {
    this.#subject = true;
    return { rank: 1 };
  }

  #meet(author: string, dated: string): void {
    const name = nameOf(author);
    if (name !== "") {
      const known = this.#authors.get(name);
      if (known !== undefined) this.#authors.set(name, known + 1);
      else if (this.#authors.size < MOST_NAMES) this.#authors.set(copyText(name), 1);
    }
    const date = dated === "" ? undefined : dayOf(dated);
    if (date === undefined) return;
    if (this.#earliest === undefined || date < this.#earliest) this.#earliest = copyText(date);
    if (this.#latest === undefined || date > this.#latest) this.#latest = copyText(date);
  }
}

function readEntry({ id = "", author = "", date = "" }: EntryStart, lines: readonly string[]): Entry {
  const entry: Entry = {
    id,
    author: nameOf(author),
    date: date === "" ? "" : (dayOf(date) ?? date),
    subject: "",
    stat: "",
  };
  for (const text of lines) {
    const [, name, value = ""] = entry.subject === "" ? (FIELD.exec(text) ?? []) : [];
    const signed = SIGNED.exec(text);
    const stat = STAT.exec(text);
    if (name === "summary") entry.subject = value;
    else if (name === "Author" || name === "user") entry.author = nameOf(value);
    else if (name !== undefined) entry.date = dayOf(value) ?? value.trim().slice(0, DATE_CHARS);
    else if (signed !== null) {
      entry.author = nameOf(signed[1] ?? "");
      entry.date = dayOf(signed[2] ?? "") ?? entry.date;
    } else if (stat !== null) {
      const [, files = "", added = "0", removed = "0"] = stat;
      entry.stat = ` (${files} ${files === "1" ? "file" : "files"}, +${added} −${removed})`;
    } else if (entry.subject === "" && !OTHER_FIELD.test(text)) entry.subject = text.replace(/^[*|\s]+/, "").trim();
  }
  return entry;
}

function nameOf(author: string): string {
  return (author.split("<", 1)[0] ?? "").trim();
}

/** The day that a date names, as `2026-05-04`. */
function dayOf(text: string): string | undefined {
  const iso = ISO_DATE.exec(text);
  if (iso !== null) return iso[0];
  const monthFirst = MONTH_FIRST.exec(text);
  const [month = "", day = "", year = ""] = monthFirst?.slice(1) ?? [];
  if (monthFirst !== null && MONTHS.includes(month)) return joinDate(year, month, day);
  const dayFirst = DAY_FIRST.exec(text);
  return dayFirst === null ? undefined : joinDate(dayFirst[3], dayFirst[2], dayFirst[1]);
}

function joinDate(year = "", month = "", day = ""): string | undefined {
  const at = MONTHS.indexOf(month);
  return at < 0 ? undefined : `${year}-${String(at / 3 + 1).padStart(2, "0")}-${day.padStart(2, "0")}`;
}
