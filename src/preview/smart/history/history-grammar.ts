import { formatCount, formatPlural } from "../../omission.ts";
import { type Grammar, type LineRole, PLAIN_LINE } from "../items/item.ts";
import { copyText } from "../lines/held-line.ts";
import { commitDate } from "./commit-date.ts";
import { HISTORY_FORMS, type HistoryForm, readStart } from "./history-forms.ts";

const FIELD = /^[|* ]*(Author|AuthorDate|Date|user|date|summary):\s+(.*)$/;
const OTHER_FIELD =
  /^[|* ]*(?:Merge|Commit|CommitDate|Reflog|Reflog message|tag|branch|parent|phase|tree|encoding|committer|parents?):? /;
const STAT = /(\d+) files? changed(?:, (\d+) insertions?\(\+\))?(?:, (\d+) deletions?\(-\))?/;
const SIGNED = /^ -- (.{1,80}?) <[^>]*> {1,2}(.*)$/;
const ID_CHARS = 12;
const DASH = 45;
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
  #id = "";
  #author = "";
  #date = "";
  #subject = "";
  #stat = "";

  get noun(): string {
    return this.#form?.name === "releases" ? "release" : this.#form?.name === "blame" ? "line" : "commit";
  }

  get wrong(): boolean {
    return this.#lines > 200 && this.#entries < this.#lines / 400;
  }

  read(text: string): LineRole {
    this.#lines++;
    const form = this.#form ?? HISTORY_FORMS.find(({ start }) => start.test(text));
    const found = form === undefined ? undefined : readStart(text, form);
    if (found === undefined) return this.#inside(text);
    this.#form ??= form;
    const label = this.end();
    this.#entries++;
    const { id = "", author = "", date = "" } = found;
    this.#id = copyText(id);
    this.#author = "";
    this.#date = "";
    this.#subject = "";
    this.#stat = "";
    this.#meet(author, date);
    if (form?.name === "blame") {
      if (this.#ids.size < MOST_NAMES) this.#ids.add(this.#id);
      return { opens: true, rank: DECLARATION.test(text) ? 0.9 : 0.5, label };
    }
    if (form?.name === "oneline" && date === "") this.#meet("", text);
    return { opens: true, rank: form?.name === "oneline" ? 1 : 0.5, label };
  }

  end(): string | undefined {
    if (this.#entries === 0 || this.#form?.name === "oneline" || this.#form?.name === "blame") return undefined;
    const id = this.#form?.name === "commits" ? this.#id.slice(0, ID_CHARS) : this.#id;
    const head = [id, this.#date, this.#author].filter((part) => part !== "").join(" ");
    return `${head}: ${this.#subject}${this.#stat}`;
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
    const field = this.#subject === "" ? FIELD.exec(text) : null;
    if (field !== null) {
      const [, name = "", value = ""] = field;
      if (name === "Author" || name === "user") this.#meet(value.replace(/ ?<.*$/, ""), "");
      else if (name === "summary") return this.#tell(value);
      else this.#meet("", value);
      return PLAIN_LINE;
    }
    const signed = text.charCodeAt(1) === DASH ? SIGNED.exec(text) : null;
    if (signed !== null) this.#meet(signed[1] ?? "", signed[2] ?? "");
    const stat = text.includes(" changed") ? STAT.exec(text) : null;
    if (stat !== null) {
      const [, files = "", added = "0", removed = "0"] = stat;
      this.#stat = ` (${files} ${files === "1" ? "file" : "files"}, +${added} −${removed})`;
      return PLAIN_LINE;
    }
    if (this.#entries === 0 || this.#subject !== "" || OTHER_FIELD.test(text)) return PLAIN_LINE;
    const said = text.replace(/^[|* ]+/, "").trim();
    return said === "" || /^-{3,}$/.test(said) ? PLAIN_LINE : this.#tell(said);
  }

  #tell(subject: string): LineRole {
    this.#subject = copyText(subject);
    return { opens: false, rank: 1 };
  }

  #meet(author: string, dated: string): void {
    const name = author.trim();
    if (name !== "") {
      this.#author = copyText(name);
      if (this.#authors.size < MOST_NAMES) this.#authors.add(this.#author);
    }
    const date = dated === "" ? undefined : commitDate(dated);
    if (date === undefined) {
      if (dated !== "" && this.#form?.name !== "oneline") this.#date = copyText(dated.trim().slice(0, 30));
      return;
    }
    this.#date = date;
    if (this.#earliest === undefined || date < this.#earliest) this.#earliest = date;
    if (this.#latest === undefined || date > this.#latest) this.#latest = date;
  }
}
