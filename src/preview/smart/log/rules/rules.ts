import { RULE_BANKS, type Word, type WordAutomaton } from "../word-automaton.ts";
import { COMPILER_RULES } from "./compilers.ts";
import { EXCEPTION_RULES } from "./exceptions.ts";
import { GENERAL_RULES } from "./general.ts";
import type { Rule } from "./rule.ts";
import { SYSTEM_RULES } from "./systems.ts";
import { TEST_RULES } from "./tests.ts";

const MAX_MASKS = 4096;

/** All rules, strongest first, with all their fields: engines are slow where objects of several forms meet. */
export const RULES: readonly Required<Rule>[] = [
  ...COMPILER_RULES,
  ...TEST_RULES,
  ...EXCEPTION_RULES,
  ...SYSTEM_RULES,
  ...GENERAL_RULES,
]
  .map(({ score, reason, following, before, needs, words = "", pattern }) => {
    return { score, reason, following, before, needs, words, pattern };
  })
  .sort((a, b) => b.score - a.score);

/** Bits of which a row must have one to match any rule. */
export const NEEDED = RULES.reduce((all, { needs }) => all | needs, 0);

/** The words that rules require, for an automaton. */
export function wordsOfRules(): Word[] {
  return RULES.flatMap(({ words }, rule) =>
    words === "" ? [] : words.split("|").map((text) => ({ text, bits: 0, rule })),
  );
}

/** Finds the strongest rule that a text matches. */
export class RuleMatcher {
  readonly #automaton: WordAutomaton;
  readonly #without = bitsOf(({ words }) => words === "");
  readonly #neededByMask = new Map<number, Int32Array>();
  readonly #found = new Int32Array(RULE_BANKS);

  /** The automaton has to know the words that rules require. */
  constructor(automaton: WordAutomaton) {
    this.#automaton = automaton;
  }

  /** `foundRules` are those whose words stand in the text, if that is known. */
  match(text: string, mask: number, foundRules: Int32Array | undefined): Rule | undefined {
    const found = foundRules ?? this.#found.fill(0);
    if (foundRules === undefined) this.#automaton.addRulesOf(text, found);
    return this.#try(text, found, this.#neededByMask.get(mask) ?? this.#neededFor(mask));
  }

  /** By itself, since an engine optimizes the loop together with whatever else stands in its function. */
  #try(text: string, found: Int32Array, needed: Int32Array): Rule | undefined {
    for (let bank = 0; bank < RULE_BANKS; bank++) {
      let bits = ((this.#without[bank] as number) | (found[bank] as number)) & (needed[bank] as number);
      for (; bits !== 0; bits &= bits - 1) {
        const rule = RULES[32 * bank + 31 - Math.clz32(bits & -bits)] as Rule;
        if (rule.pattern.test(text)) return rule;
      }
    }
    return undefined;
  }

  /** The rules that the bits of a row allow, one bit each. */
  #neededFor(mask: number): Int32Array {
    const needed = bitsOf(({ needs }) => (needs & mask) !== 0);
    if (this.#neededByMask.size < MAX_MASKS) this.#neededByMask.set(mask, needed);
    return needed;
  }
}

/** The rules for which something holds, one bit each. */
function bitsOf(holds: (rule: Required<Rule>) => boolean): Int32Array {
  const bits = new Int32Array(RULE_BANKS);
  RULES.forEach((rule, index) => {
    if (holds(rule)) bits[index >> 5] = (bits[index >> 5] as number) | (1 << index);
  });
  return bits;
}
