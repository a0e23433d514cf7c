import { formatPlural } from "../../omission.ts";
import { DEPTH_RANKS } from "../items/depth-rank.ts";
import { type Grammar, type LineRole, PLAIN_LINE } from "../items/item.ts";
import { readConfigLine } from "./config-line.ts";

/** Tables that repeat, as in lock files, are told by their first settings. */
const LABEL_PARTS = 3;
const PART_CHARS = 90;
const MOST_DEPTH = 40;
const NONE: readonly string[] = [];
const COMMENT: LineRole = { opens: false, rank: 0.02 };
const BOUNDARY: LineRole = { opens: true, rank: 0.6 };
/** Of a section by how many names it is made of. */
const SECTIONS: readonly LineRole[] = [0, 1, 2, 3, 4].map((points) => ({ opens: true, rank: 0.88 - 0.06 * points }));
/** Of a key by its depth: one with a value, one that others stand under, and the same where they begin an item. */
const KEYS: readonly LineRole[] = DEPTH_RANKS.flatMap((rank) =>
  [false, true].flatMap((opens) => [0.05, 0].map((less) => ({ opens, rank: rank - less }))),
);
const LEAST_RANK = 0.1;
const ELEMENTS: readonly LineRole[] = DEPTH_RANKS.map((rank) => ({
  opens: false,
  rank: Math.max(LEAST_RANK, rank - 0.2),
}));

/** Reads files of settings: sections and keys, the outer ones first. */
export class ConfigGrammar implements Grammar {
  readonly firstCounts = false;
  #keys = 0;
  #sections = 0;
  #lines = 0;
  #others = 0;
  #started = false;
  /** Indentations of the keys that the current one stands under. */
  #indents: number[] = [];
  /** Of a section that repeats, what tells it; and the same of the one that ended last. */
  #parts: string[] = [];
  #ended: readonly string[] = NONE;

  get noun(): string {
    return this.#sections > 0 ? "section" : "key";
  }

  get wrong(): boolean {
    return this.#lines > 60 && this.#others > 0.4 * this.#lines;
  }

  read(text: string): LineRole {
    if (text === "") return PLAIN_LINE;
    this.#lines++;
    const line = readConfigLine(text);
    switch (line.kind) {
      case "section":
        return this.#openSection(text, line.name);
      case "key":
        return this.#openKey(text, line.indent, line.opens);
      case "element":
        return ELEMENTS[Math.min(this.#depthAt(line.indent + 1), DEPTH_RANKS.length - 1)] as LineRole;
      case "boundary":
        if (!text.startsWith("---")) return PLAIN_LINE;
        this.#indents = [];
        this.end();
        return BOUNDARY;
      case "comment":
        return COMMENT;
      default:
        this.#others++;
        return PLAIN_LINE;
    }
  }

  end(): void {
    this.#ended = this.#parts;
    this.#parts = [];
  }

  label(): string | undefined {
    return this.#ended.length > 1 ? this.#ended.join(" · ") : undefined;
  }

  title(lines: number): string {
    const sections = this.#sections === 0 ? "" : `${formatPlural(this.#sections, "section")}, `;
    return `settings: ${sections}${formatPlural(this.#keys, "key")}, ${formatPlural(lines, "line")}`;
  }

  #openSection(text: string, name: string): LineRole {
    this.#sections++;
    this.end();
    if (name.startsWith("[[")) this.#parts.push(part(text));
    this.#indents = [];
    this.#started = true;
    return SECTIONS[Math.min(name.split(".").length, SECTIONS.length) - 1] as LineRole;
  }

  #openKey(text: string, indent: number, opens: boolean): LineRole {
    this.#keys++;
    const below = this.#sections > 0 ? 1 : 0;
    while ((this.#indents.at(-1) ?? -1) >= indent) this.#indents.pop();
    const depth = this.#indents.length + below;
    if (this.#indents.length < MOST_DEPTH) this.#indents.push(indent);
    if (this.#parts.length > 0 && this.#parts.length < LABEL_PARTS) this.#parts.push(part(text.trim()));
    const first = (depth <= 1 && this.#sections === 0) || !this.#started;
    this.#started = true;
    return KEYS[4 * Math.min(depth, DEPTH_RANKS.length - 1) + (first ? 2 : 0) + (opens ? 1 : 0)] as LineRole;
  }

  /** How many of the keys that are open stand further out. */
  #depthAt(indent: number): number {
    let depth = 0;
    for (const outer of this.#indents) if (outer < indent) depth++;
    return depth;
  }
}

function part(text: string): string {
  return text.length <= PART_CHARS ? text : text.slice(0, PART_CHARS).replace(/[\ud800-\udbff]$/, "");
}
