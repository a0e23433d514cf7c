import { type AutomatonPlan, planAutomaton } from "../automaton-plan.ts";
import { listWords } from "../word-list.ts";
import { rulesWithoutWords, wordsOfRules } from "./rule-filter.ts";
import { RULES } from "./rules.ts";

// What the first preview of a process would spend most of its time on: `build/prebuilt-plans.ts` puts functions with the
// results in the place of these.

/** The plan of all words that tell something, and in the banks after the first of the words that rules require. */
export function planWords(): AutomatonPlan {
  return planAutomaton([...listWords(), ...wordsOfRules(RULES)]);
}

/** The rules that require no words, by index. */
export function listUnfiltered(): readonly number[] {
  return rulesWithoutWords(RULES);
}
