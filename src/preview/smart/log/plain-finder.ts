import { isContinuation } from "../../../bytes/utf8.ts";
import { type Automaton, type AutomatonStates, type AutomatonTables, fillTables } from "./automaton.ts";
import { CLASS_BITS, LONGEST_WORD, STATE_MASK, STATE_NUMBERS, STATE_RULES } from "./automaton-plan.ts";
import { RowHash, SIGNATURE_BYTES } from "./fingerprint.ts";
import { isRed } from "./red.ts";
import {
  ASKED,
  ASKED_BIT,
  COLOR,
  COLOR_BYTES,
  CONTINUES,
  CONTROL,
  FIND_BYTES,
  LETTER_STATUS,
  POSITION_MASK,
  RETURN,
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
  RULE_BANKS,
  SEGMENT_BYTES,
  STATE_SHIFT,
  WIDE,
} from "./row-finder.ts";

const TAB = 9;
const CARRIAGE_RETURN = 13;
const BLANK = 32;
const DELETE = 127;
const hash = new RowHash();

/** Finds words and rows where WebAssembly is not to be had, more slowly. */
export class PlainFinder implements RowFinder {
  readonly finds = new Uint32Array(FIND_BYTES);
  rows = new Int32Array(64 * ROW_NUMBERS);
  count = 0;
  #bytes: Uint8Array = new Uint8Array();
  #automaton: Automaton | undefined;
  #tables: (AutomatonTables & AutomatonStates) | undefined;
  /** Where the bytes looked through, and the row that is being read, begin. */
  #from = 0;
  #rowStart = 0;
  /** The first find of that row. */
  #first = 0;

  find(bytes: Uint8Array, from: number, to: number, inLine: boolean, last: boolean, automaton: Automaton): void {
    this.#bytes = bytes;
    const tables = this.#tablesOf(automaton);
    this.#from = from;
    this.#rowStart = from;
    this.#first = 0;
    this.count = 0;
    this.#cutRows(this.#findWords(to, inLine, automaton.plan.classes, tables), to, last);
  }

  statesOf(automaton: Automaton): AutomatonStates {
    return this.#tablesOf(automaton);
  }

  tablesOf(automaton: Automaton): AutomatonTables {
    return this.#tables !== undefined && automaton === this.#automaton?.base ? this.#tables : this.#tablesOf(automaton);
  }

  #tablesOf(automaton: Automaton): AutomatonTables & AutomatonStates {
    if (this.#tables === undefined || automaton !== this.#automaton) this.#tables = fillTables(automaton.plan);
    this.#automaton = automaton;
    return this.#tables;
  }

  #findWords(
    to: number,
    inLine: boolean,
    classes: Uint8Array,
    { next, accepting, lineStart }: AutomatonTables & AutomatonStates,
  ): number {
    const { finds } = this;
    const bytes = this.#bytes;
    const from = this.#from;
    let state = inLine ? 0 : lineStart;
    let count = 0;
    for (let index = inLine ? Math.max(0, from - LONGEST_WORD) : from; index < to; index++) {
      const symbol = classes[bytes[index] as number] as number;
      state = next[(state << CLASS_BITS) | symbol] as number;
      if (index >= from && state >= accepting) finds[count++] = (state << STATE_SHIFT) | (index - from);
    }
    return count;
  }

  #cutRows(count: number, to: number, last: boolean): void {
    for (let find = 0; find < count; find++) {
      const packed = this.finds[find] as number;
      const position = this.#from + (packed & POSITION_MASK);
      this.#cutSegments(position, find);
      if (packed >>> STATE_SHIFT === this.#tables?.lineStart) this.#endRow(position + 1, true, find + 1);
    }
    // Where a long line may be cut shows only once the byte after it has come.
    this.#cutSegments(to - 1, count);
    if (last && this.#rowStart < to) this.#endRow(to, false, count);
  }

  /** Cuts a line off that has come up to a position. */
  #cutSegments(position: number, find: number): void {
    while (position >= this.#rowStart + SEGMENT_BYTES) {
      let end = this.#rowStart + SEGMENT_BYTES;
      for (let back = 0; back < 3 && isContinuation(this.#bytes[end]); back++) end--;
      this.#endRow(end, false, find);
    }
  }

  #endRow(end: number, terminated: boolean, find: number): void {
    const start = this.#rowStart;
    const bytes = this.#bytes;
    const place = ROW_NUMBERS * this.count++;
    if (place === this.rows.length) {
      const grown = new Int32Array(4 * place);
      grown.set(this.rows);
      this.rows = grown;
    }
    const { rows } = this;
    rows[place + ROW_END] = end - this.#from;
    rows[place + ROW_FINDS] = find;
    this.#gatherWords(place, end, find);
    if (terminated && end - start > 3)
      rows[place + ROW_MASK] = (rows[place + ROW_MASK] as number) | letterStatus(bytes, end - 1);
    rows[place + ROW_FLAGS] = (rows[place + ROW_FLAGS] as number) | flagsOf(bytes, start, end, terminated);
    const mask = rows[place + ROW_MASK] as number;
    if (mask !== 0) {
      hash.read(bytes, start, Math.min(end, start + SIGNATURE_BYTES), mask, false);
      rows[place + ROW_SIGNATURE] = hash.high;
      hash.read(bytes, start, end, mask, true);
      rows[place + ROW_HIGH] = hash.high;
      rows[place + ROW_LOW] = hash.low;
    }
    this.#rowStart = end;
    this.#first = find;
  }

  #gatherWords(place: number, end: number, find: number): void {
    const { masks } = this.#tables as AutomatonTables;
    let mask = 0;
    let flags = 0;
    this.rows.fill(0, place + ROW_RULES, place + ROW_RULES + RULE_BANKS);
    for (let index = this.#first; index < find; index++) {
      const packed = this.finds[index] as number;
      const slot = (packed >>> STATE_SHIFT) * STATE_NUMBERS;
      const words = (masks[slot + STATE_MASK] as number) & ~ASKED_BIT;
      if (((masks[slot + STATE_MASK] as number) & ASKED_BIT) !== 0) flags = ASKED;
      const at = this.#from + (packed & POSITION_MASK) + 1 - COLOR_BYTES;
      mask |= (words & COLOR) === 0 || isRed(this.#bytes, at, end) ? words : words & ~COLOR;
      for (let bank = 0; bank < RULE_BANKS; bank++) {
        const at = place + ROW_RULES + bank;
        this.rows[at] = (this.rows[at] as number) | (masks[slot + STATE_RULES + bank] as number);
      }
    }
    this.rows[place + ROW_MASK] = mask;
    this.rows[place + ROW_FLAGS] = flags;
  }
}

function letterStatus(bytes: Uint8Array, newline: number): number {
  const at = bytes[newline - 1] === CARRIAGE_RETURN ? newline - 2 : newline - 1;
  const letter = bytes[at];
  return (letter === 69 || letter === 70) && bytes[at - 1] === BLANK ? LETTER_STATUS : 0;
}

function flagsOf(bytes: Uint8Array, start: number, end: number, terminated: boolean): number {
  let content = terminated ? end - 1 : end;
  let flags = terminated ? 0 : CONTINUES;
  if (terminated && content > start && bytes[content - 1] === CARRIAGE_RETURN) {
    content--;
    flags |= RETURN;
  }
  for (let at = start; at < content; at++) {
    const byte = bytes[at] as number;
    if (byte > DELETE) flags |= WIDE;
    else if ((byte < BLANK && byte !== TAB) || byte === DELETE) flags |= CONTROL;
  }
  return flags;
}
