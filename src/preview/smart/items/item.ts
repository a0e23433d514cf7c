import type { Tally } from "../../../query/relevance.ts";
import type { HeldLine } from "../lines/held-line.ts";

/** What one line is within a text made of items: commits, sections, tables of settings, records. */
export interface LineRole {
  /** True when an item begins with this line. */
  readonly opens: boolean;
  /** From 0 for plain text to 1 for what tells most of the text; above that for what stands out in it. */
  readonly rank: number;
  /** True for a line that is no part of the text, even where it is the first. */
  readonly aside?: boolean;
  /** One line that stands for the item before this one; undefined when its own lines do. */
  readonly label?: string | undefined;
}

/** A line that neither begins an item nor tells anything of the text. */
export const PLAIN_LINE: LineRole = { opens: false, rank: 0 };

/** Knows the lines of one shape. */
export interface Grammar {
  /** What one item is called, in the singular. */
  readonly noun: string;
  /** True when earlier items matter more. */
  readonly firstCounts: boolean;
  /** True once what was read can not be of this shape. */
  readonly wrong: boolean;
  /** Takes the next line, cleaned; `next` is the one after it, undefined at the end. */
  read(text: string, next: string | undefined): LineRole;
  /** The label of the last item. */
  end(): string | undefined;
  /** What the text is, with its counts. */
  title(lines: number): string;
}

/** A line of an item that can be shown. */
export interface ItemLine {
  readonly held: HeldLine;
  readonly rank: number;
  readonly tally: Tally | undefined;
  /** Blank lines right before it. */
  readonly blanks: number;
}

/** Lines that belong together. */
export interface Item {
  readonly index: number;
  readonly firstLine: number;
  readonly lastLine: number;
  readonly label: string | undefined;
  /** Those that may be shown, in order. */
  readonly lines: readonly ItemLine[];
  readonly tally: Tally | undefined;
  readonly rank: number;
}

/** One line, or the label of an item, that competes for room. */
export interface ItemCandidate {
  readonly item: Item;
  /** Undefined for the label. */
  readonly line: ItemLine | undefined;
  readonly value: number;
}
