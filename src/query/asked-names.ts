import { characterPairs } from "./character-runs.ts";
import { isParticular } from "./natural-words.ts";
import { type AskedToken, readQuestion, saysAny } from "./question.ts";
import { readWords } from "./read-words.ts";
import { isGrammar, isStopWord, stem } from "./words.ts";

/** One thing that a question names: a word, an identifier, a path, a wording in quotation marks. */
export interface AskedName {
  /** As it was written. */
  readonly text: string;
  /** Beginnings of the words it is made of, lower case; of a text without blanks between words, pairs of characters. */
  readonly parts: readonly string[];
  /** 1 for what is particular, less for a word that many questions about outputs use. */
  readonly weight: number;
  /** False where words have no boundaries. */
  readonly spaced: boolean;
}

const MAX_NAMES = 40;
const QUOTED_WEIGHT = 1.5;
const GENERAL_WEIGHT = 0.2;
const LEAST_PART = 4;

/** Words by which a question asks for errors, whatever these call themselves. */
const ASKING_FOR_ERRORS =
  "error* fail* exception* panic* fatal* traceback* crash* wrong* broke* break* problem* issue* bug abort*".split(" ");

/** True for a question that any sign of an error may answer. */
export function asksForErrors(question: string): boolean {
  return saysAny(readQuestion(question), ASKING_FOR_ERRORS);
}

/** The same for one of its words, in lower case. */
export function isErrorWord(word: string): boolean {
  return saysAny({ said: ` ${word} ` }, ASKING_FOR_ERRORS);
}

/** True when a question names something particular, so that its absence from an output is news. */
export function asksForParticulars(query: string, names: readonly AskedName[]): boolean {
  const { said } = readQuestion(query);
  return names.some(({ text, weight }) => weight > 1 || (weight === 1 && isParticular(text, said)));
}

/**
 * What a question names, in order; nothing when it holds only words that any question holds. Without `addresses` those
 * of pages are no names: a page holds its own in its markup, and is not about it.
 */
export function askedNames(query: string, addresses = true): readonly AskedName[] {
  const { tokens, quoted } = readQuestion(query);
  const names = new Map<string, AskedName>();
  for (const name of [
    ...quoted.flatMap(quotedName),
    ...tokens.filter((one) => addresses || !one.address).flatMap(tokenNames),
  ]) {
    const key = name.text.toLowerCase();
    if ((names.get(key)?.weight ?? 0) < name.weight) names.set(key, name);
  }
  const found = [...names.values()];
  if (!found.some((name) => name.weight >= 1)) return [];
  return found.length <= MAX_NAMES ? found : found.filter((name) => name.weight >= 1).slice(0, MAX_NAMES);
}

/** One word in quotation marks is a word like any other. */
function quotedName(text: string): AskedName[] {
  const words = readWords(text);
  if (words.length < 2 || words.every(({ lower }) => isStopWord(lower))) return [];
  return [{ text, parts: [], weight: QUOTED_WEIGHT, spaced: !words.some(({ run }) => run) }];
}

function tokenNames({ text, lower, words }: AskedToken): AskedName[] {
  const parts = words.flatMap((word) => word.parts);
  if (words[0]?.run) return parts.map(runName);
  if (text.length < 2 || isGrammar(lower)) return [];
  const stems = parts.map(stem).filter((part) => part.length >= LEAST_PART);
  return [{ text, parts: [...new Set(stems)], weight: isStopWord(lower) ? GENERAL_WEIGHT : 1, spaced: true }];
}

function runName(text: string): AskedName {
  const pairs = characterPairs(text);
  return { text, parts: pairs.length > 1 ? pairs : [], weight: 1, spaced: false };
}
