import { type Automaton, CLASS_BITS, CLASS_MASK } from "./automaton.ts";

const NEWLINE = 10;
/** Bytes that are looked through at once, at most. */
export const FIND_BYTES = 32_768;

/**
 * Runs an automaton over bytes and notes where words and lines end. It follows two places at once: a processor waits
 * long for each next state, and does the other half meanwhile.
 */
export class WordFinder {
  /** Where a word or a line ended, in order. */
  readonly positions = new Int32Array(FIND_BYTES);
  /** The automaton's state there. */
  readonly states = new Uint16Array(FIND_BYTES);
  /** `CONTROL` and `WIDE`, as they occurred since the position before. */
  readonly flags = new Uint8Array(FIND_BYTES);
  count = 0;
  /** The automaton's state after the last byte. */
  state = 0;

  /** Looks through whole lines: `from` stands at the start of one, `to` after a newline. */
  findInLines(bytes: Uint8Array, from: number, to: number, automaton: Automaton): void {
    const { next, classes, accepting, lineStart } = automaton;
    const { positions, states, flags } = this;
    const middle = nearestLine(bytes, from, to);
    const steps = Math.min(middle - from, to - middle);
    const shift = middle - from;
    let first = 0;
    let firstState = lineStart;
    let firstFlags = 0;
    // The second half's finds are kept as far up as there are bytes before them, so that the first half's have room.
    let second = shift;
    let secondState = lineStart;
    let secondFlags = 0;
    for (let index = from; index < from + steps; index++) {
      const one = classes[bytes[index] as number] as number;
      const two = classes[bytes[index + shift] as number] as number;
      firstState = next[(firstState << CLASS_BITS) | (one & CLASS_MASK)] as number;
      secondState = next[(secondState << CLASS_BITS) | (two & CLASS_MASK)] as number;
      firstFlags |= one;
      secondFlags |= two;
      if (firstState >= accepting) {
        positions[first] = index;
        states[first] = firstState;
        flags[first++] = firstFlags;
        firstFlags = 0;
      }
      if (secondState >= accepting) {
        positions[second] = index + shift;
        states[second] = secondState;
        flags[second++] = secondFlags;
        secondFlags = 0;
      }
    }
    this.count = second;
    this.#go(bytes, middle + steps, to, automaton, secondState, secondFlags);
    second = this.count;
    this.count = first;
    this.#go(bytes, from + steps, middle, automaton, firstState, firstFlags);
    positions.copyWithin(this.count, shift, second);
    states.copyWithin(this.count, shift, second);
    flags.copyWithin(this.count, shift, second);
    this.count += second - shift;
  }

  /** Looks through part of a line; what occurred after the last position stands as one more flag. */
  find(bytes: Uint8Array, from: number, to: number, automaton: Automaton, state: number): void {
    this.count = 0;
    const passed = this.#go(bytes, from, to, automaton, state, 0);
    this.flags[this.count] = passed;
  }

  /** Follows one place; gives what occurred after the last position. */
  #go(bytes: Uint8Array, from: number, to: number, automaton: Automaton, start: number, before: number): number {
    const { next, classes, accepting } = automaton;
    const { positions, states, flags } = this;
    let count = this.count;
    let state = start;
    let passed = before;
    for (let index = from; index < to; index++) {
      const symbol = classes[bytes[index] as number] as number;
      state = next[(state << CLASS_BITS) | (symbol & CLASS_MASK)] as number;
      passed |= symbol;
      if (state >= accepting) {
        positions[count] = index;
        states[count] = state;
        flags[count++] = passed;
        passed = 0;
      }
    }
    this.count = count;
    this.state = state;
    return passed;
  }
}

/** The start of a line near the middle. */
function nearestLine(bytes: Uint8Array, from: number, to: number): number {
  const middle = (from + to) >> 1;
  const after = bytes.indexOf(NEWLINE, middle) + 1;
  const before = bytes.lastIndexOf(NEWLINE, middle) + 1;
  return before > from && middle - before < after - middle ? before : after;
}
