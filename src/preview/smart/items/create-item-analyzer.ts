import { addTallies, Relevance, type Tally } from "../../../query/relevance.ts";
import type { Analyzer, AnalyzerOptions, Room, Selection } from "../analyzer.ts";
import { fillRoom, roomChars } from "../lines/fill-room.ts";
import { copyHeld, copyText, lineAt } from "../lines/held-line.ts";
import { LineAnalyzer } from "../lines/line-analyzer.ts";
import { copySpan, type LineSpan, newSpan, shownText } from "../lines/line-reader.ts";
import { Reservoir } from "../lines/reservoir.ts";
import type { Report } from "../log/mere-words.ts";
import type { Grammar, Item, ItemLine } from "./item.ts";
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
  #lines: ItemLine[] = [];
  #chars = 0;
  #tally: Tally | undefined;
  #rank = 0;
  #firstLine = 1;
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
      worth: (item) => this.#worth(item),
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
    // What an item that goes on holds of a chunk would keep all of it alive.
    if (this.#lines.length > 0) this.#lines = this.#lines.map(ownLine);
    super.write(chunk);
  }

  protected take(raw: string, span: Readonly<LineSpan>): void {
    const text = shownText(raw, span);
    this.#readWaiting(text);
    this.#raw = raw;
    this.#text = text;
    copySpan(span, this.#span);
  }

  protected select(room: Room): Selection {
    this.#readWaiting(undefined);
    this.#close(this.#grammar.end(), this.#last);
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

  /** A line is read once the one after it is known, or that there is none. */
  #readWaiting(following: string | undefined): void {
    const raw = this.#raw;
    if (raw === undefined) return;
    this.#raw = undefined;
    const text = this.#text;
    const span = this.#span;
    this.#last = span.line;
    if (isBlank(text)) {
      this.#grammar.read("", following);
      this.#blanks++;
      return;
    }
    const role = this.#grammar.read(text, following);
    if (role.opens) {
      this.#close(role.label, span.line - 1);
      this.#firstLine = span.line - (this.#items === 0 ? this.#blanks : 0);
    }
    const headRank = role.aside !== true && this.#head < HEAD_LINES ? 0.98 - 0.01 * this.#head++ : 0;
    const rank = Math.max(role.rank, headRank);
    const tally = span.asked ? this.#relevance.tally(text) : undefined;
    this.#tally = addTallies(this.#tally, tally);
    this.#rank = Math.max(this.#rank, rank);
    const asked = !this.#relevance.empty && this.#chars < ITEM_CHARS;
    if (rank > 0 || asked || tally !== undefined) {
      this.#lines.push({ held: lineAt(raw, span), rank, tally, blanks: this.#blanks });
      this.#chars += raw.length + 80;
    }
    this.#blanks = 0;
    if (this.#chars > 2 * ITEM_CHARS) this.#shorten();
  }

  /** An item without end keeps what tells most of it. */
  #shorten(): void {
    const worths = Float64Array.from(this.#lines, worthOf).sort();
    const least = worths[(worths.length - 1) >> 1] as number;
    const kept = this.#lines.filter((line) => worthOf(line) > least);
    this.#lines = kept.length > 0 ? kept : this.#lines.slice(0, this.#lines.length >> 1);
    this.#chars = this.#lines.reduce((sum, { held }) => sum + held.text.length + 80, 0);
  }

  #close(label: string | undefined, lastLine: number): void {
    const lines = this.#tally === undefined ? this.#lines.filter(({ rank }) => rank > 0) : this.#lines;
    if (lines.length > 0) {
      const item: Item = {
        index: this.#items,
        firstLine: this.#firstLine,
        lastLine,
        label,
        lines,
        tally: this.#tally,
        rank: this.#rank,
      };
      if (!this.#relevance.empty) this.#relevance.observe(this.#tally);
      this.#lastItem = item;
      if (this.#held.admits(this.#worth(item), item.firstLine)) this.#held.add(ownItem(item));
      this.#items++;
    }
    this.#lines = [];
    this.#chars = 0;
    this.#tally = undefined;
    this.#rank = 0;
  }

  #worth({ index, rank, tally }: Item): number {
    const place = this.#grammar.firstCounts ? 10 / (10 + index) : index < FIRST_ITEMS ? 1 : 0;
    return rank + place + 4 * this.#relevance.score(tally);
  }
}

/** A line that keeps nothing else of the output alive. */
function ownLine({ held, rank, tally, blanks }: ItemLine): ItemLine {
  return { held: copyHeld(held), rank, tally, blanks };
}

function ownItem({ index, firstLine, lastLine, label, lines, tally, rank }: Item): Item {
  const own = label === undefined ? undefined : copyText(label);
  return { index, firstLine, lastLine, label: own, lines: lines.map(ownLine), tally, rank };
}

function isBlank(text: string): boolean {
  let at = 0;
  while (text.charCodeAt(at) === BLANK) at++;
  const first = text.charCodeAt(at);
  return !(first > BLANK && first < 128) && text.trim() === "";
}

function worthOf({ rank, tally }: ItemLine): number {
  return rank + (tally === undefined ? 0 : 1);
}

function charsOf({ lines, label }: Item): number {
  return lines.reduce((sum, { held }) => sum + held.text.length + 120, (label?.length ?? 0) + 120);
}
