import { LANGUAGES, type LanguageWords, type TroubleKind } from "./trouble-words.ts";

/** Scripts that put no blanks between words, or endings straight after them. */
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const BEFORE = String.raw`(?<![\p{L}\p{N}_./\\-])`;
const AFTER = String.raw`(?![\p{L}\p{N}_/\\=(])`;
const FURTHER_LETTERS = String.raw`\p{L}{0,20}`;
const FEW_WORDS = ".{1,60}";

function* wordsOf(kinds: readonly TroubleKind[]): Iterable<{ word: string; language: LanguageWords }> {
  for (const language of Object.values(LANGUAGES)) {
    for (const kind of kinds) {
      for (const word of language.words[kind]?.split("|") ?? []) yield { word, language };
    }
  }
}

/** A pattern source, for the flags `iu`, that finds the words of these kinds in all languages. */
export function troublePattern(...kinds: readonly TroubleKind[]): string {
  const spaced: string[] = [];
  const unspaced: string[] = [];
  for (const { word, language } of wordsOf(kinds)) {
    if (UNSPACED.test(word)) unspaced.push(word);
    else spaced.push(spell(word, language.dotted === true));
  }
  return `(?:${unspaced.join("|")}|${BEFORE}(?:${spaced.join("|")})${AFTER})`;
}

function spell(word: string, dotted: boolean): string {
  return word.replace(/[~…'iı]/g, (letter) => {
    if (letter === "~") return FURTHER_LETTERS;
    if (letter === "…") return FEW_WORDS;
    if (letter === "'") return "['’]";
    if (!dotted) return letter;
    return letter === "i" ? "[iİ]" : "[ıI]";
  });
}

/** All words as bytes may spell them: the parts without which they cannot stand, in lower and upper case. */
export function troubleSpellings(): readonly string[] {
  const kinds: TroubleKind[] = ["fatal", "test", "failure", "error", "exception", "refusal", "doubt", "warning"];
  const spellings = new Set<string>();
  for (const { word, language } of wordsOf(kinds)) {
    const part = word.replace(/^~/, "").replace(/[~…].*$/, "");
    for (const literal of part.includes("'") ? [part, part.replace("'", "’")] : [part]) {
      for (const spelling of wholeWord(literal, word)) addCases(spelling, language.dotted === true, spellings);
    }
  }
  return [...spellings];
}

/** What begins many a word of English is looked for with what may follow it. */
function wholeWord(literal: string, word: string): readonly string[] {
  if (literal !== "erro" || word !== "erro") return [literal];
  return ["erro ", "erro:", "erro,", "erro.", "erro]", "erro!", "com erro", "um erro", "de erro"];
}

function addCases(text: string, dotted: boolean, into: Set<string>): void {
  const upper = (part: string): string => (dotted ? part.replaceAll("i", "İ") : part).toUpperCase();
  const [first = "", ...rest] = text;
  for (const spelling of [text, upper(first) + rest.join(""), upper(text)]) {
    into.add(spelling.replace(/[A-Z]/g, (letter) => letter.toLowerCase()));
  }
}
