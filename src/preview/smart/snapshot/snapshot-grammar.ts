import { formatPlural } from "../../omission.ts";
import type { Grammar, LineRole } from "../items/item.ts";
import { readSnapshotLine, type SnapshotLine } from "./snapshot-line.ts";

/** Roles with which something of its own begins. */
const PARTS = new Set(
  (
    "article banner complementary contentinfo dialog alertdialog figure form group heading list listitem main " +
    "menu navigation region row rowgroup search section table tabpanel toolbar tree treeitem RootWebArea document iframe Iframe"
  ).split(" "),
);
/** Those that are there many times, each with all that is in it. */
const UNITS = new Set("article listitem row treeitem".split(" "));
/** What a page wants to be noticed. */
const LOUD = new Set("alert alertdialog dialog status log".split(" "));
/** What can be done on a page. */
const ACTIONS = new Set(
  (
    "button checkbox combobox link menuitem menuitemcheckbox menuitemradio option radio searchbox slider spinbutton switch tab " +
    "textbox treeitem"
  ).split(" "),
);
/** Of things that differ only in their numbers, so many are shown before they count for little. */
const SHOWN_ALIKE = 3;
/** More kinds are not told apart. */
const MOST_KINDS = 20_000;
const TROUBLE = /\b(?:error|failed|failure|invalid|denied|expired|required|warning|unavailable|not found)\b/i;

/** Reads accessibility snapshots: roles and names, what a person would notice, and once what is there many times. */
export class SnapshotGrammar implements Grammar {
  readonly noun = "part";
  readonly firstCounts = false;
  readonly #seen = new Map<string, number>();
  #elements = 0;
  #lines = 0;
  /** The loudest element above, and how deep it is: what is in it is what it says. */
  #loud: { readonly depth: number } | undefined;
  /** How deep the unit begins that is being read. */
  #unit = Number.POSITIVE_INFINITY;
  /** How often parts like the one that is being read came before. */
  #alike = 0;

  get wrong(): boolean {
    return this.#lines > 400 && this.#elements < 0.5 * this.#lines;
  }

  read(text: string): LineRole {
    this.#lines++;
    const line = readSnapshotLine(text);
    if (!line) return { opens: false, rank: text.startsWith("#") ? 0.6 : 0.1 };
    this.#elements++;
    if (this.#loud && line.depth <= this.#loud.depth) this.#loud = undefined;
    if (LOUD.has(line.role)) this.#loud ??= { depth: line.depth };
    const alike = this.#count(line);
    if (line.depth <= this.#unit) this.#unit = Number.POSITIVE_INFINITY;
    const opens = PARTS.has(line.role) && line.depth < this.#unit;
    if (opens) this.#alike = alike;
    if (opens && UNITS.has(line.role)) this.#unit = line.depth;
    return { opens, rank: this.#rank(line, alike) };
  }

  end(): void {}

  label(): undefined {
    return undefined;
  }

  title(lines: number): string {
    return `snapshot of a page, ${formatPlural(this.#elements, "element")}, ${formatPlural(lines, "line")}`;
  }

  #rank(line: SnapshotLine, alike: number): number {
    if (line.role === "property") return 0.02;
    const worth = this.#worth(line);
    // What is new in a part that came before matters more than the part.
    const times = alike > 0 ? Math.max(alike, this.#alike - 1) : 0;
    if (times < SHOWN_ALIKE) return worth * (1 - 0.1 * times);
    // Of many alike, their headings are an outline of what there is.
    return (worth * (line.role === "heading" ? 0.3 : 0.08)) / (1 + Math.log2(times));
  }

  #worth({ role, name, state }: SnapshotLine): number {
    if (this.#loud) return name === "" ? 0.8 : 0.97;
    if (name !== "" && TROUBLE.test(name)) return 0.95;
    if (role === "heading") return 0.9;
    if (ACTIONS.has(role)) return (name === "" ? 0.5 : 0.75) + (state ? 0.1 : 0);
    if (PARTS.has(role)) return name === "" ? 0.35 : 0.65;
    return name === "" ? 0.05 : 0.4;
  }

  /** How often something like it came before: the same role, and the same name but for numbers. */
  #count({ role, name, depth }: SnapshotLine): number {
    const kind = name === "" ? `${role} ${depth}` : `${role} ${name.slice(0, 200).replaceAll(/\d+/g, "0")}`;
    const before = this.#seen.get(kind) ?? 0;
    if (before > 0 || this.#seen.size < MOST_KINDS) this.#seen.set(kind, before + 1);
    return before;
  }
}
