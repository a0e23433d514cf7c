import { characterPairs, characterRuns, namesInRun } from "./character-runs.ts";
import { latePattern } from "./late-pattern.ts";
import { withoutOutput } from "./said-of-output.ts";
import { escapePattern, STOP_WORDS, splitIdentifier, stem } from "./words.ts";

/** One thing the question asks for: a word, an identifier, or two words that stand together. */
export interface QuestionTerm {
  /** Lower case; found as a substring of lower-cased text. */
  readonly text: string;
  /** 1 for an ordinary word, more for what is unlikely to occur by chance. */
  readonly weight: number;
}

/**
 * What the reader wants to know, reduced to terms. Rare terms count more: `observe` measures how often each occurs in
 * this output, and `score` uses what has been observed so far.
 */
export interface Question {
  readonly terms: readonly QuestionTerm[];
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
const TOKEN = latePattern(
  String.raw`[\p{L}\p{N}_$](?:[\p{L}\p{N}_$.:/\\@[\]()*#<>=-]{0,300}[\p{L}\p{N}_$\])*])?`,
  "gu",
);
const WORD = latePattern(String.raw`[\p{L}\p{N}_$]+`, "gu");

/** Reads a question; the same question always gives the same terms. */
export function createQuestion(query: string): Question {
  const terms = query === "" ? [] : collectTerms(withoutOutput(query.slice(0, 4000)));
  const frequencies = new Float64Array(terms.length);
  let units = 0;
  const prefilter =
    terms.length === 0 ? undefined : new RegExp(terms.map((term) => escapePattern(term.text)).join("|"), "i");

  const rarity = (index: number): number => {
    if (units < 2) return 1;
    const frequency = frequencies[index] ?? 0;
    return Math.max(0, Math.min(1, Math.log((units + 1) / (frequency + 0.5)) / Math.log(units + 2)));
  };
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
      if (lower.includes((terms[index] as QuestionTerm).text)) found.push(index);
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
      for (const index of foundIn(text)) {
        const rare = rarity(index);
        sum += (terms[index] as QuestionTerm).weight * rare * rare;
      }
      return sum;
    },
    best(text) {
      let best: string | undefined;
      let value = 0;
      for (const index of foundIn(text)) {
        const term = terms[index] as QuestionTerm;
        const worth = term.weight * rarity(index);
        if (worth > value) {
          value = worth;
          best = term.text;
        }
      }
      return best;
    },
  };
}

function collectTerms(query: string): QuestionTerm[] {
  const weights = new Map<string, number>();
  const add = (text: string, weight: number): void => {
    if (text.length < 2 || text.length > 200) return;
    weights.set(text, Math.max(weights.get(text) ?? 0, weight));
  };
  for (const [token] of query.matchAll(TOKEN())) addToken(token, add);
  addPairs(query, add);
  const terms = [...weights].map(([text, weight]) => ({ text, weight }));
  // A long question has as many pairs as words, and the words find more.
  if (terms.length > MAX_TERMS) terms.sort((a, b) => Number(isPair(a)) - Number(isPair(b)) || compareTerms(a, b));
  return terms.slice(0, MAX_TERMS).sort(compareTerms);
}

function isPair({ text }: QuestionTerm): boolean {
  return text.includes(" ");
}

function compareTerms(a: QuestionTerm, b: QuestionTerm): number {
  return b.weight - a.weight || b.text.length - a.text.length || (a.text < b.text ? -1 : 1);
}

function addToken(token: string, add: (text: string, weight: number) => void): void {
  for (const run of characterRuns(token).flatMap(namesInRun)) {
    add(run, 3);
    for (const pair of characterPairs(run)) add(pair, 1);
  }
  const lower = token.toLowerCase().replace(/[.:,]+$/, "");
  const compound = /[_.:/\\@[\]()$#-]/.test(lower) || /[a-z][A-Z]/.test(token);
  if (compound && lower.length >= 5 && !STOP_WORDS.has(lower)) add(lower, lower.length >= 12 ? 5 : 3);
  for (const [name] of token.matchAll(WORD())) {
    const whole = name.toLowerCase();
    const parts = splitIdentifier(name);
    if (parts.length > 1 && whole.length >= 5 && !STOP_WORDS.has(whole)) add(whole, 3);
    for (const part of parts) {
      if (part.length < 3 || STOP_WORDS.has(part)) continue;
      add(stem(part), compound ? 0.8 : part.length >= 8 ? 1.3 : 1);
    }
  }
}

/** Words that stand side by side in the question and in the output alike are hardly a coincidence. */
function addPairs(query: string, add: (text: string, weight: number) => void): void {
  const words = query.toLowerCase().split(/\s+/);
  for (let index = 1; index < words.length; index++) {
    const first = words[index - 1] ?? "";
    const second = (words[index] ?? "").replace(/[?.,:;]+$/, "");
    if (/[?.,:;]$/.test(first) || first.length + second.length < 7) continue;
    if (STOP_WORDS.has(first) && STOP_WORDS.has(second)) continue;
    add(`${first} ${second}`, 1.5);
  }
}
