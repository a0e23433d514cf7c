import type { Automaton } from "../automaton.ts";
import { type AutomatonWord, planAutomaton } from "../automaton-plan.ts";
import { QUESTION } from "../words.ts";
import { planWords } from "./prebuilt-words.ts";

let plain: Automaton | undefined;
/** One question is often asked of many outputs. */
let latest: { readonly key: string; readonly automaton: Automaton } | undefined;

/** The automaton of all words, with those of a question in the first bank, and with `others` in banks after those of rules. */
export function createWordAutomaton(terms: readonly string[], others: readonly AutomatonWord[] = []): Automaton {
  plain ??= { plan: planWords() };
  if (terms.length === 0 && others.length === 0) return plain;
  const key = JSON.stringify([terms, others]);
  if (latest?.key === key) return latest.automaton;
  const words = [...terms.map((text) => ({ text: text.replace(/\d/g, "0"), mask: QUESTION })), ...others];
  const automaton = { plan: planAutomaton(words, plain.plan), base: plain };
  latest = { key, automaton };
  return automaton;
}
