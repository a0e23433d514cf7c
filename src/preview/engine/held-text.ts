import { addTallies, type Relevance, type Tally } from "../../query/relevance.ts";
import { roomChars } from "../lines/fill-room.ts";
import { holdLine } from "../lines/held-line.ts";
import { type LineSpan, shownText } from "../lines/line-reader.ts";
import { Reservoir } from "../lines/reservoir.ts";
import type { Room } from "../pieces.ts";
import { declarationOf, FORM_CHARS, isFileHeading, kindOf } from "./line-kind.ts";
import { LineNumbers } from "./line-numbers.ts";
import type { TextLine } from "./text-line.ts";

const BLOCK_LINES = 24;
/** What a held line takes besides its text. */
const LINE_CHARS = 120;
const HELD_CHARS = 2_000_000;
/** Characters of a line in which words of the question are looked for. */
const TALLIED_CHARS = 2000;
const TAB_COLUMNS = 4;
/** One line of so many is asked what it declares. Source declares something now and then; what never does is something else. */
const SAMPLE_STEP = 8;
const UNDECLARED_LINES = 1500;
const DATA = /^(?:insert|create|alter|copy|drop|select)\b|^\(/i;

interface Block {
  readonly lines: readonly TextLine[];
  readonly tally: Tally | undefined;
  readonly chars: number;
}

/**
 * Lines of an output in bounded memory: all of them while they are few; then the first, the last, and of those between
 * the blocks that say most of what is asked.
 */
export class HeldText {
  readonly #relevance: Relevance;
  readonly #numbers = new LineNumbers();
  readonly #endChars: number;
  readonly #first: Block[] = [];
  #firstChars = 0;
  readonly #between: Reservoir<Block>;
  #last: Block[] = [];
  #lastChars = 0;
  #lines: TextLine[] = [];
  #tally: Tally | undefined;
  #chars = 0;
  #sampled = 0;
  #declared = 0;

  constructor(room: Room, relevance: Relevance) {
    const held = Math.max(HELD_CHARS, 8 * roomChars(room));
    this.#relevance = relevance;
    this.#endChars = held / 4;
    this.#between = new Reservoir({
      maxChars: held / 2,
      worth: ({ tally }) => relevance.score(tally),
      place: placeOf,
      chars: ({ chars }) => chars,
    });
  }

  /** True when what came so far declares too little to be source. A dump of a database is rows for the most part. */
  get undeclared(): boolean {
    return this.#sampled > UNDECLARED_LINES && this.#declared < this.#sampled / UNDECLARED_LINES;
  }

  /** Blocks weighed so far because memory ran short. */
  get weighed(): number {
    return this.#between.weighed;
  }

  add(raw: string, span: Readonly<LineSpan>): void {
    const held = holdLine(raw, span);
    const shown = shownText(held.text, span);
    if (isFileHeading(shown)) this.#numbers.restart();
    const numbered = this.#numbers.none ? 0 : this.#numbers.width(shown);
    const text = shown.slice(numbered).trim();
    if (span.line % SAMPLE_STEP === 0 && kindOf(text.slice(0, FORM_CHARS)) === "code") {
      this.#sampled++;
      if (DATA.test(text) || declarationOf(text.slice(0, FORM_CHARS), () => false) !== undefined) this.#declared++;
    }
    const tally = text === "" || !span.asked ? undefined : this.#relevance.tally(text.slice(0, TALLIED_CHARS));
    this.#relevance.observe(tally);
    const indent = text === "" ? -1 : columnsOf(shown, numbered);
    this.#lines.push({ held, text, indent, kind: "code", scope: undefined, tally });
    this.#tally = addTallies(this.#tally, tally);
    this.#chars += raw.length + LINE_CHARS;
    if (this.#lines.length === BLOCK_LINES) this.#endBlock();
  }

  /** All that is held, in order. */
  finish(): TextLine[] {
    if (this.#lines.length > 0) this.#endBlock();
    const between = [...this.#between.items].sort((a, b) => placeOf(a) - placeOf(b));
    return [this.#first, between, this.#last].flatMap((blocks) => blocks.flatMap(({ lines }) => lines));
  }

  #endBlock(): void {
    const block = { lines: this.#lines, tally: this.#tally, chars: this.#chars };
    this.#lines = [];
    this.#tally = undefined;
    this.#chars = 0;
    if (this.#firstChars < this.#endChars) {
      this.#first.push(block);
      this.#firstChars += block.chars;
      return;
    }
    this.#last.push(block);
    this.#lastChars += block.chars;
    if (this.#lastChars > 2 * this.#endChars) this.#moveOn();
  }

  /** The older half of the last blocks is no longer the end. */
  #moveOn(): void {
    const kept: Block[] = [];
    let chars = 0;
    for (const block of this.#last.toReversed()) {
      chars += block.chars;
      if (chars <= this.#endChars) kept.push(block);
      else if (!this.#relevance.empty && this.#between.admits(this.#relevance.score(block.tally), placeOf(block)))
        this.#between.add(block);
    }
    this.#last = kept.reverse();
    this.#lastChars = kept.reduce((sum, block) => sum + block.chars, 0);
  }
}

function placeOf({ lines }: Block): number {
  return lines[0]?.held.line ?? 0;
}

function columnsOf(text: string, from: number): number {
  let columns = 0;
  for (let at = from; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 9) columns += TAB_COLUMNS;
    else if (unit === 32) columns++;
    else break;
  }
  return columns;
}
