import { RULE_BANKS } from "../row-finder.ts";
import { sharedFinder } from "../shared-finder.ts";
import type { LateRule } from "./late-rule.ts";
import { spellAllRules } from "./prebuilt-rules.ts";
import { listUnfiltered } from "./prebuilt-words.ts";
import { type FoundRules, RuleFilter } from "./rule-filter.ts";
import { readRules } from "./spelled-rules.ts";
import { createWordAutomaton } from "./word-automaton.ts";

const MAX_MASKS = 4096;

/** Finds the strongest rule that a text matches. */
export class RuleMatcher {
  /** Bits of which a row must have one to match any rule. */
  readonly needed: number;
  /** Strongest first. */
  readonly #rules = readRules(spellAllRules());
  readonly #filter = new RuleFilter(createWordAutomaton([]), sharedFinder(), listUnfiltered());
  readonly #neededByMask = new Map<number, Int32Array>();

  constructor() {
    this.needed = this.#rules.reduce((all, { needs }) => all | needs, 0);
  }

  /** `foundRules` are those that the text's bytes leave possible, when it is nothing but what they spell. */
  match(text: string, mask: number, foundRules: FoundRules | undefined): LateRule | undefined {
    return this.#try(
      text,
      foundRules ?? this.#filter.read(text),
      this.#neededByMask.get(mask) ?? this.#neededFor(mask),
    );
  }

  /** Apart from all else, since an engine soon optimizes the loop, with whatever else stands in its function. */
  #try(text: string, { numbers, at }: FoundRules, needed: Int32Array): LateRule | undefined {
    const { always } = this.#filter;
    for (let bank = 0; bank < RULE_BANKS; bank++) {
      let bits = ((always[bank] as number) | (numbers[at + bank] as number)) & (needed[bank] as number);
      for (; bits !== 0; bits &= bits - 1) {
        const rule = this.#rules[32 * bank + 31 - Math.clz32(bits & -bits)] as LateRule;
        if (rule.matches(text)) return rule;
      }
    }
    return undefined;
  }

  /** The rules that the bits of a row leave possible, one bit for each. */
  #neededFor(mask: number): Int32Array {
    const needed = new Int32Array(RULE_BANKS);
    this.#rules.forEach(({ needs }, index) => {
      if ((needs & mask) !== 0) needed[index >> 5] = (needed[index >> 5] as number) | (1 << index);
    });
    if (this.#neededByMask.size < MAX_MASKS) this.#neededByMask.set(mask, needed);
    return needed;
  }
}
