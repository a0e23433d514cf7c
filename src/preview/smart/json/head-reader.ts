import { decode, isContinuation } from "../../../bytes/utf8.ts";
import { PositionCounter } from "../lines/position-counter.ts";
import type { Head, HeadView } from "./json-scanner.ts";

const MAX_HEAD_BYTES = 2048;
const TAIL_BYTES = 256;
const NOTHING = new Uint8Array(0);
const BYTE_ORDER_MARK = 0xfeff;

/**
 * Takes heads out of blocks, with their exact places. A head may begin in one block and end in a later one. Blocks
 * are decoded once, and heads are slices of them; of most heads not even that is made.
 */
export class HeadReader implements HeadView {
  /** The block as text. */
  blockText = "";
  text = "";
  apart = false;
  from = 0;
  to = 0;
  cutBytes = 0;
  tail: Head["tail"];
  chars = 0;
  line = 1;
  byte = 0;
  char = 0;
  inLine = false;
  readonly #counter = new PositionCounter();
  /** What earlier blocks held of the open head: its beginning, and its last bytes. */
  readonly #carry = new Uint8Array(MAX_HEAD_BYTES);
  readonly #last = new Uint8Array(TAIL_BYTES);
  #carried = 0;
  #block: Uint8Array = NOTHING;
  #ascii = true;
  /** False when the block begins inside a character; its text does not tell then what heads hold. */
  #whole = true;
  #unitsBefore = 0;
  /** Bytes of the block that the counter has taken, and the next newline in it. */
  #counted = 0;
  #newline = Number.POSITIVE_INFINITY;
  /** Where the open head begins in this block; -1 when none is open. */
  #from = -1;

  /** Goes on to the next block. */
  load(block: Uint8Array): void {
    this.#block = block;
    this.blockText = decode(block);
    // One unit a byte and none replaced: nothing but ASCII.
    this.#ascii = this.blockText.length === block.length && !this.blockText.includes("\ufffd");
    this.#counted = 0;
    this.#whole = this.#ascii || !this.#counter.open;
    this.#unitsBefore = this.#counter.units;
    if (this.#ascii && block.length > 0) {
      this.#counter.takeAscii(0);
      this.#findNewline(0);
    }
    if (this.#from >= 0) this.#from = 0;
  }

  /** Keeps what the block holds of an open head. */
  leave(): void {
    const { length } = this.#block;
    this.#countTo(length);
    if (this.#from >= 0) this.#carryTo(length);
  }

  /** A head begins at this byte of the block. */
  begin(at: number): void {
    this.#countTo(at);
    this.line = this.#counter.line;
    this.byte = this.#counter.byte;
    this.char = this.#counter.units;
    this.inLine = this.byte > this.#counter.lineStart;
    this.#from = at;
    this.#carried = 0;
  }

  /** The open head ends before this byte of the block. */
  close(end: number): void {
    this.#countTo(end);
    this.chars = this.#counter.units - this.char;
    this.cutBytes = 0;
    this.tail = undefined;
    if (this.#whole && this.#carried === 0 && end - this.#from <= MAX_HEAD_BYTES) {
      this.text = this.blockText;
      this.apart = false;
      this.from = this.char - this.#unitsBefore;
      this.to = this.from + this.chars;
      while (this.to > this.from && isBlank(this.text.charCodeAt(this.to - 1))) this.to--;
    } else this.#closeCarried(end);
    this.#from = -1;
    this.#carried = 0;
  }

  #closeCarried(end: number): void {
    this.#carryTo(end);
    const text = decode(this.#carry.subarray(0, Math.min(this.#carried, MAX_HEAD_BYTES)));
    this.cutBytes = Math.max(0, this.#carried - MAX_HEAD_BYTES);
    if (this.cutBytes > 0) this.tail = this.#tail(this.cutBytes);
    this.text = this.cutBytes === 0 ? text.trimEnd() : text.replace(/\ufffd+$/, "");
    this.apart = true;
    this.from = 0;
    this.to = this.text.length;
  }

  /** The last characters of a head that was cut, as far as they stand in one line. */
  #tail(cutBytes: number): Head["tail"] {
    let from = Math.max(0, TAIL_BYTES - Math.min(cutBytes, this.#counter.byte - this.#counter.lineStart - 1));
    while (from < TAIL_BYTES && isContinuation(this.#last[from])) from++;
    const text = decode(this.#last.subarray(from));
    return text === "" || text.includes("\ufffd") ? undefined : { text, end: this.#counter.position() };
  }

  #carryTo(end: number): void {
    const part = this.#block.subarray(this.#from, end);
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

  #countTo(at: number): void {
    if (this.#ascii) {
      while (this.#newline < at) {
        this.#counter.takeAscii(this.#newline - this.#counted);
        this.#counter.take(10);
        this.#counted = this.#newline + 1;
        this.#findNewline(this.#counted);
      }
      this.#counter.takeAscii(at - this.#counted);
    } else {
      for (let index = this.#counted; index < at; index++) this.#counter.take(this.#block[index] as number);
    }
    this.#counted = at;
  }

  #findNewline(from: number): void {
    const found = this.blockText.indexOf("\n", from);
    this.#newline = found < 0 ? Number.POSITIVE_INFINITY : found;
  }
}

/** What may stand between a string and what ends it. */
function isBlank(unit: number): boolean {
  return unit <= 32 || unit === BYTE_ORDER_MARK;
}
