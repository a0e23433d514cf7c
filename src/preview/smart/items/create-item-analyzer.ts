import { Relevance, type Tally } from "../../../query/relevance.ts";
import { fillRoom, roomChars } from "../../lines/fill-room.ts";
import { copySpan, LineAnalyzer, type LineSpan, newSpan, shownText } from "../../lines/line-reader.ts";
import { Reservoir } from "../../lines/reservoir.ts";
import type { Analyzer, AnalyzerOptions, Room, Selection } from "../analyzer.ts";
import type { Report } from "../log/mere-words.ts";
import type { Grammar, Item } from "./item.ts";
import { OpenItem } from "./open-item.ts";
import { FIRST_ITEMS, rankItems } from "./rank-items.ts";
import { renderItems } from "./render-items.ts";

/** Lines of one item that may be held while it is read, in characters. */
const ITEM_CHARS = 32_768;
/** Lines at the start that say what this is, unless they are blank. */
const HEAD_LINES = 6;
const MOST_CHARS = 1_000_000;
const BLANK = 32;

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
  readonly #open = new OpenItem();
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
      worth: ({ index, rank, tally }) => this.#worth(index, rank, tally),
      place: (item) => item.firstLine,
      chars: charsOf,
    });
  }

  get wrongShape(): boolean {
    return this.#grammar.wrong || this.#last === 0;
  }

  get explains(): ((report: Report) => boolean) | undefined {
    return this.#grammar.explains?.bind(this.#grammar);
  }

  protected get weighed(): number {
    return this.#held.weighed;
  }

  override write(chunk: Uint8Array): void {
    this.#open.own();
    super.write(chunk);
  }

  protected take(raw: string, span: Readonly<LineSpan>): void {
    const text = shownText(raw, span);
    if (this.#grammar.looksAhead !== true) {
      this.#read(raw, text, span, undefined);
      return;
    }
    this.#readWaiting(text);
    this.#raw = raw;
    this.#text = text;
    copySpan(span, this.#span);
  }

  protected select(room: Room): Selection {
    this.#readWaiting(undefined);
    this.#grammar.end();
    this.#close(this.#last, true);
    const lineChars = Math.max(80, Math.min(400, Math.floor(roomChars(room) / 8)));
    const held = this.#held.items;
    const last = this.#lastItem;
    const items = last === undefined || held.at(-1)?.index === last.index ? held : [...held, last];
    const ranked = rankItems(items, this.#relevance, this.#grammar.firstCounts, this.#items);
    const title = this.#grammar.title(this.#last);
    return fillRoom(
      ranked,
      ({ line, item }) => {
        const chars = line === undefined ? (item.label?.length ?? 0) : line.held.chars;
        return { chars: Math.min(chars, lineChars) + 16, lines: 1 };
      },
      (chosen) =>
        renderItems(chosen, { title, noun: this.#grammar.noun, lineChars, lines: this.#last, items: this.#items }),
      room,
    );
  }

  /** For a grammar that looks ahead a line is read once the one after it is known, or that there is none. */
  #readWaiting(following: string | undefined): void {
    const raw = this.#raw;
    if (raw === undefined) return;
    this.#raw = undefined;
    this.#read(raw, this.#text, this.#span, following);
  }

  #read(raw: string, text: string, span: Readonly<LineSpan>, following: string | undefined): void {
    this.#last = span.line;
    if (isBlank(text)) {
      this.#grammar.read("", following);
      this.#blanks++;
      return;
    }
    const role = this.#grammar.read(text, following);
    const open = this.#open;
    if (role.opens) {
      this.#close(span.line - 1, false);
      open.firstLine = span.line - (this.#items === 0 ? this.#blanks : 0);
    }
    const headRank = role.aside !== true && this.#head < HEAD_LINES ? 0.98 - 0.01 * this.#head++ : 0;
    const rank = Math.max(role.rank, headRank);
    const tally = span.asked ? this.#relevance.tally(text) : undefined;
    const asked = !this.#relevance.empty && open.chars < ITEM_CHARS;
    if (rank > 0 || asked || tally !== undefined) open.add(raw, span, rank, tally, this.#blanks);
    this.#blanks = 0;
    if (open.chars > 2 * ITEM_CHARS) open.shorten();
  }

  #close(lastLine: number, isLast: boolean): void {
    const open = this.#open;
    if (!open.empty) {
      const { rank, tally } = open;
      const index = this.#items++;
      if (!this.#relevance.empty) this.#relevance.observe(tally);
      const admitted = this.#held.admits(this.#worth(index, rank, tally), open.firstLine);
      if (admitted || isLast) {
        const item = open.close({ index, lastLine, label: this.#grammar.label() });
        if (isLast) this.#lastItem = item;
        if (admitted) this.#held.add(item);
      }
    }
    open.clear();
  }

  #worth(index: number, rank: number, tally: Tally | undefined): number {
    const place = this.#grammar.firstCounts ? 10 / (10 + index) : index < FIRST_ITEMS ? 1 : 0;
    return rank + place + 4 * this.#relevance.score(tally);
  }
}

function isBlank(text: string): boolean {
  if (text === "") return true;
  // Few lines end with a blank.
  const last = text.charCodeAt(text.length - 1);
  return !(last > BLANK && last < 128) && text.trim() === "";
}

function charsOf({ lines, label }: Item): number {
  return lines.reduce((sum, { held }) => sum + held.text.length + 120, (label?.length ?? 0) + 120);
}
