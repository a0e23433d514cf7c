import { characterPairs, characterRuns } from "./character-runs.ts";
import { latePattern } from "./late-pattern.ts";
import { GRAMMAR_WORDS, stem } from "./words.ts";

const BETWEEN_WORDS = latePattern(String.raw`[^\p{L}\p{N}_]+`, "u");
const PAIR = latePattern(String.raw`(?=(?<![\p{L}\p{N}_])([\p{L}\p{N}_]+[^\p{L}\p{N}\n]{1,3}[\p{L}\p{N}_]+))`, "gu");
const TELLING = latePattern(String.raw`\p{N}|\p{Script=Han}`, "u");

const WORD = latePattern(String.raw`[\p{L}\p{N}_]+`, "gu");
const MAX_TERMS = 24;

/** What asks a search to do something; what else many questions say may be just what is looked for. */
const ORDERS: ReadonlySet<string> = new Set("tell find show happened happen explain went".split(" "));

const INTERROGATIVES: ReadonlySet<string> = new Set("how what when where which who whose why".split(" "));

function isStopped(word: string): boolean {
  return GRAMMAR_WORDS.has(word) || ORDERS.has(word);
}

/** Words that speak of something gone wrong, wherever they stand. */
export const ERROR_WORDS: readonly string[] = ["error", "fail", "exception", "panic", "fatal", "traceback"];

/** What a question asks for, in the form that ranking needs. */
export interface Question {
  readonly text: string;
  /** Lowercase words that carry meaning, in order. */
  readonly terms: readonly string[];
  /** What a text must contain, case aside, to be looked at: the terms without their endings. */
  readonly stems: readonly string[];
  /** Lowercase wordings that count more when they stand in a text exactly so. */
  readonly phrases: readonly string[];
}

/** Takes a question apart. One without a meaningful word asks for errors, unless it is a single word to look for. */
export function parseQuestion(text: string): Question {
  const lower = text.toLowerCase();
  const quoted = [...lower.matchAll(/["'`“”]([^"'`“”]{2,200})["'`“”]/g)].map((match) => (match[1] as string).trim());
  const words = tokenize(lower, { parts: false });
  const meaningful = words.filter((word) => !isStopped(word) && (word.length > 1 || TELLING().test(word)));
  const terms = [...new Set(meaningful)].slice(0, MAX_TERMS);
  const single = words.length === 1 && !ORDERS.has(words[0]!) && !INTERROGATIVES.has(words[0]!);
  const asked = terms.length > 0 ? terms : single ? words : ERROR_WORDS;
  const stems = [...new Set(asked.map(stem))];
  return { text, terms: asked, stems, phrases: [...new Set([...quoted, ...wordPairs(lower)])] };
}

/** The lowercase words of a text; `parts` adds those that camelCase and snake_case are made of. */
export function tokenize(text: string, options: { readonly parts: boolean }): string[] {
  const words: string[] = [];
  for (const [word] of text.matchAll(WORD())) {
    const runs = characterRuns(word);
    if (runs.length > 0) {
      for (const run of runs) words.push(...characterPairs(run));
      continue;
    }
    words.push(word.toLowerCase());
    if (!options.parts) continue;
    const parts = word.split(/_+|(?<=[a-z0-9])(?=[A-Z])/).filter((part) => part.length > 1);
    if (parts.length > 1) words.push(...parts.map((part) => part.toLowerCase()));
  }
  return words;
}

function wordPairs(lower: string): string[] {
  const pairs = lower.matchAll(PAIR());
  return [...pairs].map((match) => match[1] as string).filter((pair) => !pair.split(BETWEEN_WORDS()).some(isStopped));
}
