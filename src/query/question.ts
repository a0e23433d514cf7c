import { namesInRun } from "./character-runs.ts";
import { readWords, type Word } from "./read-words.ts";
import { isGrammar, splitIdentifier } from "./words.ts";

/*
 * A question is read once, here, and everything that ranks by one looks at what was read: `question-terms.ts` for lines,
 * items and shapes, `asked-names.ts` for answers, `asked-paths.ts` and `asked-concepts.ts` for code, `passage-question.ts`
 * for searches. What a word is stands in `read-words.ts`, which words
 * say nothing and what their endings are in `words.ts`.
 */

/** A word of a question. */
export interface AskedWord extends Word {
  /** Of an identifier what it is made of, lower case; of a run of characters what it names. */
  readonly parts: readonly string[];
}

/** What a question writes without a blank: a word, a path, a version, an address. */
export interface AskedToken {
  /** As it was written, from its first word to its last. */
  readonly text: string;
  readonly lower: string;
  readonly words: readonly AskedWord[];
  /** True within the address of a page. */
  readonly address: boolean;
}

/** What a question says. */
export interface Question {
  /** Its tokens in order, without what it calls the output itself: "this Travis CI build" names nothing that stands in it. */
  readonly tokens: readonly AskedToken[];
  /** The wordings that it puts in quotation marks. */
  readonly quoted: readonly string[];
  /** All its words in lower case, a blank before and after each. */
  readonly said: string;
}

const MAX_CHARS = 50_000;
const JOINT = /^[.:/\\@#$-]+$/;
const QUOTED = /["'`“”‘’«»「」]([^"'`“”‘’«»「」\n]{3,200})["'`“”‘’«»「」]/g;

/** What a question may call the output as a whole, and how many words it may put before. */
const OUTPUT: ReadonlySet<string> = new Set(
  (
    "article build commit diff document file job list listing log output page pipeline report result results run session " +
    "suite table text trace workflow"
  ).split(" "),
);
const MOST_BEFORE = 4;
const JOINED: ReadonlySet<string> = new Set(["and", "or"]);

/** One output is asked one question by several readers; most are asked none, for which no pattern should be made. */
let last: { readonly text: string; readonly question: Question } = {
  text: "",
  question: { tokens: [], quoted: [], said: "  " },
};

/** Takes a question apart. */
export function readQuestion(text: string): Question {
  if (last.text !== text) last = { text, question: parse(text.slice(0, MAX_CHARS)) };
  return last.question;
}

/** True when a question says one of these words, or several of one; `leak*` stands for all that begins so. */
export function saysAny({ said }: Pick<Question, "said">, words: readonly string[]): boolean {
  const forms = words.flatMap((word) => (word.endsWith("*") ? ` ${word.slice(0, -1)}` : [` ${word} `, ` ${word}s `]));
  return forms.some((form) => said.includes(form));
}

/** True for a question about tests; in any other, tests repeat the names of what they test. */
export function asksForTests(query: string): boolean {
  return saysAny(readQuestion(query), ["test"]);
}

function parse(text: string): Question {
  const words = readWords(text).map((word) => ({
    ...word,
    parts: word.run ? namesInRun(word.text) : splitIdentifier(word.text),
  }));
  return {
    tokens: withoutOutput(joinWords(words)),
    quoted: [...text.matchAll(QUOTED)].map(([, wording = ""]) => wording.trim()),
    said: ` ${words.map(({ lower }) => lower).join(" ")} `,
  };
}

function joinWords(words: readonly AskedWord[]): AskedToken[] {
  const groups: AskedWord[][] = [];
  for (const word of words) {
    const group = groups.at(-1);
    const before = group?.at(-1);
    if (before !== undefined && JOINT.test(word.gap) && !word.run && !before.run) group?.push(word);
    else groups.push([word]);
  }
  let address = false;
  return groups.map((group) => {
    const [first, second] = group as [AskedWord, AskedWord | undefined];
    address &&= !/\s/.test(first.gap);
    address ||= second?.gap === "://" && first.lower.startsWith("http");
    const text = group.map((word) => (word === first ? "" : word.gap) + word.text).join("");
    return { text, lower: text.toLowerCase(), words: group, address };
  });
}

function withoutOutput(tokens: readonly AskedToken[]): AskedToken[] {
  let from = 0;
  return tokens.filter((token, index) => {
    if (index < from) return false;
    if (token.lower === "this") from = endOfOutput(tokens, index + 1);
    return true;
  });
}

/** Where what stands behind "this" ends if it is what the output is called, else `start`. */
function endOfOutput(tokens: readonly AskedToken[], start: number): number {
  for (const [before, { lower, words }] of tokens.slice(start, start + MOST_BEFORE + 1).entries()) {
    if (words[0]?.gap.trim() !== "" || isGrammar(lower)) break;
    if (!OUTPUT.has(lower)) continue;
    const end = start + before + 1;
    // "this build or analyzer output"
    const joined = JOINED.has(tokens[end]?.lower ?? "") ? endOfOutput(tokens, end + 1) : end;
    return joined > end + 1 ? joined : end;
  }
  return start;
}
