import { ASCII, FewUnits } from "../ascii-ends.ts";

const PASSED_LAST_HAN = /(?<!未能|没能|沒能|没有|沒有|无法|無法|未|不)(?:通过|通過|成功|合格)[。！!)\]】\s]{0,4}$/;
const PASSED_WORDS: ReadonlySet<string> = new Set(
  (
    "통과 성공 합격 bestanden erfolgreich réussi réussie réussis succès aprobado aprobada superado correcto éxito passou " +
    "sucesso aprovado superato superata riuscito успешно пройден пройдено zaliczony sukces pomyślnie başarılı geçti"
  ).split(" "),
);
const NOT: ReadonlySet<string> = new Set("nicht pas non no não nao не nie sin sem 못".split(" "));
const PASSED_FIRST =
  /^\s{0,40}(?:[✓✔√]\s?)?[[【(]?(?:通过|通過|成功|合格|통과|성공|bestanden|réussi|aprobado|superado|aprovado|superato|успешно|пройден|zaliczony|başarılı|geçti)[\])】]?(?:\s?[:：]|\s)/i;

/** The bit by which ASCII letters differ from those of the other case. */
const LOWER = 32;
const CLOSING = new FewUnits(".!)]");
/** The letters with which these may begin, when that is one of ASCII. */
const FIRST_UNITS = new FewUnits("[(bBrRaAsSzZgG");
/** The letters with which the words above may end. */
const LAST_UNITS = new FewUnits(
  [...PASSED_WORDS].map((word) => `${word.at(-1)}${word.at(-1)?.toUpperCase()}`).join(""),
);
/** How long the words above are, and the letters they begin and end with; see `formOf`. */
const PASSED_FORMS: ReadonlySet<number> = new Set([...PASSED_WORDS].map((word) => formOf(word, 0, word.length - 1)));

/**
 * True for a row that reports, in a language other than English, that something passed. `first` is its first character that is
 * no blank, `last` the place of its last one.
 */
export function isPassedLanguage(body: string, first: number, last: number): boolean {
  const ends = mayEndPassed(body, last) ? endsPassed(body) : undefined;
  return ends ?? (FIRST_UNITS.has(first) && PASSED_FIRST.test(body));
}

/** False when the last word is none of those above, which its length and two letters of it tell soonest. */
function mayEndPassed(body: string, end: number): boolean {
  let last = end;
  let unit = body.charCodeAt(last);
  while (unit < ASCII && CLOSING.has(unit)) unit = body.charCodeAt(--last);
  if (last < 0) return false;
  if (unit >= ASCII) return true;
  if (!LAST_UNITS.has(unit)) return false;
  const first = body.lastIndexOf(" ", last) + 1;
  return body.charCodeAt(first) >= ASCII || PASSED_FORMS.has(formOf(body, first, last));
}

function formOf(text: string, first: number, last: number): number {
  return (last - first) * ASCII * ASCII + (text.charCodeAt(first) | LOWER) * ASCII + (text.charCodeAt(last) | LOWER);
}

/** Undefined when the last word is none of those above. */
function endsPassed(body: string): boolean | undefined {
  const end = body.trimEnd();
  const wide = end.charCodeAt(end.length - 1) > 127;
  if (wide && PASSED_LAST_HAN.test(end)) return true;
  const blank = end.lastIndexOf(" ");
  const last = end.slice(blank + 1).replace(/[.。!！)\]】]+$/, "");
  if (!PASSED_WORDS.has(last) && !PASSED_WORDS.has(last.toLowerCase())) return undefined;
  const before = end.slice(end.lastIndexOf(" ", blank - 1) + 1, Math.max(0, blank)).toLowerCase();
  return !NOT.has(before);
}
