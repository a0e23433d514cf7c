import { decode, isContinuation } from "../../../bytes/utf8.ts";
import type { Position } from "../analyzer.ts";
import { copyText } from "../lines/held-line.ts";
import { PositionCounter } from "../lines/position-counter.ts";
import type { Head } from "./json-scanner.ts";

const MAX_HEAD_BYTES = 2048;
const TAIL_BYTES = 256;
const NOTHING = new Uint8Array(0);
const NOWHERE: Position = { line: 1, byte: 0, char: 0 };

/**
 * Takes heads out of blocks, with their exact places. A head may begin in one block and end in a later one. Blocks
 * are decoded once, and heads are slices of them.
 */
export class HeadReader {
  readonly #counter = new PositionCounter();
  /** What earlier blocks held of the open head: its beginning, and its last bytes. */
  readonly #carry = new Uint8Array(MAX_HEAD_BYTES);
  readonly #last = new Uint8Array(TAIL_BYTES);
  #carried = 0;
  #block: Uint8Array = NOTHING;
  #text = "";
  #ascii = true;
  /** False when the block begins inside a character; its text does not tell then what heads hold. */
  #whole = true;
  #unitsBefore = 0;
  /** Bytes of the block that the counter has taken, and the next newline in it. */
  #counted = 0;
  #newline = Number.POSITIVE_INFINITY;
  /** Where the open head begins in this block; -1 when none is open. */
  #from = -1;
  #start = NOWHERE;

  /** Goes on to the next block. */
  load(block: Uint8Array): void {
    this.#block = block;
    this.#text = decode(block);
    // One unit a byte and none replaced: nothing but ASCII.
    this.#ascii = this.#text.length === block.length && !this.#text.includes("\ufffd");
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
    this.#start = this.#counter.position();
    this.#from = at;
    this.#carried = 0;
  }

  /** The open head, which ends before this byte of the block. */
  take(end: number): Head {
    this.#countTo(end);
    const start = this.#start;
    const chars = this.#counter.units - start.char;
    if (this.#whole && this.#carried === 0 && end - this.#from <= MAX_HEAD_BYTES) {
      const from = start.char - this.#unitsBefore;
      const text = copyText(this.#text.slice(from, from + chars)).trimEnd();
      this.#from = -1;
      return { text, start, chars, cutBytes: 0 };
    }
    this.#carryTo(end);
    const text = decode(this.#carry.subarray(0, Math.min(this.#carried, MAX_HEAD_BYTES)));
    const cutBytes = Math.max(0, this.#carried - MAX_HEAD_BYTES);
    this.#from = -1;
    this.#carried = 0;
    if (cutBytes === 0) return { text: text.trimEnd(), start, chars, cutBytes };
    return { text: text.replace(/\ufffd+$/, ""), start, chars, cutBytes, tail: this.#tail(cutBytes) };
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
    const found = this.#text.indexOf("\n", from);
    this.#newline = found < 0 ? Number.POSITIVE_INFINITY : found;
  }
}
