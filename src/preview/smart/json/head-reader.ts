import { decode, isContinuation } from "../../../bytes/utf8.ts";
import { copyText } from "../../lines/held-line.ts";
import { Place, PositionCounter } from "../../lines/position-counter.ts";
import type { Position } from "../analyzer.ts";

/** Where a member or an item stands, and its text from the key (if any) to the end of the scalar or the bracket. */
export interface Head {
  readonly text: string;
  readonly start: Position;
  /** UTF-16 units of the whole head. */
  readonly chars: number;
  /** True when it is known to be nothing but ASCII. */
  readonly ascii: boolean;
  /** Bytes of the head that `text` does not hold, since it was too long. */
  readonly cutBytes: number;
  /** The last characters of a head that was too long, and where they end. */
  readonly tail?: { readonly text: string; readonly end: Position } | undefined;
}

/** Where a head of nothing but ASCII stands in its block; without the blanks behind it. */
export interface HeadPlace {
  from: number;
  to: number;
  chars: number;
}

const MAX_HEAD_BYTES = 2048;
const TAIL_BYTES = 256;
const MAX_OWNED = 512;
const NOTHING = new Uint8Array(0);

/**
 * Takes heads out of blocks, with their exact places. A head may begin in one block and end in a later one. Blocks
 * are decoded once, and heads are slices of them, made when they are asked for.
 */
export class HeadReader implements HeadPlace {
  from = 0;
  to = 0;
  chars = 0;
  /**
   * What the head is when its place does not tell: it is not ASCII, has escapes in its key, is too long, or
   * began in an earlier block.
   */
  head: Head | undefined;
  /** Where its key ends in the block, at the closing quote; -1 when it has none. */
  keyEnd = -1;
  block: Uint8Array = NOTHING;
  text = "";
  readonly #counter = new PositionCounter();
  /** What earlier blocks held of the open head: its beginning, and its last bytes. */
  readonly #carry = new Uint8Array(MAX_HEAD_BYTES);
  readonly #last = new Uint8Array(TAIL_BYTES);
  #carried = 0;
  #ascii = true;
  /** False when the block begins inside a character; its text does not tell then what heads hold. */
  #whole = true;
  #unitsBefore = 0;
  #open = false;
  /** Where the open head begins, once its place in a block no longer tells. */
  #start: Position | undefined;
  /** A copy of a part of the block. */
  #owned = "";
  #ownedFrom = 0;
  #ownedTo = -1;

  /** Goes on at another place, the first of a line. */
  moveTo(start: Position): void {
    this.#counter.moveTo(start);
  }

  /** Goes on to the next block. */
  load(block: Uint8Array): void {
    this.block = block;
    this.text = decode(block);
    // One unit a byte and none replaced: nothing but ASCII.
    this.#ascii = this.text.length === block.length && !this.text.includes("\ufffd");
    this.#counter.load(block, this.#ascii ? this.text : undefined);
    this.#whole = this.#ascii || !this.#counter.open;
    this.#unitsBefore = this.#counter.units;
    this.from = 0;
    this.#ownedTo = -1;
  }

  /** Keeps what the block holds of an open head. */
  leave(): void {
    const { length } = this.block;
    if (this.#open) {
      this.#start ??= this.#counter.positionAt(this.from);
      this.#carryTo(length);
    }
    this.#counter.countTo(length);
  }

  /** A head begins at this byte of the block. */
  begin(at: number): void {
    this.from = at;
    this.#start = this.#ascii ? undefined : this.#counter.positionAt(at);
    this.#carried = 0;
    this.#open = true;
  }

  /** The open head ends before this byte of the block, and its key at `keyEnd`; `escaped` when that has escapes. */
  take(end: number, keyEnd: number, escaped: boolean): void {
    this.#open = false;
    this.keyEnd = keyEnd;
    if (this.#ascii && !escaped && this.#carried === 0 && end - this.from <= MAX_HEAD_BYTES) {
      this.head = undefined;
      this.chars = end - this.from;
      this.to = end;
      while (this.to > this.from && (this.block[this.to - 1] as number) <= 32) this.to--;
    } else {
      const start = this.#start ?? this.#counter.positionAt(this.from);
      this.chars = this.#counter.positionAt(end).char - start.char;
      this.head = this.#read(start, end);
    }
  }

  /** The head at a place in this block. */
  headAt({ from, to, chars }: HeadPlace): Head {
    const owned = from >= this.#ownedFrom && to <= this.#ownedTo;
    const text = owned
      ? this.#owned.slice(from - this.#ownedFrom, to - this.#ownedFrom)
      : copyText(this.text.slice(from, to));
    const counter = this.#counter;
    counter.countTo(from);
    return new PlainHead(text, counter.line, counter.byte, counter.units, counter.inLine, chars);
  }

  /** Copies what heads in this part of the block will share, if it is short: of a long one a few might keep all. */
  own(from: number, to: number): void {
    if (to - from > MAX_OWNED) return;
    this.#owned = copyText(this.text.slice(from, to));
    this.#ownedFrom = from;
    this.#ownedTo = to;
  }

  #read(start: Position, end: number): Head {
    const { chars } = this;
    if (this.#whole && this.#carried === 0 && end - this.from <= MAX_HEAD_BYTES) {
      const from = start.char - this.#unitsBefore;
      return new PlacedHead(copyText(this.text.slice(from, from + chars)).trimEnd(), start, chars, 0, undefined);
    }
    this.#carryTo(end);
    const text = decode(this.#carry.subarray(0, Math.min(this.#carried, MAX_HEAD_BYTES)));
    const cutBytes = Math.max(0, this.#carried - MAX_HEAD_BYTES);
    this.#carried = 0;
    if (cutBytes === 0) return new PlacedHead(text.trimEnd(), start, chars, 0, undefined);
    return new PlacedHead(text.replace(/\ufffd+$/, ""), start, chars, cutBytes, this.#tail(end, cutBytes));
  }

  /** The last characters of a head that was cut, as far as they stand in one line. */
  #tail(end: number, cutBytes: number): Head["tail"] {
    this.#counter.countTo(end);
    let from = Math.max(0, TAIL_BYTES - Math.min(cutBytes, this.#counter.byte - this.#counter.lineStart - 1));
    while (from < TAIL_BYTES && isContinuation(this.#last[from])) from++;
    const text = decode(this.#last.subarray(from));
    return text === "" || text.includes("\ufffd") ? undefined : { text, end: this.#counter.position() };
  }

  #carryTo(end: number): void {
    const part = this.block.subarray(this.from, end);
    if (this.#carried < MAX_HEAD_BYTES) {
      this.#carry.set(part.subarray(0, MAX_HEAD_BYTES - this.#carried), this.#carried);
    }
    this.#carried += part.length;
    if (part.length >= TAIL_BYTES) {
      this.#last.set(part.subarray(part.length - TAIL_BYTES));
    } else {
      this.#last.copyWithin(0, part.length);
      this.#last.set(part, TAIL_BYTES - part.length);
    }
  }
}

/** A head that is held whole; most are, and so their places are plain numbers. */
class PlainHead implements Head {
  readonly text: string;
  readonly chars: number;
  readonly #line: number;
  readonly #byte: number;
  readonly #char: number;
  readonly #inLine: boolean;

  constructor(text: string, line: number, byte: number, char: number, inLine: boolean, chars: number) {
    this.text = text;
    this.chars = chars;
    this.#line = line;
    this.#byte = byte;
    this.#char = char;
    this.#inLine = inLine;
  }

  get start(): Position {
    return new Place(this.#line, this.#byte, this.#char, this.#inLine);
  }

  get ascii(): boolean {
    return true;
  }

  get cutBytes(): number {
    return 0;
  }

  get tail(): undefined {
    return undefined;
  }
}

class PlacedHead implements Head {
  readonly text: string;
  readonly start: Position;
  readonly chars: number;
  readonly cutBytes: number;
  readonly tail: Head["tail"];

  get ascii(): boolean {
    return false;
  }

  constructor(text: string, start: Position, chars: number, cutBytes: number, tail: Head["tail"]) {
    this.text = text;
    this.start = start;
    this.chars = chars;
    this.cutBytes = cutBytes;
    this.tail = tail;
  }
}
