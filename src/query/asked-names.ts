import { characterPairs } from "./character-runs.ts";
import { type AskedToken, readQuestion, saysAny } from "./question.ts";
import { readWords } from "./read-words.ts";
import { isGrammar, isStopWord, stem } from "./words.ts";

/**
 * Words of everyday questions. That none of them stands in an output does not tell that it holds no answer: "did anything
 * look suspicious?" asks for what nobody calls so.
 */
const EVERYDAY =
  "absolutely accurate action cause origin source actual actually advice affect again alright analyse analysis analyze another anybody anyone anything appear " +
  "appears ask assess attention bad badly basically be behave behaving best better blocking brief briefly broadly causing check checking clear " +
  "clearly come conclude conclusion concern concerns confirm correct crucial cure currently deal debug decide describe determine diagnose " +
  "diagnosis difference different difficulty discover done elaborate end ended ending entire especially essential everyone everything exact " +
  "exactly examine expect expected explanation figure final finally finding findings fine finish finished first focus follow following fully " +
  "funny gist give given going gone good great guess happening happens healthy help helpful here highlight highlights hint hints hurt " +
  "idea identify important improve inspect instead interpret investigate involved item items know last least left lesson let like likely " +
  "little long mean meaning means mention miss mistake mistakes more most name necessary need new next nice normal note notable nothing notice " +
  "noteworthy now number odd off okay ok ones outcome part particular particularly people perhaps please point points possible possibly " +
  "probably progress provide put question quick quickly quite rather ready real really recommend relevant remain remaining rest right root " +
  "rough safe see seem seems sense serious seriously short shortly significant since situation solution solve somebody someone something " +
  "somewhere soon sort specific stand stands start started status still strange succeed succeeded success successful successfully such " +
  "suggest sum sure surprising suspect suspicious take tell thank thanks think thought time today together top total trouble troubles try " +
  "trying turn type understand unexpected unusual up urgent useful usual version want warn warning warnings way weird well went wonder word words " +
  "work worked working works worry worst worth wrote yet";
/** Words by which a question shows that it is not in English; then only its names can be looked for. */
const FOREIGN =
  "warum wieso weshalb welche welcher welches wurde wurden ist sind nicht fehler schiefgelaufen fehlgeschlagen pourquoi quel quelle quels " +
  "quelles quoi est pas échoué passé qué por cuál cuáles cómo falló fue pasó salió mal perché quale quali cosa andato storto porque qual " +
  "quais deu errado falhou почему что какие какой не пошло так ошибка dlaczego jaki jakie poszło neden hangi ne";

/** Signs that questions in Chinese and Japanese are made of, and what they call trouble. */
const EVERYDAY_SIGNS =
  /[出了什么麼问問题題错錯误誤失败敗原因为為何怎样樣哪里裡在的吗嗎呢是有没沒发發生事がしましたかのはをでにどこなぜエラ]/gu;

let everyday: ReadonlySet<string> | undefined;
let foreign: ReadonlySet<string> | undefined;

/** True for what is no everyday word: a name, a number, a path, or a rare word of a question in English. */
function isParticular(text: string, said: string): boolean {
  if (/[\d_./\\:#$@-]|\p{Ll}\p{Lu}/u.test(text)) return true;
  foreign ??= new Set(FOREIGN.split(" "));
  everyday ??= new Set(EVERYDAY.split(" "));
  const known = foreign;
  if (said.split(" ").some((word) => known.has(word))) return false;
  const rest = text.replace(EVERYDAY_SIGNS, "");
  if (rest.length < text.length) return rest.length > 1;
  return !everyday.has(text.toLowerCase());
}

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

/** Flags, pipes and the like: a command line is no question, though it holds names and may begin with `find`. */
const COMMAND_LINE = /(?:^|\s)--?[a-z]|&&|\|\||\s\|\s|\$\(|^\s*find [./~]/i;
/** How a question begins that has no question mark. */
const ASKING =
  /^\W{0,3}(?:how|what|which|why|where|when|who|whose|is|are|was|were|did|does|do|has|have|can|find|show|list|explain|tell|search|locate|look)\s+\S/i;
const QUESTION_MARK = /[?？]\s*(?:$|[\s"'”’)])/;

/** True for what asks, false for a statement such as the title of an issue, a command line or a list of words. */
function isQuestion(query: string): boolean {
  if (QUESTION_MARK.test(query)) return true;
  if (readQuestion(query).tokens.some(({ words }) => words[0]?.run)) return true;
  return ASKING.test(query) && !COMMAND_LINE.test(query);
}

/** True when a question names something particular, so that its absence from an output is news. */
export function asksForParticulars(query: string, names: readonly AskedName[]): boolean {
  if (!isQuestion(query)) return false;
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
