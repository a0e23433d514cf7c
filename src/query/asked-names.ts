import { characterPairs, characterRuns, namesInRun } from "./character-runs.ts";
import { latePattern } from "./late-pattern.ts";
import { withoutOutput } from "./said-of-output.ts";
import { GRAMMAR_WORDS, STOP_WORDS, splitIdentifier, stem } from "./words.ts";

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

const MAX_QUERY_CHARS = 4000;
const MAX_NAMES = 40;
const QUOTED = /["'`“”‘’«»「」]([^"'`“”‘’«»「」\n]{3,200})["'`“”‘’«»「」]/gu;
const ADDRESS = /\bhttps?:\/\/\S+/gu;
const TOKEN = latePattern(String.raw`[\p{L}\p{N}_$](?:[\p{L}\p{N}_$.:/\\@#-]{0,200}[\p{L}\p{N}_$])?`, "gu");
const WORD = latePattern(String.raw`[\p{L}\p{N}_$]+`, "gu");
const QUOTED_WEIGHT = 1.5;
const GENERAL_WEIGHT = 0.2;
const LEAST_PART = 4;

/** Words by which a question asks for errors, whatever these call themselves. */
const ASKING_FOR_ERRORS =
  /\b(?:error|fail|exception|panic|fatal|traceback|crash|wrong|broke|break|problem|issue|bug\b|bugs\b|abort)/i;

/** True for a question that any sign of an error may answer. */
export function asksForErrors(question: string): boolean {
  return ASKING_FOR_ERRORS.test(question);
}

/**
 * What a question names, in order; nothing when it holds only words that any question holds. Without `addresses` those
 * of pages are no names: a page holds its own in its markup, and is not about it.
 */
export function askedNames(question: string, addresses = true): readonly AskedName[] {
  if (question === "") return [];
  const said = withoutOutput(question.slice(0, MAX_QUERY_CHARS));
  const query = addresses ? said : said.replace(ADDRESS, " ");
  const names = new Map<string, AskedName>();
  const add = (name: AskedName | undefined): void => {
    if (name === undefined) return;
    const key = name.text.toLowerCase();
    if ((names.get(key)?.weight ?? 0) < name.weight) names.set(key, name);
  };
  for (const [, wording = ""] of query.matchAll(QUOTED)) add(quotedName(wording.trim()));
  for (const [token] of query.matchAll(TOKEN())) {
    const runs = characterRuns(token);
    for (const run of runs) for (const text of namesInRun(run)) add(runName(text));
    if (runs.length === 0) add(tokenName(token));
    else for (const [word] of token.replace(/[^\p{ASCII}]+/gu, " ").matchAll(WORD())) add(tokenName(word));
  }
  const found = [...names.values()];
  if (!found.some((name) => name.weight >= 1)) return [];
  return found.length <= MAX_NAMES ? found : found.filter((name) => name.weight >= 1).slice(0, MAX_NAMES);
}

/** One word in quotation marks is a word like any other. */
function quotedName(wording: string): AskedName | undefined {
  const words = wording.match(WORD()) ?? [];
  if (words.length < 2 || words.every((word) => STOP_WORDS.has(word.toLowerCase()))) return undefined;
  return { text: wording, parts: [], weight: QUOTED_WEIGHT, spaced: characterRuns(wording).length === 0 };
}

function runName(text: string): AskedName {
  const pairs = characterPairs(text);
  return { text, parts: pairs.length > 1 ? pairs : [], weight: 1, spaced: false };
}

function tokenName(token: string): AskedName | undefined {
  const text = token.replace(/[.:@#/\\-]+$/u, "");
  const lower = text.toLowerCase();
  if (text.length < 2 || GRAMMAR_WORDS.has(lower)) return undefined;
  const words = [...text.matchAll(WORD())].flatMap(([word]) => splitIdentifier(word));
  const parts = words.map(stem).filter((part) => part.length >= LEAST_PART);
  const weight = STOP_WORDS.has(lower) ? GENERAL_WEIGHT : 1;
  return { text, parts: [...new Set(parts)], weight, spaced: true };
}
