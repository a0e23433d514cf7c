import {
  type Automaton,
  type AutomatonPlan,
  type AutomatonWord,
  countBanks,
  expandPlan,
  planAutomaton,
} from "../automaton.ts";
import { fillCompiledTables } from "../compiled-tables.ts";
import { unpackPlan } from "../packed-plan.ts";
import { prebuilt } from "../prebuilt.ts";
import { RULE_BANKS } from "../row-finder.ts";
import { listWords, QUESTION } from "../words.ts";
import { wordsOfRules } from "./rule-filter.ts";
import { RULES } from "./rules.ts";

const BANKS = 1 + RULE_BANKS;

let plan: AutomatonPlan | undefined;
let plain: Automaton | undefined;
/** One question is often asked of many outputs. */
let latest: { readonly key: string; readonly automaton: Automaton } | undefined;

/** The plan of the automaton of all words that tell something, and in the banks after those the words that rules require. */
export function planWords(): AutomatonPlan {
  return planAutomaton([...listWords(), ...wordsOfRules(RULES)], BANKS);
}

/** The automaton of those words, with those of a question in the first bank, and with `others` in banks after those. */
export function createWordAutomaton(terms: readonly string[], others: readonly AutomatonWord[] = []): Automaton {
  plan ??= planOfWords();
  if (terms.length === 0 && others.length === 0) {
    plain ??= expandPlan(plan, BANKS, fillCompiledTables);
    return plain;
  }
  const key = JSON.stringify([terms, others]);
  if (latest?.key === key) return latest.automaton;
  const words = [...terms.map((text) => ({ text: text.replace(/\d/g, "0"), mask: QUESTION })), ...others];
  const banks = Math.max(BANKS, countBanks(words));
  const automaton = expandPlan(planAutomaton(words, banks, plan), banks);
  latest = { key, automaton };
  return automaton;
}

function planOfWords(): AutomatonPlan {
  const { words } = prebuilt();
  return words === undefined ? planWords() : unpackPlan(words, BANKS);
}
