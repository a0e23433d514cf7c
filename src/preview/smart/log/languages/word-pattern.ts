import { LANGUAGES, type LanguageWords, type TroubleKind } from "./trouble-words.ts";

/** Strongest first. */
export const TROUBLE_KINDS: readonly TroubleKind[] = [
  "fatal",
  "test",
  "failure",
  "exception",
  "absence",
  "refusal",
  "error",
  "doubt",
  "warning",
];

/** Letters of the languages, in lower case, for a class of a pattern. */
export const LETTERS = "a-z\\u00df-\\u024f\\u0430-\\u045f";
const FURTHER_LETTERS = `[${LETTERS}]{0,20}`;
const FEW_WORDS = ".{1,60}?";
const CYRILLIC = /[\u0400-\u04ff]/;
/** Scripts that put no blanks between words, or endings straight after them. */
const UNSPACED = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;

/** Which letters a text is written in, as far as it matters where its words end. */
type Script = "unspaced" | "cyrillic" | "latin";

function scriptOf(text: string): Script {
  if (UNSPACED.test(text)) return "unspaced";
  return CYRILLIC.test(text) ? "cyrillic" : "latin";
}

function* wordsOf(kinds: readonly TroubleKind[]): Iterable<{ word: string; language: LanguageWords }> {
  for (const kind of kinds) {
    for (const language of Object.values(LANGUAGES)) {
      for (const word of language.words[kind]?.split("|") ?? []) yield { word, language };
    }
  }
}

const patterns = new Map<Script, RegExp>();

/** Made when the first text of a script is read. */
function patternOf(script: Script): RegExp {
  let pattern = patterns.get(script);
  if (pattern === undefined) {
    const groups = TROUBLE_KINDS.map((kind) => {
      const words = [...wordsOf([kind])].filter(({ word }) => scriptOf(word) === script);
      const spelled = words.map(({ word, language }) => spell(word, language.dotted === true));
      return `(${spelled.length === 0 ? "(?!)" : spelled.join("|")})`;
    });
    const any = groups.join("|");
    const whole = `(?<![${LETTERS}\\d_./\\\\-])(?:${any})(?![${LETTERS}\\d_/\\\\=(])`;
    pattern = new RegExp(script === "unspaced" ? any : whole, "g");
    patterns.set(script, pattern);
  }
  return pattern;
}

function spell(word: string, dotted: boolean): string {
  return word.replace(/[~…'iı]/g, (letter) => {
    if (letter === "~") return FURTHER_LETTERS;
    if (letter === "…") return FEW_WORDS;
    if (letter === "'") return "['’]";
    return dotted ? "[iı]" : letter;
  });
}

/** The sign that stands for a word of one kind in a text whose words of trouble are marked. */
export function signOf(kind: TroubleKind): string {
  return String.fromCharCode(0xe000 + TROUBLE_KINDS.indexOf(kind));
}

/** The text in lower case, with one sign for each word of trouble. */
export function markTrouble(text: string): string {
  const lower = text.toLowerCase().replaceAll("\u0307", "");
  const mark = (script: Script, unmarked: string): string =>
    unmarked.replace(patternOf(script), (...found: unknown[]) => {
      const kind = TROUBLE_KINDS.findIndex((_, index) => found[index + 1] !== undefined);
      return String.fromCharCode(0xe000 + kind);
    });
  const script = scriptOf(lower);
  const marked = mark(script, lower);
  return script === "unspaced" && CYRILLIC.test(lower) ? mark("cyrillic", marked) : marked;
}

/** All words as bytes may spell them: the parts without which they cannot stand, in lower and upper case. */
export function troubleSpellings(): readonly string[] {
  const spellings = new Set<string>();
  for (const { word, language } of wordsOf(TROUBLE_KINDS)) {
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
