import type { Tally } from "../../../query/relevance.ts";
import { copyHeld, copyText, type HeldLine } from "../lines/held-line.ts";
import { dropFirst, SourcePage } from "./source-page.ts";
import type { LineKind } from "./source-parser.ts";
import type { SourceText } from "./source-text.ts";

/** A page that knows where its lines stand in the raw output, and what was found in them. */
export class PlacedPage extends SourcePage {
  /** The number of the first line. */
  line = 1;
  readonly kinds: LineKind[] = [];
  readonly tallies: (Tally | undefined)[] = [];
  /** 0 when a line is known to hold no word of the question. */
  readonly asked: Uint8Array;
  /** Where the line as it came is in its text: with its number, and whatever ends it but the newline. */
  readonly #rawStarts: Int32Array;
  readonly #rawEnds: Int32Array;
  readonly bytes: Float64Array;
  readonly chars: Float64Array;
  readonly #lengths: Int32Array;
  /** How many lines in a row, up to this one, stand in one text with a byte for each character. */
  readonly #runs: Int32Array;
  /** Lines that came by themselves. */
  readonly #apart: (HeldLine | undefined)[] = [];

  constructor(capacity: number) {
    super(capacity);
    this.asked = new Uint8Array(capacity);
    this.#rawStarts = new Int32Array(capacity);
    this.#rawEnds = new Int32Array(capacity);
    this.bytes = new Float64Array(capacity);
    this.chars = new Float64Array(capacity);
    this.#lengths = new Int32Array(capacity);
    this.#runs = new Int32Array(capacity);
  }

  /** Says of the line that was added last where it came from, a range of the same text. */
  place(rawStart: number, rawEnd: number, byte: number, char: number, bytes: number, asked: boolean): void {
    const index = this.count - 1;
    this.#rawStarts[index] = rawStart;
    this.#rawEnds[index] = rawEnd;
    this.bytes[index] = byte;
    this.chars[index] = char;
    this.#lengths[index] = bytes;
    this.#apart[index] = undefined;
    const before = index > 0 && this.texts[index] === this.texts[index - 1] ? (this.#runs[index - 1] as number) : 0;
    this.#runs[index] = bytes === rawEnd + 1 - rawStart ? before + 1 : 0;
    this.asked[index] = asked ? 1 : 0;
  }

  /** The same of any other line. */
  placeHeld(held: HeldLine, asked: boolean): void {
    this.place(0, held.text.length, held.byte, held.char, held.bytes, asked);
    this.#apart[this.count - 1] = held;
    this.#runs[this.count - 1] = 0;
  }

  /** How many characters are held with a line. */
  rawLength(index: number): number {
    return (this.#rawEnds[index] as number) - (this.#rawStarts[index] as number);
  }

  /** A line with a text of its own, so that nothing else of the output stays alive. */
  held(index: number): HeldLine {
    const apart = this.#apart[index];
    if (apart !== undefined) return copyHeld(apart);
    const from = this.#rawStarts[index] as number;
    const to = this.#rawEnds[index] as number;
    return {
      text: copyText((this.texts[index] as SourceText).text.slice(from, to)),
      line: this.line + index,
      byte: this.bytes[index] as number,
      char: this.chars[index] as number,
      bytes: this.#lengths[index] as number,
      chars: to - from + 1,
      terminated: true,
      cut: false,
    };
  }

  /** True for lines that can be told from their common text alone: where each stands, and what it reads. */
  isRun(from: number, to: number): boolean {
    return (this.#runs[to - 1] as number) >= to - from;
  }

  /** The common text of a run, with a newline between two lines. */
  runText(from: number, to: number): string {
    return copyText((this.texts[from] as SourceText).text.slice(this.#rawStarts[from], this.#rawEnds[to - 1]));
  }

  /** Drops the first lines. */
  override drop(count: number): void {
    const { bytes, chars, asked } = this;
    for (const column of [this.#rawStarts, this.#rawEnds, bytes, chars, this.#lengths, this.#runs, asked])
      column.copyWithin(0, count, this.count);
    dropFirst(this.kinds, count, this.count);
    dropFirst(this.tallies, count, this.count);
    dropFirst(this.#apart, count, this.count);
    this.line += count;
    super.drop(count);
  }
}
