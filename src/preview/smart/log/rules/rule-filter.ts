import type { Automaton } from "../automaton.ts";
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

/** The rules whose words were found in a row: `RULE_BANKS` numbers from a place on, one bit for each rule. */
export interface FoundRules {
  readonly numbers: Int32Array;
  readonly at: number;
}

/** Says which rules a text may match, by the words without which their patterns cannot: far cheaper than to try them. */
export class RuleFilter {
  readonly #automaton: Automaton;
  readonly #finder: RowFinder;
  readonly #found = { numbers: new Int32Array(RULE_BANKS), at: 0 };
  /** The rules that have no such words, one bit for each. */
  readonly always = new Int32Array(RULE_BANKS);

  /** The automaton finds the words of the rules; the finder has its tables. */
  constructor(automaton: Automaton, finder: RowFinder, always: readonly number[]) {
    this.#automaton = automaton;
    this.#finder = finder;
    for (const index of always) this.always[index >> 5] = (this.always[index >> 5] as number) | (1 << index);
  }

  /** Looks through a text. */
  read(text: string): FoundRules {
    const { classes, next, masks, accepting } = this.#finder.tablesOf(this.#automaton);
    const { numbers } = this.#found;
    numbers.fill(0);
    let state = 0;
    const { length } = text;
    for (let index = 0; index < length; index++) {
      const unit = text.charCodeAt(index);
      const symbol = unit < ASCII ? (classes[unit] as number) : OTHER;
      state = next[(state << CLASS_BITS) | symbol] as number;
      if (state < accepting) continue;
      for (let bank = 0, slot = state * STATE_NUMBERS + STATE_RULES; bank < RULE_BANKS; bank++, slot++) {
        numbers[bank] = (numbers[bank] as number) | (masks[slot] as number);
      }
    }
    return this.#found;
  }
}
