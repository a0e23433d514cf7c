import type { Automaton } from "./automaton.ts";

/** Bytes that are looked through at once, at most. */
export const FIND_BYTES = 32_768;

/** A find is one number: its position in the lowest bits, then `CONTROL` and `WIDE`, and the automaton's state on top. */
export const POSITION_MASK = FIND_BYTES - 1;
/** How far up the two flags stand from where the automaton's classes have them. */
export const FLAG_SHIFT = 9;
export const STATE_SHIFT = 17;

/** Runs an automaton over bytes and notes where words and lines end. */
export interface WordFinder {
  /**
   * Where words and lines ended, in order: how many bytes after the first, the state there, and the flags as they
   * occurred since the find before. One more tells, by its flags, what occurred after the last.
   */
  readonly finds: Uint32Array;
  readonly count: number;
  /** Looks through the bytes of a range; they may begin in the middle of a line when all of it before stands there too. */
  find(bytes: Uint8Array, from: number, to: number, inLine: boolean, automaton: Automaton): void;
}
