import { type Automaton, type AutomatonPlan, CLASS_BITS, expandPlan, planAutomaton } from "../automaton.ts";
import { requiredWords } from "./required-words.ts";
import type { Rule } from "./rule.ts";

const OTHER = 0;
const ASCII = 128;

/** What the filter of some rules is made from. */
export interface RulePlan {
  readonly plan: AutomatonPlan;
  /** Rules without required words, by index. */
  readonly always: readonly number[];
  readonly banks: number;
}

/** The bytes of a text, among others. */
export interface SpelledText {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** One bit per rule, 32 to a bank. */
export function banksOf(rules: readonly Rule[]): number {
  return Math.ceil(rules.length / 32);
}

/** Finds out which words the rules require. */
export function planFilter(rules: readonly Rule[]): RulePlan {
  const banks = banksOf(rules);
  const required = rules.map(({ pattern }) => requiredWords(pattern));
  const words = required.flatMap((list, index) =>
    (list ?? []).map((text) => ({ text, mask: 1 << index, bank: index >> 5 })),
  );
  const always = [...required.keys()].filter((index) => required[index] === undefined);
  return { plan: planAutomaton(words, banks), always, banks };
}

/** Says which rules a text may match, by the words without which their patterns cannot: far cheaper than to try them. */
export class RuleFilter {
  readonly #automaton: Automaton;
  /** One bit per rule, 32 to a number: the rules that have no such words, and those possible for the text read last. */
  readonly #always: Int32Array;
  readonly #possible: Int32Array;

  constructor({ plan, always, banks }: RulePlan) {
    this.#possible = new Int32Array(banks);
    this.#always = new Int32Array(banks);
    for (const index of always) this.#always[index >> 5] = (this.#always[index >> 5] as number) | (1 << index);
    this.#automaton = expandPlan(plan, banks);
  }

  /** Looks through a text, of which `allows` is then asked. */
  read(text: string): void {
    const { next, classes, accepting } = this.#automaton;
    this.#possible.set(this.#always);
    let state = 0;
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      const symbol = unit < ASCII ? (classes[unit] as number) : OTHER;
      state = next[(state << CLASS_BITS) | symbol] as number;
      if (state >= accepting) this.#allow(state);
    }
  }

  /** The same for a text as its bytes spell it, which is much faster. */
  readBytes({ bytes, start, end }: SpelledText): void {
    const { next, classes, accepting } = this.#automaton;
    this.#possible.set(this.#always);
    let state = 0;
    for (let index = start; index < end; index++) {
      state = next[(state << CLASS_BITS) | (classes[bytes[index] as number] as number)] as number;
      if (state >= accepting) this.#allow(state);
    }
  }

  #allow(state: number): void {
    const { masks } = this.#automaton;
    const possible = this.#possible;
    const banks = possible.length;
    for (let bank = 0, slot = state * banks; bank < banks; bank++, slot++) {
      possible[bank] = (possible[bank] as number) | (masks[slot] as number);
    }
  }

  /** True when the text read last may match the rule of this index. */
  allows(index: number): boolean {
    return (((this.#possible[index >> 5] as number) >> index) & 1) === 1;
  }
}
