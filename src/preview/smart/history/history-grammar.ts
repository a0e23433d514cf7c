import { unitAt } from "../../../bytes/unit-at.ts";
import { copyText } from "../../lines/line-drawing.ts";
import { formatCount, formatPlural } from "../../omission.ts";
import { type Grammar, type LineRole, PLAIN_LINE } from "../items/item.ts";
import { commitDate } from "./commit-date.ts";
import { HISTORY_FORMS, type HistoryForm, readStart } from "./history-forms.ts";

const FIELDS: readonly string[] = ["Author", "AuthorDate", "Date", "user", "date", "summary"];
const OTHER_FIELD =
  /^[|* ]*(?:Merge|Commit|CommitDate|Reflog|Reflog message|tag|branch|parent|phase|tree|encoding|committer|parents?):? /;
const STAT = /(\d+) files? changed(?:, (\d+) insertions?\(\+\))?(?:, (\d+) deletions?\(-\))?/;
const SIGNED = /^ -- (.{1,80}?) <[^>]*> {1,2}(.*)$/;
const FIELD_BEGINS = "ADuds";
const OTHER_BEGINS = "MCRtbpec";
const ID_CHARS = 12;
const BLANK = 32;
const STAR = 42;
const DASH = 45;
const BAR = 124;
const ENTRY: LineRole = { opens: true, rank: 0.5 };
const TOLD_ENTRY: LineRole = { opens: true, rank: 1 };
const DECLARED: LineRole = { opens: true, rank: 0.9 };
const SUBJECT: LineRole = { opens: false, rank: 1 };
const MOST_NAMES = 5000;
const DECLARATION =
  /\)\s+(?:export |public |static |async )*(?:class|def|function|func|fn|interface|struct|impl|module|type) /;

/** Reads histories: `git log` in its forms, blame, Subversion, Mercurial, Debian's and GNU's changelogs. */
export class HistoryGrammar implements Grammar {
  readonly firstCounts = true;
  #form: HistoryForm | undefined;
  #entries = 0;
  #lines = 0;
  #earliest: string | undefined;
  #latest: string | undefined;
  readonly #authors = new Set<string>();
  readonly #ids = new Set<string>();
  #entry = new Entry("");
  /** The one before it. */
  #ended: Entry | undefined;

  get noun(): string {
    return this.#form?.name === "releases" ? "release" : this.#form?.name === "blame" ? "line" : "commit";
  }

  get wrong(): boolean {
    return this.#lines > 200 && this.#entries < this.#lines / 400;
  }

  read(text: string): LineRole {
    this.#lines++;
    if (text === "") return PLAIN_LINE;
    const form = this.#form ?? HISTORY_FORMS.find(({ start }) => start.test(text));
    const found = form === undefined ? undefined : readStart(text, form);
    if (found === undefined) return this.#inside(text);
    this.#form ??= form;
    this.end();
    this.#entries++;
    const { id = "", author = "", date = "" } = found;
    this.#entry = new Entry(id);
    this.#meet(author, date);
    if (form?.name === "blame") {
      if (this.#ids.size < MOST_NAMES && !this.#ids.has(id)) this.#ids.add(copyText(id));
      return DECLARATION.test(text) ? DECLARED : ENTRY;
    }
    if (form?.name !== "oneline") return ENTRY;
    if (date === "") this.#meet("", text);
    return TOLD_ENTRY;
  }

  end(): void {
    this.#ended = this.#entries === 0 ? undefined : this.#entry;
  }

  label(): string | undefined {
    const entry = this.#ended;
    if (entry === undefined || this.#form?.name === "oneline" || this.#form?.name === "blame") return undefined;
    const id = this.#form?.name === "commits" ? entry.id.slice(0, ID_CHARS) : entry.id;
    const head = [id, entry.date, entry.author].filter((part) => part !== "").join(" ");
    return `${head}: ${entry.subject}${entry.stat}`;
  }

  title(lines: number): string {
    const blame = this.#form?.name === "blame";
    const noun = this.noun;
    const entries = blame
      ? `blame: ${formatPlural(lines, "line")} of ${formatPlural(this.#ids.size, "commit")}`
      : `history: ${formatPlural(this.#entries, noun)}`;
    const dates = this.#earliest === undefined ? "" : `, ${this.#earliest} to ${this.#latest}`;
    const authors =
      this.#authors.size === 0
        ? ""
        : `, ${formatCount(this.#authors.size)} ${this.#authors.size === 1 ? "author" : "authors"}`;
    return entries + dates + authors;
  }

  #inside(text: string): LineRole {
    const entry = this.#entry;
    const untold = entry.subject === "";
    const said = untold ? saidAt(text) : 0;
    const field = untold && FIELD_BEGINS.includes(text.charAt(said)) ? fieldAt(text, said) : "";
    if (field !== "") {
      const value = text.slice(said + field.length + 1).trimStart();
      if (field === "Author" || field === "user") this.#meet(value.split("<", 1)[0] ?? "", "");
      else if (field === "summary") return this.#tell(value);
      else this.#meet("", value);
      return PLAIN_LINE;
    }
    const signed = unitAt(text, 1) === DASH ? SIGNED.exec(text) : null;
    if (signed !== null) this.#meet(signed[1] ?? "", signed[2] ?? "");
    const stat = text.includes("changed") ? STAT.exec(text) : null;
    if (stat !== null) {
      const [, files = "", added = "0", removed = "0"] = stat;
      entry.stat = ` (${files} ${files === "1" ? "file" : "files"}, +${added} −${removed})`;
      return PLAIN_LINE;
    }
    if (this.#entries === 0 || !untold) return PLAIN_LINE;
    if (OTHER_BEGINS.includes(text.charAt(said)) && OTHER_FIELD.test(text)) return PLAIN_LINE;
    const subject = text.slice(said).trim();
    return subject === "" || /^-{3,}$/.test(subject) ? PLAIN_LINE : this.#tell(subject);
  }

  #tell(subject: string): LineRole {
    this.#entry.subject = subject;
    return SUBJECT;
  }

  #meet(author: string, dated: string): void {
    const name = author.trim();
    if (name !== "") {
      this.#entry.author = name;
      if (this.#authors.size < MOST_NAMES && !this.#authors.has(name)) this.#authors.add(copyText(name));
    }
    const date = dated === "" ? undefined : commitDate(dated);
    if (date === undefined) {
      if (dated !== "" && this.#form?.name !== "oneline") this.#entry.date = dated.trim().slice(0, 30);
      return;
    }
    this.#entry.date = date;
    if (this.#earliest === undefined || date < this.#earliest) this.#earliest = date;
    if (this.#latest === undefined || date > this.#latest) this.#latest = date;
  }
}

/** What is known of one entry. */
class Entry {
  readonly id: string;
  author = "";
  date = "";
  subject = "";
  stat = "";

  constructor(id: string) {
    this.id = id;
  }
}

/** The field that a value is given to here; empty when there is none. */
function fieldAt(text: string, at: number): string {
  const colon = text.indexOf(":", at);
  if (colon < 0 || text.length === colon + 1 || text.charAt(colon + 1).trim() !== "") return "";
  const name = text.slice(at, colon);
  return FIELDS.includes(name) ? name : "";
}

/** Where a line begins after what `--graph` draws. */
function saidAt(text: string): number {
  let at = 0;
  for (let unit = unitAt(text, 0); unit === BLANK || unit === STAR || unit === BAR; unit = unitAt(text, at)) at++;
  return at;
}
