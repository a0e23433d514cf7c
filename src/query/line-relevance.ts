import { characterPairs } from "./character-runs.ts";
import { type AskedToken, type AskedWord, readQuestion } from "./question.ts";
import { rarity } from "./rarity.ts";
import { escapePattern, isStopWord, stem } from "./words.ts";

/** One thing the question asks for: a word, an identifier, or two words that stand together. */
interface LineTerm {
  /** Lower case; found as a substring of lower-cased text. */
  readonly text: string;
  /** 1 for an ordinary word, more for what is unlikely to occur by chance. */
  readonly weight: number;
}

/**
 * Ranks lines and items by the terms of a question wherever these stand. Rare terms count more: `observe` measures how
 * often each occurs in this output, and `score` uses what has been observed so far.
 */
export interface LineRelevance {
  readonly terms: readonly LineTerm[];
  /** True when nothing but stop words was asked; `score` is then always 0. */
  readonly empty: boolean;
  /** Counts one unit (a line, a file, an item) of the output for the document frequencies. */
  observe(text: string): void;
  /** Counts units that are known to hold no term. */
  observeNone(units: number): void;
  /** 0 when no term occurs; about 1 per ordinary word that is rare here, several for a whole identifier. */
  score(text: string): number;
  /** The heaviest term that occurs, for a reason such as "question: timeout". */
  best(text: string): string | undefined;
}

/** One common word in common proves nothing. */
const CHANCE = 0.8;
const MOST = 8;

/** What a score says beyond chance, 0 to 8; a question of general words thus changes nothing. */
export function answerValue(score: number): number {
  return Math.min(MOST, Math.max(0, score - CHANCE));
}

const MAX_TERMS = 64;
const MAX_TERM_CHARS = 200;
const LEAST_NAME = 5;
const LEAST_PAIR = 7;
const PAIR_WEIGHT = 1.5;

/** Reads a question; the same question always gives the same terms. */
export function createLineRelevance(query: string): LineRelevance {
  const terms = collectTerms(readQuestion(query).tokens);
  const frequencies = new Float64Array(terms.length);
  let units = 0;
  const prefilter =
    terms.length === 0 ? undefined : new RegExp(terms.map((term) => escapePattern(term.text)).join("|"), "i");

  const rare = (index: number): number => (units < 2 ? 1 : rarity(frequencies[index] ?? 0, units));
  // A text is first observed and then scored: what it holds is looked for once.
  let looked: string | undefined;
  let found: number[] = [];
  const foundIn = (text: string): readonly number[] => {
    if (text === looked) return found;
    looked = text;
    found = [];
    if (prefilter === undefined || !prefilter.test(text)) return found;
    const lower = text.toLowerCase();
    for (let index = 0; index < terms.length; index++) {
      if (lower.includes((terms[index] as LineTerm).text)) found.push(index);
    }
    return found;
  };

  return {
    terms,
    empty: terms.length === 0,
    observe(text) {
      units++;
      for (const index of foundIn(text)) frequencies[index] = (frequencies[index] ?? 0) + 1;
    },
    observeNone(count) {
      units += count;
    },
    score(text) {
      let sum = 0;
      for (const index of foundIn(text)) sum += (terms[index] as LineTerm).weight * rare(index) ** 2;
      return sum;
    },
    best(text) {
      let best: string | undefined;
      let value = 0;
      for (const index of foundIn(text)) {
        const term = terms[index] as LineTerm;
        const worth = term.weight * rare(index);
        if (worth > value) {
          value = worth;
          best = term.text;
        }
      }
      return best;
    },
  };
}

type Add = (text: string, weight: number) => void;

function collectTerms(tokens: readonly AskedToken[]): LineTerm[] {
  const weights = new Map<string, number>();
  const add: Add = (text, weight) => {
    if (text.length < 2 || text.length > MAX_TERM_CHARS) return;
    weights.set(text, Math.max(weights.get(text) ?? 0, weight));
  };
  tokens.forEach((token, index) => {
    addToken(token, add);
    addPair(tokens[index - 1], token, add);
  });
  const terms = [...weights].map(([text, weight]) => ({ text, weight }));
  // A long question has as many pairs as words, and the words find more.
  if (terms.length > MAX_TERMS) terms.sort((a, b) => Number(isPair(a)) - Number(isPair(b)) || compareTerms(a, b));
  return terms.slice(0, MAX_TERMS).sort(compareTerms);
}

function isPair({ text }: LineTerm): boolean {
  return text.includes(" ");
}

function compareTerms(a: LineTerm, b: LineTerm): number {
  return b.weight - a.weight || b.text.length - a.text.length || (a.text < b.text ? -1 : 1);
}

function addToken({ lower, words }: AskedToken, add: Add): void {
  const compound = words.length > 1 || words.some(({ parts, run }) => !run && parts.length > 1);
  if (compound && isName(lower)) add(lower, lower.length >= 12 ? 5 : 3);
  for (const word of words) addWord(word, compound, add);
}

function addWord({ lower, parts, run }: AskedWord, compound: boolean, add: Add): void {
  if (parts.length > 1 && isName(lower)) add(lower, 3);
  for (const part of parts) {
    if (run) {
      add(part, 3);
      for (const pair of characterPairs(part)) add(pair, 1);
    } else if (part.length >= 3 && !isStopWord(part)) add(stem(part), compound ? 0.8 : part.length >= 8 ? 1.3 : 1);
  }
}

function isName(lower: string): boolean {
  return lower.length >= LEAST_NAME && !isStopWord(lower);
}

/** What stands side by side in the question and in the output alike is hardly a coincidence. */
function addPair(first: AskedToken | undefined, second: AskedToken, add: Add): void {
  if (first === undefined || second.gap.trim() !== "") return;
  if (first.lower.length + second.lower.length < LEAST_PAIR) return;
  if (!isStopWord(first.lower) || !isStopWord(second.lower)) add(`${first.lower} ${second.lower}`, PAIR_WEIGHT);
}
