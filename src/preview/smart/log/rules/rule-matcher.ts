import { ASCII } from "../ascii-ends.ts";
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
  /** The rules that a text may match by its first character. */
  readonly #byFirst: (Int32Array | undefined)[] = new Array(ASCII);
  readonly #all = new Int32Array(RULE_BANKS).fill(-1);

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
    const unit = text.charCodeAt(0);
    const first = unit < ASCII ? (this.#byFirst[unit] ?? this.#beginningWith(unit)) : this.#all;
    for (let bank = 0; bank < RULE_BANKS; bank++) {
      let bits =
        ((always[bank] as number) | (numbers[at + bank] as number)) &
        (needed[bank] as number) &
        (first[bank] as number);
      for (; bits !== 0; bits &= bits - 1) {
        const rule = this.#rules[32 * bank + 31 - Math.clz32(bits & -bits)] as LateRule;
        if (rule.matches(text)) return rule;
      }
    }
    return undefined;
  }

  /** The rules that the bits of a row leave possible, one bit for each. */
  #neededFor(mask: number): Int32Array {
    const needed = this.#bitsOf(({ needs }) => (needs & mask) !== 0);
    if (this.#neededByMask.size < MAX_MASKS) this.#neededByMask.set(mask, needed);
    return needed;
  }

  #beginningWith(unit: number): Int32Array {
    const first = this.#bitsOf((rule) => rule.mayBegin(unit));
    this.#byFirst[unit] = first;
    return first;
  }

  #bitsOf(holds: (rule: LateRule) => boolean): Int32Array {
    const bits = new Int32Array(RULE_BANKS);
    this.#rules.forEach((rule, index) => {
      if (holds(rule)) bits[index >> 5] = (bits[index >> 5] as number) | (1 << index);
    });
    return bits;
  }
}
