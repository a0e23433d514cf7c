import { addTallies, Relevance, type Tally } from "../../../query/relevance.ts";
import { fillRoom, roomChars } from "../../lines/fill-room.ts";
import { copyText, type HeldLine } from "../../lines/line-drawing.ts";
import { copySpan, LineAnalyzer, type LineSpan, newSpan, shownText } from "../../lines/line-reader.ts";
import { Reservoir } from "../../lines/reservoir.ts";
import type { Analyzer, AnalyzerOptions, Room, Selection } from "../analyzer.ts";
import { drawItems, FIRST_ITEMS, rankItems } from "./rank-items.ts";

/** What one line is within a text made of items: commits, sections, entries. */
export interface LineRole {
  /** True when an item begins with this line. */
  readonly opens?: boolean;
  /** From 0 for plain text to 1 for what tells most of the text; below 0 for what is shown last. */
  readonly rank: number;
  /** True for a line that is no part of the text, even where it is the first. */
  readonly aside?: boolean;
}

/** A line that neither begins an item nor tells anything of the text. */
export const PLAIN_LINE: LineRole = { rank: 0 };

/** The lines of one shape: what each is, and what the whole is called. */
export interface Grammar {
  /** What one item is called, in the singular. */
  readonly noun: string;
  /** True when earlier items matter more. */
  readonly firstCounts?: boolean;
  /** True once what was read can not be of this shape. */
  readonly wrong: boolean;
  /** Takes the next line, cleaned, or "" for a blank one; `next` is the line after it, undefined at the end. */
  read(text: string, next: string | undefined): LineRole;
  /** One line that stands for an item, asked after the last line; undefined when the item's own lines do. */
  label?(item: Item): string | undefined;
  /** True for a line that stands out, by what is known after the last line. */
  standsOut?(text: string): boolean;
  /** True for a line that names its item, though it is not the first. */
  names?(text: string): boolean;
  /** What the text is, with its counts. */
  title(lines: number): string;
}

/** A line of an item that can be shown. */
export interface ItemLine extends HeldLine {
  readonly text: string;
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
  /** Those that may be shown, in order. */
  readonly lines: readonly ItemLine[];
  /** The words of the question in all of its lines. */
  readonly tally: Tally | undefined;
  /** That of its most telling line. */
  readonly rank: number;
}

/** Lines of one item that may be held while it is read, in characters. */
const ITEM_CHARS = 32_768;
/** Lines at the start that say what this is, unless they are blank. */
const HEAD_LINES = 6;
const MOST_CHARS = 1_000_000;
/** What a held line takes besides its text. */
const LINE_CHARS = 100;

/** Reads a text made of items, as a grammar tells them: an outline of all, and whole what the question asks for. */
export function createItemAnalyzer(grammar: Grammar, options: AnalyzerOptions): Analyzer {
  return new ItemAnalyzer(grammar, options);
}

class ItemAnalyzer extends LineAnalyzer {
  readonly #grammar: Grammar;
  readonly #relevance: Relevance;
  readonly #held: Reservoir<Item>;
  /** The line before the one that is being taken, as it came and as it is shown. */
  #raw: string | undefined;
  #text = "";
  readonly #span = newSpan();
  /** The item that is being read. */
  #lines: ItemLine[] = [];
  #chars = 0;
  #tally: Tally | undefined;
  #rank = 0;
  #firstLine = 1;
  /** Of its lines, those with a text of their own. */
  #owned = 0;
  #items = 0;
  /** Shown even where it is not held, since it tells how far the text reaches. */
  #lastItem: Item | undefined;
  #last = 0;
  #blanks = 0;
  #head = 0;

  constructor(grammar: Grammar, { room, query }: AnalyzerOptions) {
    const relevance = new Relevance(query);
    super(relevance);
    this.#grammar = grammar;
    this.#relevance = relevance;
    this.#held = new Reservoir({
      maxChars: Math.max(MOST_CHARS, 8 * roomChars(room)),
      worth: (item) => this.#worth(item.index, item.rank, item.tally),
      place: (item) => item.firstLine,
      chars: ({ lines }) => lines.reduce((sum, { text }) => sum + text.length + LINE_CHARS, LINE_CHARS),
    });
  }

  get wrongShape(): boolean {
    return this.#grammar.wrong || this.#last === 0;
  }

  protected get weighed(): number {
    return this.#held.weighed;
  }

  /** Before another chunk the lines get texts of their own: what they share of this one would keep all of it alive. */
  override write(chunk: Uint8Array): void {
    for (; this.#owned < this.#lines.length; this.#owned++) {
      const line = this.#lines[this.#owned] as ItemLine;
      this.#lines[this.#owned] = { ...line, text: copyText(line.text) };
    }
    super.write(chunk);
  }

  protected take(raw: string, span: Readonly<LineSpan>): void {
    const text = shownText(raw, span).trimEnd();
    this.#readWaiting(text);
    this.#raw = raw;
    this.#text = text;
    copySpan(span, this.#span);
  }

  protected select(room: Room): Selection {
    this.#readWaiting(undefined);
    this.#close(this.#last, true);
    const grammar = this.#grammar;
    const held = this.#held.items;
    const last = this.#lastItem;
    const items = last === undefined || held.at(-1)?.index === last.index ? held : [...held, last];
    const lineChars = Math.max(80, Math.min(400, Math.floor(roomChars(room) / 8)));
    const frame = { title: grammar.title(this.#last), noun: grammar.noun, lineChars, lines: this.#last };
    return fillRoom(
      rankItems(items, this.#relevance, grammar, this.#items),
      ({ line, label }) => ({ chars: Math.min(line.chars, label?.length ?? lineChars, lineChars) + 16, lines: 1 }),
      (chosen) => drawItems(chosen, { ...frame, items: this.#items }),
      room,
    );
  }

  /** A line is read once the one after it is known, or that there is none. */
  #readWaiting(next: string | undefined): void {
    const raw = this.#raw;
    if (raw === undefined) return;
    this.#raw = undefined;
    const text = this.#text;
    const span = this.#span;
    this.#last = span.line;
    const role = this.#grammar.read(text, next);
    if (text === "") {
      this.#blanks++;
      return;
    }
    if (role.opens === true) {
      this.#close(span.line - 1, false);
      this.#firstLine = span.line - (this.#items === 0 ? this.#blanks : 0);
    }
    const head = role.aside !== true && this.#head < HEAD_LINES ? 0.98 - 0.01 * this.#head++ : -1;
    this.#add(raw, span, Math.max(role.rank, head));
    this.#blanks = 0;
  }

  #add(text: string, span: Readonly<LineSpan>, rank: number): void {
    const tally = span.asked ? this.#relevance.tally(text) : undefined;
    const { line, byte, char, bytes, chars, terminated, cut } = span;
    const blanks = this.#blanks;
    this.#lines.push({ text, line, byte, char, bytes, chars, terminated, cut, rank, tally, blanks });
    this.#chars += text.length + LINE_CHARS;
    if (tally !== undefined) this.#tally = addTallies(this.#tally, tally);
    if (rank > this.#rank) this.#rank = rank;
    if (this.#chars > 2 * ITEM_CHARS) this.#shorten();
  }

  /** Keeps what tells most of an item without end. */
  #shorten(): void {
    const worth = ({ rank, tally }: ItemLine): number => rank + (tally === undefined ? 0 : 1);
    const worths = Float64Array.from(this.#lines, worth).sort();
    const least = worths[(worths.length - 1) >> 1] as number;
    const better = this.#lines.filter((line) => worth(line) > least);
    this.#lines = better.length > 0 ? better : this.#lines.slice(0, this.#lines.length >> 1);
    this.#chars = this.#lines.reduce((sum, { text }) => sum + text.length + LINE_CHARS, 0);
    this.#owned = 0;
  }

  #close(lastLine: number, isLast: boolean): void {
    const lines = this.#lines;
    if (lines.length > 0) {
      const tally = this.#tally;
      const rank = this.#rank;
      const firstLine = this.#firstLine;
      const index = this.#items++;
      if (!this.#relevance.empty) this.#relevance.observe(tally);
      const admitted = this.#held.admits(this.#worth(index, rank, tally), firstLine);
      if (admitted || isLast) {
        for (let at = this.#owned; at < lines.length; at++) {
          const line = lines[at] as ItemLine;
          lines[at] = { ...line, text: copyText(line.text) };
        }
        const item = { index, firstLine, lastLine, lines, tally, rank };
        if (isLast) this.#lastItem = item;
        if (admitted) this.#held.add(item);
      }
    }
    this.#lines = [];
    this.#chars = 0;
    this.#owned = 0;
    this.#tally = undefined;
    this.#rank = 0;
  }

  #worth(index: number, rank: number, tally: Tally | undefined): number {
    const place = this.#grammar.firstCounts === true ? 10 / (10 + index) : index < FIRST_ITEMS ? 1 : 0;
    return rank + place + 4 * this.#relevance.score(tally);
  }
}
