import { type Automaton, CLASS_BITS, CLASS_MASK, createAutomaton } from "../automaton.ts";
import { requiredWords } from "./required-words.ts";
import type { Rule } from "./rule.ts";

const OTHER = 0;
const ASCII = 128;

/** Says which rules a text may match, by the words without which their patterns cannot: far cheaper than to try them. */
export class RuleFilter {
  readonly #automaton: Automaton;
  /** The classes of ASCII, without flags. */
  readonly #classes: Uint8Array;
  /** One bit per rule, 32 to a number: the rules that have no such words, and those possible for the text read last. */
  readonly #always: Int32Array;
  readonly #possible: Int32Array;

  constructor(rules: readonly Rule[]) {
    const banks = Math.ceil(rules.length / 32);
    this.#possible = new Int32Array(banks);
    this.#always = new Int32Array(banks);
    const words = rules.flatMap(({ pattern }, index) => {
      const bank = index >> 5;
      const mask = 1 << index;
      const required = requiredWords(pattern);
      if (required === undefined) this.#always[bank] = (this.#always[bank] as number) | mask;
      return (required ?? []).map((text) => ({ text, mask, bank }));
    });
    this.#automaton = createAutomaton(words, banks);
    this.#classes = this.#automaton.classes.subarray(0, ASCII).map((symbol) => symbol & CLASS_MASK);
  }

  /** Looks through a text, of which `allows` is then asked. */
  read(text: string): void {
    const { next, accepting, masks } = this.#automaton;
    const classes = this.#classes;
    const possible = this.#possible;
    const banks = possible.length;
    possible.set(this.#always);
    let state = 0;
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      const symbol = unit < ASCII ? (classes[unit] as number) : OTHER;
      state = next[(state << CLASS_BITS) | symbol] as number;
      if (state < accepting) continue;
      for (let bank = 0, slot = state * banks; bank < banks; bank++, slot++) {
        possible[bank] = (possible[bank] as number) | (masks[slot] as number);
      }
    }
  }

  /** True when the text read last may match the rule of this index. */
  allows(index: number): boolean {
    return (((this.#possible[index >> 5] as number) >> index) & 1) === 1;
  }
}
