import { addTallies, type Tally } from "../../../query/relevance.ts";
import { copyText } from "../../lines/line-drawing.ts";
import type { LineSpan } from "../../lines/line-reader.ts";
import { ZERO } from "../zero.ts";
import type { Item, ItemLine } from "./item.ts";

/** What a line is said to take beside its text. */
const LINE_CHARS = 80;

/** The numbers of a line, and where each of them stands. */
const LINE = 0;
const BYTE = 1;
const CHAR = 2;
const BYTES = 3;
const CHARS = 4;
const FLAGS = 5;
const RANK = 6;
const BLANKS = 7;
const NUMBERS = 8;
const TERMINATED = 1;
const CUT = 2;

/** What an item is besides its lines. */
export type ItemFrame = Pick<Item, "index" | "lastLine" | "label">;

/** The item that is being read. Its lines are numbers until it is known to be held, which of a long text most are not. */
export class OpenItem {
  firstLine = 1;
  /** The words of the question in all of its lines. */
  tally: Tally | undefined;
  /** That of its most telling line. */
  rank = ZERO;
  /** What its lines take in memory, about. */
  chars = 0;
  #count = 0;
  /** Of the lines, those with a text of their own. */
  #owned = 0;
  #numbers = new Float64Array(64 * NUMBERS);
  readonly #texts: string[] = [];
  readonly #tallies: (Tally | undefined)[] = [];

  /** True when it has no line that may be shown. */
  get empty(): boolean {
    return this.rank === 0 && this.tally === undefined;
  }

  /** Adds a line after so many blank ones. Its text may share memory with the chunk until `own`. */
  add(text: string, span: Readonly<LineSpan>, rank: number, tally: Tally | undefined, blanks: number): void {
    if (rank > this.rank) this.rank = rank;
    if (tally !== undefined) this.tally = addTallies(this.tally, tally);
    const index = this.#count++;
    const at = index * NUMBERS;
    if (at === this.#numbers.length) this.#grow();
    const numbers = this.#numbers;
    numbers[at + LINE] = span.line;
    numbers[at + BYTE] = span.byte;
    numbers[at + CHAR] = span.char;
    numbers[at + BYTES] = span.bytes;
    numbers[at + CHARS] = span.chars;
    numbers[at + FLAGS] = (span.terminated ? TERMINATED : 0) | (span.cut ? CUT : 0);
    numbers[at + RANK] = rank;
    numbers[at + BLANKS] = blanks;
    this.#texts[index] = text;
    this.#tallies[index] = tally;
    this.chars += text.length + LINE_CHARS;
  }

  /** Gives the lines texts of their own: what they share of a chunk would keep all of it alive. */
  own(): void {
    for (; this.#owned < this.#count; this.#owned++) {
      this.#texts[this.#owned] = copyText(this.#texts[this.#owned] as string);
    }
  }

  /** Keeps what tells most of an item without end. */
  shorten(): void {
    const worths = Float64Array.from({ length: this.#count }, (_, index) => this.#worthOf(index));
    const least = worths.slice().sort()[(worths.length - 1) >> 1] as number;
    const telling = worths.some((worth) => worth > least);
    const half = this.#count >> 1;
    this.#keep((index) => (telling ? (worths[index] as number) > least : index < half));
  }

  /** The item with texts of its own; where nothing is asked of it, with its telling lines only. */
  close({ index, lastLine, label }: ItemFrame): Item {
    const lines: ItemLine[] = [];
    for (let line = 0; line < this.#count; line++) {
      if (this.tally !== undefined || (this.#numbers[line * NUMBERS + RANK] as number) > 0)
        lines.push(this.#lineAt(line));
    }
    const { firstLine, tally, rank } = this;
    return { index, firstLine, lastLine, label: label === undefined ? label : copyText(label), lines, tally, rank };
  }

  clear(): void {
    for (let index = 0; index < this.#count; index++) this.#texts[index] = "";
    this.#count = 0;
    this.#owned = 0;
    this.chars = 0;
    this.tally = undefined;
    this.rank = ZERO;
  }

  #grow(): void {
    const numbers = new Float64Array(2 * this.#numbers.length);
    numbers.set(this.#numbers);
    this.#numbers = numbers;
  }

  #keep(isKept: (index: number) => boolean): void {
    const count = this.#count;
    const numbers = this.#numbers;
    let kept = 0;
    this.chars = 0;
    for (let index = 0; index < count; index++) {
      const text = this.#texts[index] as string;
      this.#texts[index] = "";
      if (!isKept(index)) continue;
      numbers.copyWithin(kept * NUMBERS, index * NUMBERS, (index + 1) * NUMBERS);
      this.#tallies[kept] = this.#tallies[index];
      this.#texts[kept++] = text;
      this.chars += text.length + LINE_CHARS;
    }
    this.#count = kept;
    this.#owned = 0;
  }

  #worthOf(index: number): number {
    return (this.#numbers[index * NUMBERS + RANK] as number) + (this.#tallies[index] === undefined ? 0 : 1);
  }

  #lineAt(index: number): ItemLine {
    const numbers = this.#numbers;
    const at = index * NUMBERS;
    const flags = numbers[at + FLAGS] as number;
    const held = {
      text: copyText(this.#texts[index] as string),
      line: whole(numbers[at + LINE] as number),
      byte: whole(numbers[at + BYTE] as number),
      char: whole(numbers[at + CHAR] as number),
      bytes: whole(numbers[at + BYTES] as number),
      chars: whole(numbers[at + CHARS] as number),
      terminated: (flags & TERMINATED) !== 0,
      cut: (flags & CUT) !== 0,
    };
    const blanks = whole(numbers[at + BLANKS] as number);
    return { held, rank: numbers[at + RANK] as number, tally: this.#tallies[index], blanks };
  }
}

/**
 * The number as an engine keeps whole ones: an array of fractions gives them as fractions, and one of these would change
 * the form of all lines that are held, of any shape.
 */
function whole(number: number): number {
  return number <= 0x7fff_ffff ? number | 0 : number;
}
