import type { Automaton, AutomatonStates, AutomatonTables } from "./automaton.ts";

/** Bytes that are looked through at once, at most. */
export const FIND_BYTES = 32_768;

/** Longest part of one line that is looked at as a whole; a longer line is read in segments of this size. */
export const SEGMENT_BYTES = 2048;

/** A find is one number: its position in the lowest bits, and the automaton's state above. */
export const POSITION_MASK = FIND_BYTES - 1;
export const STATE_SHIFT = 15;

/** What the words that begin a colour code set; a row keeps it only when the colour is red. */
export const COLOR = 1 << 28;

/** So many bytes of the code's numbers belong to such a word: most codes set no colour, and are not worth a find. */
export const COLOR_BYTES = 2;

/** Set for a row that ends in a lone E or F, the shortest form of a failed test. */
export const LETTER_STATUS = 1 << 31;

/** In the bits of a state, set when it found something of a bank after those of rules. */
export const ASKED_BIT = 1 << 30;

/** An automaton has the words of rules in so many banks after the first; what else is looked for stands in those after that. */
export const RULE_BANKS = 4;

/** Where the numbers of a row stand among `ROW_NUMBERS`. */
export const ROW_NUMBERS = 16;
/** How far after the first byte looked through the row ends. */
export const ROW_END = 0;
/** The bits of the words in it, of the first bank. */
export const ROW_MASK = 1;
export const ROW_FLAGS = 2;
/** How many finds there are up to its end. */
export const ROW_FINDS = 3;
/** Identify how a row begins and the whole of it, each with the mask; only of a row that has one. */
export const ROW_SIGNATURE = 4;
export const ROW_HIGH = 5;
export const ROW_LOW = 6;
/** Of a row with a mask also what its words are in the banks of rules, one number for each. */
export const ROW_RULES = 8;

/** Flags of a row: the line goes on after it. */
export const CONTINUES = 1;
/** A carriage return stands before its newline. */
export const RETURN = 4;
/** It holds a word of a bank after those of rules. */
export const ASKED = 8;
/** It holds bytes of characters that are not ASCII. */
export const WIDE = 0x40;
/** It holds control characters that are not shown as they are, besides that carriage return. */
export const CONTROL = 0x80;

/** Cuts bytes into rows and runs an automaton over them, so that only the rows that matter need be looked at again. */
export interface RowFinder {
  /** Where words and lines ended, in order: how many bytes after the first, and the state there. */
  readonly finds: Uint32Array;
  /** `ROW_NUMBERS` for each row. */
  readonly rows: Int32Array;
  /** Rows that ended. */
  readonly count: number;
  /**
   * Looks through the bytes of a range, which may begin in the middle of a line when all of it before stands there too.
   * What is left without a newline is a row when these are the `last` bytes.
   */
  find(bytes: Uint8Array, from: number, to: number, inLine: boolean, last: boolean, automaton: Automaton): void;
  /** The automaton's states, as finds tell of them. */
  statesOf(automaton: Automaton): AutomatonStates;
  /**
   * The automaton's tables, or those of one that has all its words too, for who looks through something else. They are those
   * in use: another automaton takes their place.
   */
  tablesOf(automaton: Automaton): AutomatonTables;
}
