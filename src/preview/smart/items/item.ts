import type { Tally } from "../../../query/relevance.ts";
import type { HeldLine } from "../../lines/line-drawing.ts";
import type { Report } from "../log/mere-words.ts";

/** What one line is within a text made of items: commits, sections, tables of settings, records. */
export interface LineRole {
  /** True when an item begins with this line. */
  readonly opens: boolean;
  /** From 0 for plain text to 1 for what tells most of the text; above that for what stands out in it. */
  readonly rank: number;
  /** True for a line that is no part of the text, even where it is the first. */
  readonly aside?: boolean;
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
  /** True when it wants to know what stands after a line. */
  readonly looksAhead?: boolean;
  /** Takes the next line, cleaned; `next` is the one after it for who looks ahead, undefined at the end. */
  read(text: string, next: string | undefined): LineRole;
  /** Ends the last item. */
  end(): void;
  /** One line that stands for the item that ended last; undefined when its own lines do. Asked only of items that are held. */
  label(): string | undefined;
  /** See `Analyzer`. */
  explains?(report: Report): boolean;
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
