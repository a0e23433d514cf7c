import { ASCII, FewUnits, firstShown, lastShown } from "../ascii-ends.ts";

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
/** How long the words above are, and the letters they begin and end with; see `formOf`. */
const PASSED_FORMS: ReadonlySet<number> = new Set([...PASSED_WORDS].map((word) => formOf(word, 0, word.length - 1)));

/** True for a row that reports, in a language other than English, that something passed. */
export function isPassedLanguage(body: string): boolean {
  const ends = mayEndPassed(body) ? endsPassed(body) : undefined;
  return ends ?? (FIRST_UNITS.has(body.charCodeAt(firstShown(body))) && PASSED_FIRST.test(body));
}

/** False when the last word is none of those above, which its length and two letters of it tell soonest. */
function mayEndPassed(body: string): boolean {
  let last = lastShown(body);
  while (last >= 0 && body.charCodeAt(last) < ASCII && CLOSING.has(body.charCodeAt(last))) last--;
  if (last < 0) return false;
  const first = body.lastIndexOf(" ", last) + 1;
  if (body.charCodeAt(last) >= ASCII || body.charCodeAt(first) >= ASCII) return true;
  return PASSED_FORMS.has(formOf(body, first, last));
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
