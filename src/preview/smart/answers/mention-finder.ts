import { DOUBTFUL, END_SHIFT, MENTIONS, WIDE as WIDE_LINE } from "../../../bytes/line-scan-code.ts";
import { type Beginnings, OutputScanner } from "../../../bytes/line-scanner.ts";
import type { Automaton, AutomatonStates, AutomatonTables } from "../log/automaton.ts";
import {
  ASKED,
  CONTROL,
  FIND_BYTES,
  ROW_END,
  ROW_FINDS,
  ROW_FLAGS,
  ROW_MASK,
  ROW_NUMBERS,
  type RowFinder,
  SEGMENT_BYTES,
  WIDE,
} from "../log/row-finder.ts";

/** The flags of a row by those of its line. */
const ROW_FLAGS_OF = Uint8Array.from({ length: 1 << END_SHIFT }, (_, flags) => {
  const asked = (flags & MENTIONS) === 0 ? 0 : ASKED;
  return asked | ((flags & DOUBTFUL) === 0 ? 0 : CONTROL) | ((flags & WIDE_LINE) === 0 ? 0 : WIDE);
});

/** Shared, since what was found is used at once. */
let shared: { readonly rows: Int32Array; readonly finds: Uint32Array } | undefined;

/**
 * Finds the rows of a long output that may hold something by what terms begin with, several times as fast as an automaton
 * finds their ends. What another finder knows better (rows that are parts of lines, and all of a short output) it leaves to that.
 */
export class MentionFinder implements RowFinder {
  count = 0;
  rows: Int32Array;
  finds: Uint32Array;
  /** True when a find is a row that has yet to be looked through, and where it stands that row's first byte. */
  findsRows = false;
  readonly #other: RowFinder;
  readonly #scanner: OutputScanner;
  #seenBytes = 0;

  constructor(other: RowFinder, question: Beginnings) {
    this.#other = other;
    this.#scanner = new OutputScanner(question);
    this.rows = other.rows;
    this.finds = other.finds;
  }

  find(bytes: Uint8Array, from: number, to: number, inLine: boolean, last: boolean, automaton: Automaton): void {
    this.#seenBytes += to - from;
    this.findsRows = !inLine && this.#findRows(bytes, from, to, last);
    if (this.findsRows) return;
    const other = this.#other;
    other.find(bytes, from, to, inLine, last, automaton);
    this.count = other.count;
    this.rows = other.rows;
    this.finds = other.finds;
  }

  statesOf(automaton: Automaton): AutomatonStates {
    return this.#other.statesOf(automaton);
  }

  tablesOf(automaton: Automaton): AutomatonTables {
    return this.#other.tablesOf(automaton);
  }

  /** False when there is a row that is no whole line. */
  #findRows(bytes: Uint8Array, from: number, to: number, last: boolean): boolean {
    const scanner = this.#scanner.after(this.#seenBytes);
    if (scanner === undefined) return false;
    shared ??= { rows: new Int32Array(ROW_NUMBERS * FIND_BYTES), finds: new Uint32Array(FIND_BYTES) };
    const { rows, finds } = shared;
    const { ends } = scanner;
    const count = scanner.scan(bytes.subarray(0, to), from, false);
    let start = 0;
    let found = 0;
    for (let row = 0; row < count; row++) {
      const packed = ends[row] as number;
      const end = packed >>> END_SHIFT;
      if (end - start > SEGMENT_BYTES) return false;
      if ((packed & MENTIONS) !== 0) finds[found++] = start;
      const place = ROW_NUMBERS * row;
      rows[place + ROW_END] = end;
      rows[place + ROW_MASK] = 0;
      rows[place + ROW_FLAGS] = ROW_FLAGS_OF[packed & (ROW_FLAGS_OF.length - 1)] as number;
      rows[place + ROW_FINDS] = found;
      start = end;
    }
    const left = to - from - start;
    if (left > SEGMENT_BYTES || (last && left > 0)) return false;
    this.count = count;
    this.rows = rows;
    this.finds = finds;
    return true;
  }
}
