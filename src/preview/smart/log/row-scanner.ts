import { asciiEnd } from "../../../bytes/ascii.ts";
import { isContinuation } from "../../../bytes/utf8.ts";
import type { Position } from "../../pieces.ts";
import { eventKindOf } from "./event-kind.ts";
import { RowHash, SIGNATURE_BYTES } from "./fingerprint.ts";
import type { Row } from "./row.ts";
import { CONTINUES, IN_LINE, RowHistory, WIDE } from "./row-history.ts";
import { utf16Length } from "./utf16-length.ts";
import { findOffsets, findStates, LINE_START, RULE_BANKS, SEARCH_BYTES, type WordAutomaton } from "./word-automaton.ts";
import { ASKED, COLOR, LETTER_STATUS } from "./words.ts";

/** Longest part of one line that is looked at as a whole; a longer line is read in segments of this size. */
export const SEGMENT_BYTES = 2048;
const BLOCK_BYTES = 65_536;
const CARRIAGE_RETURN = 13;
const BLANK = 32;

/** Is told of rows; the row itself is read with `scanner.row(ago)`. */
export interface RowListener {
  /** The latest row; `mask` holds the bits of the words in it. True if the next row matters even without a word. */
  onRow(mask: number): boolean;
}

/** Is told of the rows that may hold a name of the question. */
export interface AskedRows {
  /** Whether the row holds one; `inLine` if the row continues a line, which then stands before it. */
  check(bytes: Uint8Array, start: number, end: number, inLine: boolean): boolean;
  /** The latest row; `asked` if it holds a name. True if the next row matters even without one. */
  onRow(asked: boolean): boolean;
}

/**
 * Cuts bytes into rows and looks for the automaton's words, in one pass and constant memory. Rows are decoded only when
 * asked for; the latest of them stay readable within `historyBytes`.
 */
export class RowScanner {
  readonly #automaton: WordAutomaton;
  readonly #historyBytes: number;
  readonly #buffer: Uint8Array;
  readonly #history: RowHistory;
  readonly #hash: RowHash;
  readonly #asked: AskedRows | undefined;
  #listener: RowListener | undefined;
  /** Whether the next row matters to the listener, and to `#asked`, whatever it holds. */
  #attentive = false;
  #askedAttentive = false;
  #filled = 0;
  /** Buffer index of the first byte not yet given as a row. */
  #rowStart = 0;
  /** The latest row: where it begins, the bits of its words, its first find and the one after its last. */
  #latestStart = 0;
  #mask = 0;
  #firstFind = 0;
  #endFind = 0;
  #line = 1;
  /** Bytes minus UTF-16 units before the current row. */
  #excess = 0;
  #inLine = false;
  /** Whether the latest row continues a line that began before it. */
  #latestInLine = false;
  /** Buffer index of the first byte of the block from the current row on that is not ASCII; the end of the block if there is none. */
  #wideAt = 0;
  #scanned = 0;
  readonly #rules = new Int32Array(RULE_BANKS);
  /** The fingerprint that was asked for last, and the count of rows then. */
  #fingerprint = 0;
  #fingerprintRow = -1;

  constructor(automaton: WordAutomaton, historyBytes: number, asked?: AskedRows) {
    this.#automaton = automaton;
    this.#historyBytes = Math.max(16_384, historyBytes);
    const size = this.#historyBytes + BLOCK_BYTES + SEGMENT_BYTES;
    // The hash reads four bytes at a time, also beyond the last.
    const memory = new Uint8Array(size + 4);
    this.#buffer = memory.subarray(0, size);
    this.#history = new RowHistory(this.#buffer);
    this.#hash = new RowHash(memory);
    this.#asked = asked;
  }

  /** Tells of each row from the next on that has a word, and of that one if the listener is `attentive`. */
  listen(listener: RowListener, attentive: boolean): void {
    this.#listener = listener;
    this.#attentive = attentive;
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

  /** Continues with the line that begins at a later position, once all before has ended; no row before it is in reach. */
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

  /** Bits of the rules that the latest row may match, `RULE_BANKS` numbers; undefined if its text is not what its bytes spell. */
  get foundRules(): Int32Array | undefined {
    if (this.#history.latestHasControls()) return undefined;
    const rules = this.#rules.fill(0);
    for (let find = this.#firstFind; find < this.#endFind; find++) {
      this.#automaton.addRules(findStates[find] as number, rules);
    }
    return rules;
  }

  /** Identifies the latest row's words and how it begins, numbers aside; only of a row with a mask. */
  get signature(): number {
    const end = Math.min(this.#rowStart, this.#latestStart + SIGNATURE_BYTES);
    this.#hash.read(this.#latestStart, end, this.#mask, false);
    return this.#hash.high;
  }

  /** Identifies the latest row and its words; of a number it tells only whether it is zero. Only of a row with a mask. */
  get fingerprint(): number {
    if (this.#fingerprintRow !== this.count) {
      this.#hash.read(this.#latestStart, this.#rowStart, this.#mask, true);
      this.#fingerprint = (this.#hash.high >>> 0) * 0x20_0000 + (this.#hash.low >>> 11);
      this.#fingerprintRow = this.count;
    }
    return this.#fingerprint;
  }

  /** Gives the bytes of the latest row to a reader, if a line begins with it. */
  giveLatest(reader: { add(bytes: Uint8Array, start: number, end: number): void }): void {
    if (!this.#latestInLine) reader.add(this.#buffer, this.#latestStart, this.#rowStart);
  }

  /** Identifies the kind of event that the latest row tells of. */
  eventKind(): number {
    return eventKindOf(this.#buffer, this.#latestStart, this.#rowStart);
  }

  #scan(last: boolean): void {
    const from = this.#rowStart;
    while (this.#rowStart < this.#filled && this.#scanBlock(last));
    this.#scanned += this.#rowStart - from;
  }

  /** Reads the rows of as many bytes as are searched at once; false if the rest is the beginning of a row. */
  #scanBlock(last: boolean): boolean {
    const from = this.#rowStart;
    const to = Math.min(this.#filled, from + SEARCH_BYTES);
    const count = this.#automaton.search(this.#buffer, from, to, this.#inLine);
    this.#wideAt = asciiEnd(this.#buffer, from, to);
    this.#endFind = 0;
    for (let find = 0; find < count; find++) {
      const position = from + (findOffsets[find] as number);
      this.#cutSegments(position, find, from, to);
      if (findStates[find] === LINE_START) this.#endRow(position + 1, true, find + 1, from, to);
    }
    // Where a long line may be cut shows only once the byte after it has come.
    this.#cutSegments(to - 1, count, from, to);
    if (last && to === this.#filled && this.#rowStart < to) this.#endRow(to, false, count, from, to);
    return to < this.#filled;
  }

  /** Cuts segments off a line that has come up to a position. */
  #cutSegments(position: number, find: number, from: number, to: number): void {
    while (position >= this.#rowStart + SEGMENT_BYTES) {
      let end = this.#rowStart + SEGMENT_BYTES;
      for (let back = 0; back < 3 && isContinuation(this.#buffer[end]); back++) end--;
      this.#endRow(end, false, find, from, to);
    }
  }

  /** Takes the row up to `end`, whose finds end before `endFind`. */
  #endRow(end: number, terminated: boolean, endFind: number, from: number, to: number): void {
    const start = this.#rowStart;
    this.#firstFind = this.#endFind;
    this.#endFind = endFind;
    const found = this.#bitsOf(from) | (terminated && end - start > 3 ? letterStatus(this.#buffer, end - 1) : 0);
    const mask = found & ~ASKED;
    this.#mask = mask;
    const wide = this.#wideAt < end;
    const flags = (terminated ? 0 : CONTINUES) | (this.#inLine ? IN_LINE : 0) | (wide ? WIDE : 0);
    this.#history.append(start, end - start, this.#line, this.#excess, flags);
    if (wide) {
      this.#excess += end - start - utf16Length(this.#buffer, start, end);
      this.#wideAt = asciiEnd(this.#buffer, end, to);
    }
    this.#latestInLine = this.#inLine;
    this.#inLine = !terminated;
    this.#rowStart = end;
    this.#latestStart = start;
    if (mask !== 0 || this.#attentive) this.#tell(mask);
    if (this.#asked !== undefined) this.#tellAsked(this.#asked, (found & ASKED) !== 0);
    if (terminated) this.#line++;
  }

  /** Bits of the words in the row that is ending. */
  #bitsOf(from: number): number {
    let all = 0;
    for (let find = this.#firstFind; find < this.#endFind; find++) {
      const found = this.#automaton.bitsOf(findStates[find] as number);
      const red =
        (found & COLOR) === 0 || isColorCode(this.#buffer, this.#rowStart, from + (findOffsets[find] as number));
      all |= red ? found : found & ~COLOR;
    }
    return all;
  }

  #tell(mask: number): void {
    const listener = this.#listener;
    const attentive = listener?.onRow(mask) === true;
    // It may have let another listen in its stead.
    if (listener === this.#listener) this.#attentive = attentive;
  }

  #tellAsked(asked: AskedRows, found: boolean): void {
    const holds = found && asked.check(this.#buffer, this.#latestStart, this.#rowStart, this.#latestInLine);
    if (holds || this.#askedAttentive) this.#askedAttentive = asked.onRow(holds);
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

/** The bit of a row that ends in a lone E or F before its newline. */
function letterStatus(bytes: Uint8Array, newline: number): number {
  const at = bytes[newline - 1] === CARRIAGE_RETURN ? newline - 2 : newline - 1;
  const letter = bytes[at];
  return (letter === 69 || letter === 70) && bytes[at - 1] === BLANK ? LETTER_STATUS : 0;
}

const ESCAPE = 27;
const BRACKET = 91;
const LETTER_M = 109;
const MOST_CODE_BYTES = 8;

/** True if the `m` at `end` ends a short colour code that begins at `start` or later. */
function isColorCode(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = end - 1; at > start && at >= end - MOST_CODE_BYTES; at--) {
    if (bytes[at] === BRACKET && bytes[at - 1] === ESCAPE) return true;
    if (bytes[at] === LETTER_M) return false;
  }
  return false;
}
