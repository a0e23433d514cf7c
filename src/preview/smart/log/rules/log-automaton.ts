import { type Word, WordAutomaton } from "../word-automaton.ts";
import { listWords } from "../word-list.ts";
import { QUESTION } from "../words.ts";
import { wordsOfRules } from "./rules.ts";

let words: readonly Word[] | undefined;
let plain: WordAutomaton | undefined;
/** One question is often asked of many outputs. */
let latest: { readonly key: string; readonly automaton: WordAutomaton } | undefined;

/** The automaton of all words that matter in a log and of those that rules require, with those of a question, and with `others`. */
export function createWordAutomaton(terms: readonly string[], others: readonly Word[] = []): WordAutomaton {
  words ??= [...listWords(), ...wordsOfRules()];
  if (terms.length === 0 && others.length === 0) {
    plain ??= new WordAutomaton(words);
    return plain;
  }
  const key = JSON.stringify([terms, others]);
  if (latest?.key === key) return latest.automaton;
  const asked = terms.map((text) => ({ text: text.replace(/\d/g, "0"), bits: QUESTION }));
  latest = { key, automaton: new WordAutomaton([...words, ...asked, ...others]) };
  return latest.automaton;
}
