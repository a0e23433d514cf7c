import type { Position } from "../../pieces.ts";
import type { Automaton, AutomatonStates } from "./automaton.ts";
import { eventKindOf } from "./event-kind.ts";
import type { Row } from "./row.ts";
import {
  ASKED,
  CONTINUES,
  CONTROL,
  FIND_BYTES,
  POSITION_MASK,
  ROW_END,
  ROW_FINDS,
  ROW_FLAGS,
  ROW_HIGH,
  ROW_LOW,
  ROW_MASK,
  ROW_NUMBERS,
  ROW_RULES,
  ROW_SIGNATURE,
  type RowFinder,
  SEGMENT_BYTES,
  STATE_SHIFT,
  WIDE,
} from "./row-finder.ts";
import { IN_LINE, RowHistory } from "./row-history.ts";
import type { FoundRules } from "./rules/rule-filter.ts";
import { sharedFinder } from "./shared-finder.ts";
import { utf16Length } from "./utf16-length.ts";

const BLOCK_BYTES = 65_536;

/** Is told of rows; the row itself is read with `scanner.row(ago)`. */
export interface RowListener {
  /** The latest row; `mask` holds the bits of the words in it. True when the next row matters even without a word. */
  onRow(mask: number): boolean;
}

/** Looks for more than the automaton's words, and is told of the rows that hold some of it. */
export interface AskedRows {
  /** Whether what is looked for ends at `end`, where the automaton came to a state, in a row that ends at `rowEnd`. */
  check(state: number, bytes: Uint8Array, end: number, rowEnd: number): boolean;
  /** The latest row; `asked` when it holds something. True when the next row matters even when it holds nothing. */
  onRow(asked: boolean): boolean;
}

/** Two automata that take turns in one finder would be loaded again and again. */
export interface ScannerOptions {
  readonly finder?: RowFinder;
  readonly asked?: AskedRows | undefined;
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
  readonly #finder: RowFinder;
  readonly #asked: AskedRows | undefined;
  #listener: RowListener | undefined;
  /** Whether the next row matters to the listener, and to who looks for more, whatever it holds. */
  #attentive = false;
  #askedAttentive = false;
  #filled = 0;
  /** Buffer index of the first byte not yet given as a row. */
  #rowStart = 0;
  /** Buffer index of the first byte that the finder looked through last. */
  #findStart = 0;
  /** Buffer index of the latest row, and where the finder has its numbers. */
  #latestStart = 0;
  #latest = 0;
  #line = 1;
  /** Bytes minus UTF-16 units before the current row. */
  #excess = 0;
  #inLine = false;
  /** Whether the latest row goes on with a line that began before it. */
  #latestInLine = false;
  #scanned = 0;

  constructor(automaton: Automaton, historyBytes: number, { finder, asked }: ScannerOptions = {}) {
    this.#automaton = automaton;
    this.#historyBytes = Math.max(16_384, historyBytes);
    this.#buffer = new Uint8Array(this.#historyBytes + BLOCK_BYTES + SEGMENT_BYTES);
    this.#history = new RowHistory(this.#buffer);
    this.#finder = finder ?? sharedFinder();
    this.#asked = asked;
  }

  /** Tells of each row from the next on that has a word, and of that when the listener is `attentive`. */
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

  /** What the states are made of that `AskedRows` are told. */
  get states(): AutomatonStates {
    return this.#finder.statesOf(this.#automaton);
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

  /** The rules that the latest row may match by its bytes, when its text is nothing but what they spell. */
  get foundRules(): FoundRules | undefined {
    const { rows } = this.#finder;
    if (((rows[this.#latest + ROW_FLAGS] as number) & CONTROL) !== 0) return undefined;
    return { numbers: rows, at: this.#latest + ROW_RULES };
  }

  /** Reads so many of the latest rows, all within reach, in order. */
  latest(rows: number): Row[] {
    return this.#history.latest(rows);
  }

  /** Identifies the latest row's words and how it begins, numbers aside; only of a row with a mask. */
  get signature(): number {
    return this.#finder.rows[this.#latest + ROW_SIGNATURE] as number;
  }

  /** Gives the bytes of the latest row to a reader, when a line begins with it. */
  giveLatest(reader: { add(bytes: Uint8Array, start: number, end: number): void }): void {
    if (!this.#latestInLine) reader.add(this.#buffer, this.#latestStart, this.#rowStart);
  }

  /** Identifies the kind of event that the latest row tells of. */
  eventKind(): number {
    return eventKindOf(this.#buffer, this.#latestStart, this.#rowStart);
  }

  /** Identifies the latest row and its words; of a number it tells only whether it is zero. Only of a row with a mask. */
  get fingerprint(): number {
    const { rows } = this.#finder;
    const high = rows[this.#latest + ROW_HIGH] as number;
    return (high >>> 0) * 0x20_0000 + ((rows[this.#latest + ROW_LOW] as number) >>> 11);
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
    const finder = this.#finder;
    finder.find(this.#buffer, from, to, this.#inLine, last && to === this.#filled, this.#automaton);
    this.#findStart = from;
    for (let row = 0, find = 0; row < finder.count; row++) {
      this.#take(ROW_NUMBERS * row, find);
      find = finder.rows[ROW_NUMBERS * row + ROW_FINDS] as number;
    }
    return to < this.#filled;
  }

  /** Takes the row whose numbers stand at a place of the finder; its finds begin with `firstFind`. */
  #take(place: number, firstFind: number): void {
    const { rows } = this.#finder;
    const start = this.#rowStart;
    const end = this.#findStart + (rows[place + ROW_END] as number);
    const mask = rows[place + ROW_MASK] as number;
    const flags = rows[place + ROW_FLAGS] as number;
    this.#history.append(start, end - start, this.#line, this.#excess, this.#inLine ? flags | IN_LINE : flags);
    if ((flags & WIDE) !== 0) this.#excess += end - start - utf16Length(this.#buffer, start, end);
    this.#latestInLine = this.#inLine;
    this.#inLine = (flags & CONTINUES) !== 0;
    this.#rowStart = end;
    this.#latestStart = start;
    this.#latest = place;
    if (mask !== 0 || this.#attentive) this.#tell(mask);
    const asked = this.#asked;
    if (asked !== undefined) {
      const holds = (flags & ASKED) !== 0 && this.#holdsAsked(asked, firstFind, rows[place + ROW_FINDS] as number);
      if (holds || this.#askedAttentive) this.#askedAttentive = asked.onRow(holds);
    }
    if (!this.#inLine) this.#line++;
  }

  #tell(mask: number): void {
    const listener = this.#listener;
    const attentive = listener?.onRow(mask) === true;
    // It may have let another listen in its stead.
    if (listener === this.#listener) this.#attentive = attentive;
  }

  #holdsAsked(asked: AskedRows, first: number, last: number): boolean {
    const { finds } = this.#finder;
    let holds = false;
    for (let find = first; find < last; find++) {
      const packed = finds[find] as number;
      const at = this.#findStart + (packed & POSITION_MASK) + 1;
      if (asked.check(packed >>> STATE_SHIFT, this.#buffer, at, this.#rowStart)) holds = true;
    }
    return holds;
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
