import { isContinuation } from "../../../bytes/utf8.ts";
import type { Position } from "../../pieces.ts";
import { type Automaton, CONTROL, WIDE } from "./automaton.ts";
import { CompiledFinder } from "./compiled-finder.ts";
import { eventKindOf } from "./event-kind.ts";
import { fingerprintOf, signatureOf } from "./fingerprint.ts";
import { PlainFinder } from "./plain-finder.ts";
import { isRed } from "./red.ts";
import type { Row } from "./row.ts";
import { CONTINUES, IN_LINE, RowHistory } from "./row-history.ts";
import { utf16Length } from "./utf16-length.ts";
import { FIND_BYTES, FLAG_SHIFT, POSITION_MASK, STATE_SHIFT, type WordFinder } from "./word-finder.ts";

/** Longest part of one line that is looked at as a whole; a longer line is read in segments of this size. */
export const SEGMENT_BYTES = 2048;

/** What the word that begins a colour code sets, alone; a row keeps it only when the colour is red. */
export const COLOR = 1 << 28;

/** Set for a row that ends in a lone E or F, the shortest form of a failed test. */
export const LETTER_STATUS = 0x8000_0000;

const BLOCK_BYTES = 65_536;

/** Is told of rows; the row itself is read with `scanner.row(ago)`. */
export interface RowListener {
  /** True while every row matters, not only those with a word. */
  readonly attentive: boolean;
  /** The latest row; `mask` holds the bits of the words in it. */
  onRow(mask: number): void;
}

/** Looks for more than the automaton's words, and is told of the rows that hold some of it. */
export interface AskedRows {
  /** True while every row matters. */
  readonly attentive: boolean;
  /** Whether what is looked for ends at `end`, where the automaton came to a state, in a row that ends at `rowEnd`. */
  check(state: number, bytes: Uint8Array, end: number, rowEnd: number): boolean;
  /** The latest row; `asked` when it holds something. */
  onRow(asked: boolean): void;
}

/** Two automata that take turns in one finder would be loaded again and again. */
export interface ScannerOptions {
  readonly finder?: WordFinder;
  readonly asked?: AskedRows | undefined;
}

/** Shared by all scanners without one of their own, since what it found is used at once. */
let shared: WordFinder | undefined;

function sharedFinder(): WordFinder {
  shared ??= createFinder();
  return shared;
}

/** By WebAssembly where there is some. */
export function createFinder(): WordFinder {
  return CompiledFinder.create() ?? new PlainFinder();
}

/**
 * Cuts bytes into rows and looks for the automaton's words, in one pass and constant memory. Rows are decoded only when
 * asked for; the latest of them stay readable within `historyBytes`.
 */
export class RowScanner {
  readonly #automaton: Automaton;
  readonly #historyBytes: number;
  readonly #buffer: Uint8Array;
  readonly #history: RowHistory;
  readonly #finder: WordFinder;
  readonly #asked: AskedRows | undefined;
  /** What a state of the automaton found, of the first bank. */
  readonly #masks: Uint32Array;
  #listener: RowListener | undefined;
  #filled = 0;
  /** Buffer index of the first byte not yet given as a row. */
  #rowStart = 0;
  /** Buffer index of the first byte that the finder looked through last. */
  #findStart = 0;
  /** Buffer index of the latest row. */
  #latestStart = 0;
  #line = 1;
  /** Bytes minus UTF-16 units before the current row. */
  #excess = 0;
  #inLine = false;
  #scanned = 0;

  constructor(automaton: Automaton, historyBytes: number, { finder, asked }: ScannerOptions = {}) {
    this.#automaton = automaton;
    this.#historyBytes = Math.max(16_384, historyBytes);
    this.#buffer = new Uint8Array(this.#historyBytes + BLOCK_BYTES + SEGMENT_BYTES);
    this.#history = new RowHistory(this.#buffer);
    this.#finder = finder ?? sharedFinder();
    this.#asked = asked;
    this.#masks = firstBankOf(automaton);
  }

  listen(listener: RowListener): void {
    this.#listener = listener;
  }

  /** Rows seen so far. */
  get count(): number {
    return this.#history.count;
  }

  /** Bytes looked at, decoded ones counted again. */
  get work(): number {
    return this.#scanned + this.#history.work;
  }

  write(chunk: Uint8Array): void {
    let taken = 0;
    while (taken < chunk.length) {
      const free = this.#buffer.length - this.#filled;
      const part = chunk.subarray(taken, taken + free);
      this.#buffer.set(part, this.#filled);
      this.#filled += part.length;
      taken += part.length;
      if (this.#filled === this.#buffer.length) {
        this.#scan(false);
        this.#shift();
      }
    }
  }

  end(): void {
    this.#scan(true);
  }

  /** Goes on with the line that begins at a later position, once all before has ended; no row before it is in reach. */
  skip({ line, byte, char, inLine }: Position): void {
    this.#filled = 0;
    this.#rowStart = 0;
    this.#latestStart = 0;
    this.#line = line;
    this.#excess = byte - char;
    this.#inLine = inLine === true;
    this.#history.restart(byte);
  }

  /** How many of the latest rows, `most` of them, can still be read, going back at most `bytes`. */
  reach(bytes: number, most?: number): number {
    return this.#history.reach(Math.min(bytes, this.#historyBytes), most);
  }

  /** Position of the row `ago` rows before the latest, 0 being the latest. */
  byteOf(ago: number): number {
    return this.#history.byteOf(ago);
  }

  /** Reads a row within reach. */
  row(ago: number): Row {
    return this.#history.row(ago);
  }

  /** The latest row's text; cheaper than the row. */
  latestText(): string {
    return this.#history.latestText();
  }

  /** Reads so many of the latest rows, all within reach, in order. */
  latest(rows: number): Row[] {
    return this.#history.latest(rows);
  }

  /** Identifies how the latest row begins, numbers aside. */
  signature(): number {
    return signatureOf(this.#buffer, this.#latestStart, this.#rowStart);
  }

  /** Identifies the kind of event that the latest row tells of. */
  eventKind(): number {
    return eventKindOf(this.#buffer, this.#latestStart, this.#rowStart);
  }

  /** Identifies the latest row and `mask`; of a number it tells only whether it is zero. */
  fingerprint(mask: number): number {
    return fingerprintOf(this.#buffer, this.#latestStart, this.#rowStart, mask);
  }

  #scan(last: boolean): void {
    const from = this.#rowStart;
    while (this.#rowStart < this.#filled && this.#scanBlock(last));
    this.#scanned += this.#rowStart - from;
  }

  /** Reads the rows of as many bytes as are looked through at once; false when what is left has not come whole. */
  #scanBlock(last: boolean): boolean {
    const from = this.#rowStart;
    const to = Math.min(this.#filled, from + FIND_BYTES);
    this.#finder.find(this.#buffer, from, to, this.#inLine, this.#automaton);
    this.#findStart = from;
    const { finds, count } = this.#finder;
    const { lineStart } = this.#automaton;
    let first = 0;
    for (let find = 0; find < count; find++) {
      const packed = finds[find] as number;
      const position = from + (packed & POSITION_MASK);
      while (position >= this.#rowStart + SEGMENT_BYTES) {
        this.#append(this.#boundary(this.#rowStart + SEGMENT_BYTES), false, first, find);
        first = find;
      }
      if (packed >>> STATE_SHIFT !== lineStart) continue;
      this.#append(position + 1, true, first, find);
      first = find + 1;
    }
    // Where a long line may be cut shows only once the byte after it has come.
    while (to > this.#rowStart + SEGMENT_BYTES) {
      this.#append(this.#boundary(this.#rowStart + SEGMENT_BYTES), false, first, count);
      first = count;
    }
    if (to < this.#filled) return true;
    if (last && this.#rowStart < to) this.#append(to, false, first, count);
    return false;
  }

  /** Ends the current row. What was found from `first` to before `last` is in it, and at most what stood before `last`. */
  #append(end: number, terminated: boolean, first: number, last: number): void {
    const start = this.#rowStart;
    const { finds } = this.#finder;
    const masks = this.#masks;
    const asked = this.#asked;
    let mask = 0;
    let holds = false;
    let passed = finds[last] as number;
    for (let find = first; find < last; find++) {
      const packed = finds[find] as number;
      passed |= packed;
      const state = packed >>> STATE_SHIFT;
      const words = masks[state] as number;
      const at = this.#findStart + (packed & POSITION_MASK) + 1;
      if (asked?.check(state, this.#buffer, at, end) === true) holds = true;
      if (words !== COLOR || isRed(this.#buffer, at, end)) mask |= words;
    }
    passed >>>= FLAG_SHIFT;
    if (terminated && end - start > 3) mask |= letterStatus(this.#buffer, end - 1);
    const kind = (passed & (CONTROL | WIDE)) | (terminated ? 0 : CONTINUES) | (this.#inLine ? IN_LINE : 0);
    this.#history.append(start, end - start, this.#line, this.#excess, kind);
    if ((passed & WIDE) !== 0) this.#excess += end - start - utf16Length(this.#buffer, start, end);
    this.#inLine = !terminated;
    this.#rowStart = end;
    this.#latestStart = start;
    const listener = this.#listener;
    if (listener !== undefined && (mask !== 0 || listener.attentive)) listener.onRow(mask);
    if (asked !== undefined && (holds || asked.attentive)) asked.onRow(holds);
    if (terminated) this.#line++;
  }

  /** The last place at or before `end` that does not stand inside a code point. */
  #boundary(end: number): number {
    let cut = end;
    const least = Math.max(end - 3, this.#rowStart + 1);
    while (cut > least && isContinuation(this.#buffer[cut])) cut--;
    return cut;
  }

  /** Moves what may still be asked for to the front. */
  #shift(): void {
    const keepFrom = Math.max(0, this.#rowStart - this.#historyBytes);
    this.#buffer.copyWithin(0, keepFrom, this.#filled);
    this.#history.base += keepFrom;
    this.#filled -= keepFrom;
    this.#rowStart -= keepFrom;
  }
}

function firstBankOf({ masks, banks }: Automaton): Uint32Array {
  return banks === 1
    ? masks
    : Uint32Array.from({ length: masks.length / banks }, (_, state) => masks[state * banks] as number);
}

function letterStatus(buffer: Uint8Array, newline: number): number {
  const at = buffer[newline - 1] === 13 ? newline - 2 : newline - 1;
  const letter = buffer[at];
  return (letter === 69 || letter === 70) && buffer[at - 1] === 32 ? LETTER_STATUS : 0;
}
