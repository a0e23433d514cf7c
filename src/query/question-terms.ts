import { latePattern } from "./late-pattern.ts";
import { withoutOutput } from "./said-of-output.ts";
import { shortForms } from "./short-forms.ts";
import { escapePattern, GRAMMAR_WORDS, STOP_WORDS, splitIdentifier, stem } from "./words.ts";

const TOKEN = latePattern(String.raw`[\p{L}\p{N}_$]+(?:[-.][\p{L}\p{N}_$]+)*`, "gu");
const PLAIN_WORD = latePattern(String.raw`[\p{L}\p{N}]+`, "gu");

/** One thing to look for. */
export interface RelevanceTerm {
  /** Lower case; of two words side by side, without what joins them. */
  readonly text: string;
  /** The pattern that finds it in lower-cased text. */
  readonly pattern: string;
  readonly weight: number;
  /** Terms that this one contains, found whenever it is found. */
  readonly parts: readonly number[];
}

const MAX_TERMS = 96;
const MAX_QUERY_CHARS = 4000;
/** Two words side by side in the question and in the text alike are hardly a coincidence. */
const PAIR_WEIGHT = 1.5;
const PAIR_RANK = 0.5;
/** What a word may be shortened to in a name counts less than the word. */
const SHORT_FORM_WEIGHT = 0.4;
/** The beginning of a long word also finds its relatives: "relationship" finds `related`, "queryset" finds `query`. */
const ROOT_CHARS = 5;
const ROOT_WEIGHT = 0.3;
/** What questions about code, and the names of faults in it, say of any code. */
const ASKING_WORDS: ReadonlySet<string> = new Set(
  (
    "code hit hits match matches function place looking located handle handling support missing instead sometimes longer " +
    "allow avoid ensure prevent correct correctly incorrect incorrectly properly regression don doesn isn shouldn"
  ).split(" "),
);
/** Within an identifier other stop words tell what it names: `line_graph`, `check_output`. */
const JOINING_WORDS: ReadonlySet<string> = new Set(
  "a an and are as at be by do for from get has have if in into is it no not of on or set that the then this to use was with".split(
    " ",
  ),
);

/** True for a word that stands in any question, or in any question about code. */
export function saysNothing(word: string): boolean {
  return STOP_WORDS.has(word) || ASKING_WORDS.has(word);
}

/** What a question calls the output, its parts, and what is to be done with them. */
const ASKED_OF: ReadonlySet<string> = new Set(
  (
    "answer article bug bugs carry carries change code contain contains describe explain file files find fix fixed function happen happened happens hit hits " +
    "line lines list log logs look looking main matter matters occur occurred output outputs page place question read report " +
    "run say says show shown shows summarise summarize summary tell text thing things tool website went"
  ).split(" "),
);
/** With more such words a question asks for something that it does not name. */
const MOST_GENERAL = 2;

/** The few general words of a question that names nothing else: who asks for "error" or "support" means just that. */
function generalWords(query: string): string[] {
  const words = query.toLowerCase().match(PLAIN_WORD()) ?? [];
  const said = [...new Set(words.filter((word) => !GRAMMAR_WORDS.has(word) && !ASKED_OF.has(word)))];
  return said.length <= MOST_GENERAL ? said : [];
}

/** Reads a question. In names of files, unlike in their text, words are often shortened. */
export function questionTerms(question: string, shortened: boolean): RelevanceTerm[] {
  const query = withoutOutput(question.slice(0, MAX_QUERY_CHARS));
  const weights = new Map<string, number>();
  const parts = new Map<string, string[]>();
  const pairs = new Map<string, string>();
  const add = (text: string, weight: number, made: readonly string[] = []): void => {
    if (text.length < 2 || text.length > 100) return;
    weights.set(text, Math.max(weights.get(text) ?? 0, weight));
    if (made.length > 0) parts.set(text, [...made]);
  };
  let previous: string | undefined;
  for (const [token] of query.matchAll(TOKEN())) {
    const names = token.split(/[-.]/);
    if (names.length > 1) add(token.toLowerCase(), 2, names.flatMap(splitIdentifier).map(stem));
    for (const name of names) {
      const words = splitIdentifier(name);
      if (words.length > 1) add(name.toLowerCase(), 2.5, words.map(stem));
      for (const word of words) {
        const stopped = words.length > 1 ? JOINING_WORDS.has(word) : saysNothing(word);
        const numeric = /^\d+$/.test(word);
        if (stopped || (numeric && word.length < 3)) {
          previous = word;
          continue;
        }
        const root = word.slice(0, ROOT_CHARS);
        add(stem(word), words.length > 1 ? 0.7 : 1, stem(word).length > ROOT_CHARS ? [root] : []);
        if (stem(word).length > ROOT_CHARS) add(root, ROOT_WEIGHT);
        if (shortened) for (const short of shortForms(word)) add(short, SHORT_FORM_WEIGHT);
        if (previous !== undefined && !STOP_WORDS.has(previous)) {
          const pair = previous + stem(word);
          if (!weights.has(pair)) pairs.set(pair, `${escapePattern(previous)}[_ -]?${escapePattern(stem(word))}`);
          add(pair, PAIR_WEIGHT, [stem(previous), stem(word)]);
        }
        previous = word;
      }
    }
  }
  if (weights.size === 0) for (const word of generalWords(query)) add(stem(word), 1);
  // A long question has as many pairs as words, and the words find more.
  const rank = ([text, weight]: readonly [string, number]): number => (pairs.has(text) ? PAIR_RANK : weight);
  const kept = [...weights]
    .sort((a, b) => rank(b) - rank(a) || b[0].length - a[0].length || (a[0] < b[0] ? -1 : 1))
    .slice(0, MAX_TERMS);
  const place = new Map(kept.map(([text], index) => [text, index]));
  return kept.map(([text, weight]) => ({
    text,
    pattern: pairs.get(text) ?? escapePattern(text),
    weight,
    parts: (parts.get(text) ?? [])
      .flatMap((part) => place.get(part) ?? [])
      .filter((index) => kept[index]?.[0] !== text),
  }));
}
