import { formatPlural } from "../../omission.ts";
import { type Grammar, type LineRole, PLAIN_LINE } from "../items/item.ts";
import { readConfigLine } from "./config-line.ts";

const DEPTH_RANK = [0.88, 0.7, 0.5, 0.36, 0.24, 0.16];
const DEEP = 0.1;
/** Tables that repeat, as in lock files, are told by their first settings. */
const LABEL_PARTS = 3;
const PART_CHARS = 90;
const MOST_DEPTH = 40;
const COMMENT: LineRole = { opens: false, rank: 0.02 };

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
  /** Of a section that repeats, what tells it. */
  #parts: string[] = [];

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
        return { opens: false, rank: Math.max(DEEP, this.#rankOf(line.indent + 1) - 0.2) };
      case "boundary":
        if (!text.startsWith("---")) return PLAIN_LINE;
        this.#indents = [];
        return { opens: true, rank: 0.6, label: this.end() };
      case "comment":
        return COMMENT;
      default:
        this.#others++;
        return PLAIN_LINE;
    }
  }

  end(): string | undefined {
    const label = this.#parts.length > 1 ? this.#parts.join(" · ") : undefined;
    this.#parts = [];
    return label;
  }

  title(lines: number): string {
    const sections = this.#sections === 0 ? "" : `${formatPlural(this.#sections, "section")}, `;
    return `settings: ${sections}${formatPlural(this.#keys, "key")}, ${formatPlural(lines, "line")}`;
  }

  #openSection(text: string, name: string): LineRole {
    this.#sections++;
    const label = this.end();
    this.#parts = name.startsWith("[[") ? [part(text)] : [];
    this.#indents = [];
    this.#started = true;
    return { opens: true, rank: 0.88 - 0.06 * Math.min(4, name.split(".").length - 1), label };
  }

  #openKey(text: string, indent: number, opens: boolean): LineRole {
    this.#keys++;
    const below = this.#sections > 0 ? 1 : 0;
    while ((this.#indents.at(-1) ?? -1) >= indent) this.#indents.pop();
    const depth = this.#indents.length + below;
    if (this.#indents.length < MOST_DEPTH) this.#indents.push(indent);
    if (this.#parts.length > 0 && this.#parts.length < LABEL_PARTS) this.#parts.push(part(text.trim()));
    const rank = rankAt(depth) - (opens ? 0 : 0.05);
    const first = depth <= 1 && this.#sections === 0;
    const role = { opens: first || !this.#started, rank };
    this.#started = true;
    return role;
  }

  #rankOf(indent: number): number {
    let depth = 0;
    for (const outer of this.#indents) if (outer < indent) depth++;
    return rankAt(depth);
  }
}

function rankAt(depth: number): number {
  return depth < DEPTH_RANK.length ? (DEPTH_RANK[depth] as number) : DEEP;
}

function part(text: string): string {
  return text.length <= PART_CHARS ? text : text.slice(0, PART_CHARS).replace(/[\ud800-\udbff]$/, "");
}
