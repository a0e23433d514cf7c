import type { Automaton, AutomatonStates, AutomatonTables } from "../automaton.ts";
import { type AutomatonWord, CLASS_BITS, STATE_NUMBERS, STATE_RULES } from "../automaton-plan.ts";
import { LETTER_STATUS, type RowFinder, RULE_BANKS } from "../row-finder.ts";
import { requiredWords } from "./required-words.ts";
import type { Rule } from "./rule.ts";

const OTHER = 0;
const ASCII = 128;
const BITS = 32;

/** The words that rules require, with one bit for each rule, in the banks after the first. */
export function wordsOfRules(rules: readonly Rule[]): AutomatonWord[] {
  return rules.flatMap((rule, index) =>
    (wordsOf(rule) ?? []).map((text) => ({ text, mask: 1 << index, bank: 1 + Math.floor(index / BITS) })),
  );
}

/** The rules that require no words, by index. */
export function rulesWithoutWords(rules: readonly Rule[]): readonly number[] {
  return [...rules.keys()].filter((index) => wordsOf(rules[index] as Rule) === undefined);
}

/** A row that ends in a lone letter is so rare that no word need be found before it is tried. */
function wordsOf({ needs, pattern }: Rule): readonly string[] | undefined {
  return needs === LETTER_STATUS ? undefined : requiredWords(pattern);
}

/** Which rules the words found in a row leave possible: `RULE_BANKS` numbers from a place on. */
export interface FoundRules {
  readonly numbers: Int32Array;
  readonly at: number;
}

/** Says which rules a text may match, by the words without which their patterns cannot: far cheaper than to try them. */
export class RuleFilter {
  readonly #automaton: Automaton;
  readonly #finder: RowFinder;
  #tables: (AutomatonTables & AutomatonStates) | undefined;
  /** One bit per rule: those that the text read last may match. */
  readonly possible = new Int32Array(RULE_BANKS);
  /** The rules that have no such words. */
  readonly #always = new Int32Array(RULE_BANKS);

  /** The automaton finds the words of the rules; the finder has its tables. */
  constructor(automaton: Automaton, finder: RowFinder, always: readonly number[]) {
    this.#automaton = automaton;
    this.#finder = finder;
    for (const index of always) this.#always[index >> 5] = (this.#always[index >> 5] as number) | (1 << index);
  }

  /** Takes over what was found in a text. */
  take({ numbers, at }: FoundRules): void {
    for (let bank = 0; bank < RULE_BANKS; bank++) {
      this.possible[bank] = (this.#always[bank] as number) | (numbers[at + bank] as number);
    }
  }

  /** The same for a text that was not looked through. */
  read(text: string): void {
    const { classes } = this.#automaton.plan;
    this.#tables ??= { ...this.#finder.tablesOf(this.#automaton), ...this.#finder.statesOf(this.#automaton) };
    const { next, masks, accepting } = this.#tables;
    const { possible } = this;
    possible.set(this.#always);
    let state = 0;
    const { length } = text;
    for (let index = 0; index < length; index++) {
      const unit = text.charCodeAt(index);
      const symbol = unit < ASCII ? (classes[unit] as number) : OTHER;
      state = next[(state << CLASS_BITS) | symbol] as number;
      if (state < accepting) continue;
      for (let bank = 0, slot = state * STATE_NUMBERS + STATE_RULES; bank < RULE_BANKS; bank++, slot++) {
        possible[bank] = (possible[bank] as number) | (masks[slot] as number);
      }
    }
  }
}
