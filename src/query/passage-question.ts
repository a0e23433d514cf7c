import { isErrorWord } from "./asked-names.ts";
import { characterPairs } from "./character-runs.ts";
import { type AskedWord, readQuestion, saysAny } from "./question.ts";
import { readWords } from "./read-words.ts";
import { isGrammar, kindOf, splitIdentifier, stem } from "./words.ts";

const MAX_TERMS = 24;
const MAX_GAP = 3;
/** By these together a question asks which file went wrong. */
const FILE_WORDS = ["file", "source", "module", "script", "path", "spec", "suite"];
const ASKING = ["which", "what", "where", "name", "find", "list"];
const FAULTS = [
  "fail*",
  "error*",
  "compil*",
  "broke*",
  "break*",
  "wrong",
  "crash*",
  "invalid",
  "syntax",
  "problem",
  "fault",
];

/** Words that speak of something gone wrong, wherever they stand. */
export const ERROR_WORDS: readonly string[] = ["error", "fail", "exception", "panic", "fatal", "traceback"];

/** What a question asks for, in the form that ranking needs. */
export interface PassageQuestion {
  /** Lowercase words that carry meaning, in order. */
  readonly terms: readonly string[];
  /** Those of them that ask for something gone wrong, whatever it calls itself. */
  readonly errors: readonly string[];
  /** True if it asks which file went wrong: the answer is a path, and the word for it need not stand there. */
  readonly asksFile: boolean;
  /** What a text must contain, case aside, to be looked at: the terms without their endings. */
  readonly stems: readonly string[];
  /** Lowercase wordings that count more when they stand in a text exactly so. */
  readonly phrases: readonly string[];
}

/** Takes a question apart. One without a meaningful word asks for errors, unless it is a single word to look for. */
export function parseQuestion(text: string): PassageQuestion {
  const question = readQuestion(text);
  const { tokens, quoted } = question;
  const words = tokens.flatMap((token) => token.words);
  const said = [...new Set(words.flatMap(termsOf))].slice(0, MAX_TERMS);
  const asksFile = saysAny(question, FILE_WORDS) && saysAny(question, ASKING) && saysAny(question, FAULTS);
  const terms = asksFile ? said.filter((term) => !saysAny({ said: ` ${term} ` }, FILE_WORDS)) : said;
  const single = words.length === 1 && !["asking", "order"].includes(kindOf(words[0]!.lower) ?? "");
  const asked = terms.length > 0 ? terms : single ? [words[0]!.lower] : ERROR_WORDS;
  const phrases = [...quoted.map((wording) => wording.toLowerCase()), ...wordPairs(words)];
  return {
    terms: asked,
    errors: asksFile ? asked : asked.filter(isErrorWord),
    asksFile,
    stems: [...new Set(asked.map(stem))],
    phrases: [...new Set(phrases)],
  };
}

/** The lowercase words of a text, and those that camelCase and snake_case are made of. */
export function tokenize(text: string): string[] {
  return readWords(text).flatMap(({ text, lower, run }) => {
    if (run) return characterPairs(text);
    const parts = splitIdentifier(text).filter((part) => part.length > 1);
    return parts.length > 1 ? [lower, ...parts] : [lower];
  });
}

function termsOf({ text, lower, parts, run }: AskedWord): string[] {
  if (run) return (parts.length > 0 ? parts : [text]).flatMap(characterPairs);
  return isStopped(lower) || (lower.length === 1 && !/\d/.test(lower)) ? [] : [lower];
}

/** Only what asks a search to do something; what else many questions say may be just what is looked for. */
function isStopped(word: string): boolean {
  return isGrammar(word) || kindOf(word) === "order";
}

function wordPairs(words: readonly AskedWord[]): string[] {
  return words.flatMap(({ lower, gap }, index) => {
    const first = words[index - 1]?.lower;
    if (first === undefined || gap === "" || gap.length > MAX_GAP || gap.includes("\n")) return [];
    return isStopped(first) || isStopped(lower) ? [] : [first + gap + lower];
  });
}
