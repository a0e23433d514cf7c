const WORD = /[\p{L}\p{N}_]+/gu;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/gu;
const MAX_TERMS = 24;

const STOP_WORDS = new Set(
  (
    "a about all an and any are as at be been but by can could did do does for from had has have how i if in into is " +
    "it its me my of on or our should so some tell that the their them then there these they this those to us was we " +
    "were what when where which who why will with would you your find show please happened happen explain went go"
  ).split(" "),
);

/** Words that speak of something gone wrong, wherever they stand. */
export const ERROR_WORDS: readonly string[] = ["error", "fail", "exception", "panic", "fatal", "traceback"];

/** Words by which a question asks for errors, whatever these call themselves. */
const ASKING_FOR_ERRORS =
  /^(?:error|fail|exception|panic|fatal|traceback|crash|wrong|broke|break|problem|issue|bug|abort)/;

/** True for a word that any sign of an error answers to. */
export function asksForErrors(term: string): boolean {
  return ASKING_FOR_ERRORS.test(term);
}

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

/** Takes a question apart. One without a meaningful word asks for errors. */
export function parseQuestion(text: string): Question {
  const lower = text.toLowerCase();
  const quoted = [...lower.matchAll(/["'`“”]([^"'`“”]{2,200})["'`“”]/g)].map((match) => (match[1] as string).trim());
  const words = tokenize(lower, { parts: false });
  const meaningful = words.filter(
    (word) => !STOP_WORDS.has(word) && (word.length > 1 || /\p{N}|\p{Script=Han}/u.test(word)),
  );
  const terms = [...new Set(meaningful)].slice(0, MAX_TERMS);
  const asked = terms.length > 0 ? terms : ERROR_WORDS;
  const stems = [...new Set(asked.map(stem))];
  return { text, terms: asked, stems, phrases: [...new Set([...quoted, ...wordPairs(lower)])] };
}

/** A word without the endings that grammar gives it; always the beginning of the word. */
export function stem(word: string): string {
  if (!/^[a-z]{5,}$/.test(word)) return word;
  const match = /^(.{3,}?)(?:ing|ings|ed|es|s|ure|ures|ion|ions|ly)$/.exec(word);
  return match?.[1] ?? word;
}

/** The lowercase words of a text; `parts` adds those that camelCase and snake_case are made of. */
export function tokenize(text: string, options: { readonly parts: boolean }): string[] {
  const words: string[] = [];
  for (const [word] of text.matchAll(WORD)) {
    const cjk = word.match(CJK);
    if (cjk !== null) {
      for (const run of cjk) words.push(...characterPairs(run));
      continue;
    }
    words.push(word.toLowerCase());
    if (!options.parts) continue;
    const parts = word.split(/_+|(?<=[a-z0-9])(?=[A-Z])/).filter((part) => part.length > 1);
    if (parts.length > 1) words.push(...parts.map((part) => part.toLowerCase()));
  }
  return words;
}

function characterPairs(run: string): string[] {
  const characters = [...run];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}

function wordPairs(lower: string): string[] {
  const pairs = lower.matchAll(/(?=(?<![\p{L}\p{N}_])([\p{L}\p{N}_]+[^\p{L}\p{N}\n]{1,3}[\p{L}\p{N}_]+))/gu);
  return [...pairs]
    .map((match) => match[1] as string)
    .filter((pair) => !pair.split(/[^\p{L}\p{N}_]+/u).some((word) => STOP_WORDS.has(word)));
}
