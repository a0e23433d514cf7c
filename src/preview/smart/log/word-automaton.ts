import { isDigit } from "../../../bytes/is-digit.ts";
import { ASKED } from "./words.ts";

/** A longer word is found by its first bytes, which only adds candidates. */
export const LONGEST_WORD = 32;
/** Bytes that are searched at once, at most. */
export const SEARCH_BYTES = 32_768;
/** Rules that an automaton can tell apart: one bit each, in so many numbers of 32 bits. */
export const RULE_BANKS = 4;

/** A word to look for. ASCII letters match in either case. */
export interface Word {
  /** `0` stands for any digit, unless they are `exact`; a newline at the beginning stands for the start of a line. */
  readonly text: string;
  readonly exact?: boolean;
  /** Bits that a row with this word gets. */
  readonly bits: number;
  /** Index of the rule that requires this word. */
  readonly rule?: number;
  /** Hides the bits of shorter words that it ends with. @default false */
  readonly hides?: boolean;
}

/** A word by its bytes, one character each, or `ANY_DIGIT`. */
interface SpelledWord {
  readonly bytes: string;
  readonly word: Word;
}

const NEWLINE = 10;
/** Stands for any digit, in words and as a column of the table. */
const ANY_DIGIT = 256;
/**
 * A state is the index of its row in the table: the next state for each byte and for any digit, then its bits and those of rules. Rows
 * begin in different lines of the processor's cache; with a power of two the entries of all letters would share a few.
 */
const ROW = 272;
const BITS_AT = 257;
const RULES_AT = BITS_AT + 1;
const ROOT = ROW;
/** The state after a newline. */
export const LINE_START = 2 * ROW;
const FIRST_STATES = 256;
/** The search follows four places at once only where each has at least so many bytes. */
const LEAST_LANE_BYTES = 4 * LONGEST_WORD;
/** Marks the state after a byte as one in which a word or a line ended. */
const TELLING = 1 << 31;
const INDEX = ~TELLING;

/** Where words and lines ended in the bytes searched last, in order: the offset of the last byte, and the state there. */
export const findOffsets = new Int32Array(SEARCH_BYTES);
export const findStates = new Int32Array(SEARCH_BYTES);

/** What a state is made of: the words that its bytes begin, by their next byte, and the state if none of them fits. */
interface Origin {
  readonly children: ReadonlyMap<number, readonly SpelledWord[]>;
  readonly depth: number;
  readonly fallback: number;
}

/** What a byte is looked up as unless an exact word may go on with it. */
const FOLDED = Uint16Array.from({ length: ANY_DIGIT + 1 }, (_, byte) => {
  if (byte >= 65 && byte <= 90) return byte + 32;
  return isDigit(byte) ? ANY_DIGIT : byte;
});

/**
 * Finds many words at once, with one table lookup per byte (Aho-Corasick). A state and its transitions are made when a text
 * first needs them: most outputs meet a small part of all words.
 */
export class WordAutomaton {
  /** The rows of the states; a next state is 0 where it is not known yet. */
  #next = new Int32Array(FIRST_STATES * ROW);
  /** Where the next row will be. */
  #end = LINE_START;
  /** What states are made of. */
  readonly #origins = new Map<number, Origin>();

  constructor(words: readonly Word[]) {
    const children = groupByByte(words.map(spell), 0);
    this.#origins.set(ROOT, { children, depth: 0, fallback: ROOT });
    // The state after a newline is there even if no word begins with one.
    this.#next[ROOT + NEWLINE] = this.#add(children.get(NEWLINE) ?? [], 1, ROOT);
  }

  /** Bits of the words that end in a state. */
  bitsOf(state: number): number {
    return this.#next[state + BITS_AT] as number;
  }

  /** Adds the bits of the rules that a state tells of. */
  addRules(state: number, rules: Int32Array): void {
    for (let bank = 0; bank < RULE_BANKS; bank++) {
      rules[bank] = (rules[bank] as number) | (this.#next[state + RULES_AT + bank] as number);
    }
  }

  /** Adds the bits of the rules whose words stand in a text. Of characters beyond ASCII no rule requires one. */
  addRulesOf(text: string, rules: Int32Array): void {
    let state = ROOT;
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      const next = unit < 128 ? this.#next[state + unit] || this.#follow(state, unit) : ROOT;
      state = next & INDEX;
      if (next < 0) this.addRules(state, rules);
    }
  }

  /**
   * Searches at most `SEARCH_BYTES`, from `from` to `to`, and returns how many finds there are. If `from` is inside a line,
   * the line up to there has to stand before it.
   */
  search(bytes: Uint8Array, from: number, to: number, inLine: boolean): number {
    const lane = (to - from) >> 2;
    const state = inLine ? this.#enter(bytes, from) : LINE_START;
    if (lane < LEAST_LANE_BYTES) return this.#searchLane(bytes, from, from, to, state, 0);
    return this.#searchLanes(bytes, from, lane, to, state);
  }

  /** The state before a byte: what stands more than a word's length before it makes no difference. */
  #enter(bytes: Uint8Array, at: number): number {
    let state = ROOT;
    for (let before = Math.max(0, at - LONGEST_WORD); before < at; before++) {
      state = this.#follow(state, bytes[before] as number) & INDEX;
    }
    return state;
  }

  #searchLane(bytes: Uint8Array, from: number, start: number, to: number, entry: number, found: number): number {
    let state = entry;
    let count = found;
    for (let at = start; at < to; at++) {
      const next = this.#next[state + (bytes[at] as number)] || this.#follow(state, bytes[at] as number);
      state = next & INDEX;
      if (next >= 0) continue;
      findOffsets[count] = at - from;
      findStates[count++] = state;
    }
    return count;
  }

  /**
   * Follows four places a fixed distance apart at once: a processor waits several cycles for each next state and can look up
   * the others meanwhile. The inner loop stops wherever something is to be noted, and calls nothing: so it needs few registers.
   */
  #searchLanes(bytes: Uint8Array, from: number, lane: number, to: number, entry: number): number {
    const second = lane;
    const third = 2 * lane;
    const fourth = 3 * lane;
    const end = from + lane;
    let state1 = entry;
    let state2 = this.#enter(bytes, from + second);
    let state3 = this.#enter(bytes, from + third);
    let state4 = this.#enter(bytes, from + fourth);
    let [count1, count2, count3, count4] = [0, second, third, fourth];
    let next = this.#next;
    for (let at = from; ; at++) {
      let next1 = 0;
      let next2 = 0;
      let next3 = 0;
      let next4 = 0;
      for (; at < end; at++) {
        next1 = next[(state1 + (bytes[at] as number)) | 0] as number;
        next2 = next[(state2 + (bytes[at + second] as number)) | 0] as number;
        next3 = next[(state3 + (bytes[at + third] as number)) | 0] as number;
        next4 = next[(state4 + (bytes[at + fourth] as number)) | 0] as number;
        if (next1 <= 0 || next2 <= 0 || next3 <= 0 || next4 <= 0) break;
        state1 = next1;
        state2 = next2;
        state3 = next3;
        state4 = next4;
      }
      if (at === end) break;
      if (next1 === 0 || next2 === 0 || next3 === 0 || next4 === 0) {
        next1 = this.#follow(state1, bytes[at] as number);
        next2 = this.#follow(state2, bytes[at + second] as number);
        next3 = this.#follow(state3, bytes[at + third] as number);
        next4 = this.#follow(state4, bytes[at + fourth] as number);
        next = this.#next;
      }
      state1 = next1 & INDEX;
      state2 = next2 & INDEX;
      state3 = next3 & INDEX;
      state4 = next4 & INDEX;
      const offset = at - from;
      if (next1 < 0) {
        findOffsets[count1] = offset;
        findStates[count1++] = state1;
      }
      if (next2 < 0) {
        findOffsets[count2] = offset + second;
        findStates[count2++] = state2;
      }
      if (next3 < 0) {
        findOffsets[count3] = offset + third;
        findStates[count3++] = state3;
      }
      if (next4 < 0) {
        findOffsets[count4] = offset + fourth;
        findStates[count4++] = state4;
      }
    }
    let count = joinFinds(count1, second, count2);
    count = joinFinds(count, third, count3);
    count = joinFinds(count, fourth, count4);
    return this.#searchLane(bytes, from, from + 4 * lane, to, state4, count);
  }

  /** The state after a state and a byte; negative if something ended there. */
  #follow(state: number, byte: number): number {
    const known = this.#next[state + byte] as number;
    if (known !== 0) return known;
    const folded = this.#isExact(state, byte) ? byte : (FOLDED[byte] as number);
    const next = folded === byte ? this.#make(state, byte) : this.#follow(state, folded);
    this.#next[state + byte] = next;
    return next;
  }

  /** Whether a word goes on with this very byte, here or in a state that this one falls back to. */
  #isExact(state: number, byte: number): boolean {
    for (let at = state; ; ) {
      const { children, fallback } = this.#origins.get(at) as Origin;
      if (children.has(byte)) return true;
      if (at === ROOT) return false;
      at = fallback;
    }
  }

  #make(state: number, byte: number): number {
    const { children, depth, fallback } = this.#origins.get(state) as Origin;
    const next = state === ROOT ? ROOT : this.#follow(fallback, byte);
    const words = children.get(byte) ?? [];
    const all = isDigit(byte) ? [...words, ...(children.get(ANY_DIGIT) ?? [])] : words;
    return all.length === 0 ? next : this.#add(all, depth + 1, next & INDEX);
  }

  /** Adds the state to which the first `depth` bytes of these words lead. */
  #add(words: readonly SpelledWord[], depth: number, fallback: number): number {
    const state = this.#end;
    this.#end += ROW;
    if (this.#end > this.#next.length) {
      const grown = new Int32Array(2 * this.#next.length);
      grown.set(this.#next);
      this.#next = grown;
    }
    const next = this.#next;
    const ending = words.filter(({ bytes }) => bytes.length === depth).map(({ word }) => word);
    next.copyWithin(state + BITS_AT, fallback + BITS_AT, fallback + RULES_AT + RULE_BANKS);
    const set = (at: number, bits: number): void => {
      next[state + at] = (next[state + at] as number) | bits;
    };
    if (ending.some(({ hides }) => hides === true)) next[state + BITS_AT] = (next[state + BITS_AT] as number) & ASKED;
    for (const { bits, rule } of ending) {
      set(BITS_AT, bits);
      if (rule !== undefined) set(RULES_AT + (rule >> 5), 1 << rule);
    }
    this.#origins.set(state, { children: groupByByte(words, depth), depth, fallback });
    const tells = next.subarray(state + BITS_AT, state + RULES_AT + RULE_BANKS).some((bits) => bits !== 0);
    return tells || state === LINE_START ? state | TELLING : state;
  }
}

/** Moves the finds from `start` to `end` to `count`; returns the new count. */
function joinFinds(count: number, start: number, end: number): number {
  findOffsets.copyWithin(count, start, end);
  findStates.copyWithin(count, start, end);
  return count + end - start;
}

/** The words that go on after so many bytes, by the next byte. */
function groupByByte(words: readonly SpelledWord[], depth: number): ReadonlyMap<number, readonly SpelledWord[]> {
  const groups = new Map<number, SpelledWord[]>();
  for (const word of words) {
    if (word.bytes.length <= depth) continue;
    const byte = word.bytes.charCodeAt(depth);
    const group = groups.get(byte);
    if (group === undefined) groups.set(byte, [word]);
    else group.push(word);
  }
  return groups;
}

const encoder = new TextEncoder();
const BEYOND_ASCII = /[^\0-\x7f]/;

function spell(word: Word): SpelledWord {
  const { text, exact } = word;
  const bytes = BEYOND_ASCII.test(text) ? String.fromCharCode(...encoder.encode(text)) : text;
  const lower = bytes.replace(/[A-Z]/g, (letter) => letter.toLowerCase()).slice(0, LONGEST_WORD);
  return { bytes: exact === true ? lower : lower.replaceAll("0", String.fromCharCode(ANY_DIGIT)), word };
}
