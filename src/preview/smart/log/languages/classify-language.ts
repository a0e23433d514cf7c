import type { Verdict } from "../rules/rule.ts";
import { LETTERS, markTrouble, signOf, TROUBLE_KINDS } from "./word-pattern.ts";

interface LanguageRule extends Verdict {
  /** Of a text whose words of trouble are marked. */
  readonly pattern: RegExp;
}

const FIRST = signOf(TROUBLE_KINDS[0] ?? "fatal");
const LAST = signOf(TROUBLE_KINDS.at(-1) ?? "warning");
const [FATAL, ERROR, EXCEPTION, ABSENCE, WARNING] = [
  signOf("fatal"),
  signOf("error"),
  signOf("exception"),
  signOf("absence"),
  signOf("warning"),
];
const HAN = "\\u3400-\\u9fff";
const ANY_LETTER = `${LETTERS}\\u3040-\\u30ff${HAN}\\uac00-\\ud7af`;
const LETTER = `[${ANY_LETTER}]`;
const NOUN = `[${FATAL}${signOf("test")}${signOf("failure")}${ERROR}${EXCEPTION}${WARNING}]`;
const ERRORS = `[${FATAL}${ERROR}]`;

/** Before what is not there: "keine Fehler", "aucune erreur", "без ошибок". */
const NONE_BEFORE = [
  `kein${LETTER}{0,2}|ohne|aucune?|sans|pas d['’]|pas de|zéro|zero|null|sin|ning[uú]n[ao]?|cero|no hay|no hubo`,
  `no se (?:han? )?(?:produ|detect)${LETTER}{2,6}|sem|nenhuma?|n[aã]o (?:há|houve|foram encontrad[oa]s)|nessun[oa]?|senza`,
  "non (?:ci sono|sono stati (?:trovati|rilevati))|без|нет|никаких|не (?:обнаружено|было|выявлено|возникло)",
  `bez|brak|nie (?:wykryto|ma|było)|hiçbir|hiç|sıfır|${ABSENCE}`,
].join("|");
/** The same in scripts without blanks: 没有错误, 未发现异常. */
const NONE_BEFORE_HAN = `(?:没有|沒有|没|沒|无(?!法)|無(?!法)|未(?:发现|發現|检测到|檢測到|出现|出現|发生|發生)|零)(?:任何|发现|發現|发生|發生|出现|出現|检测到|報告|报告)?[${HAN}]{0,2}`;
/** After what is not there: エラーなし, 오류 없음, "ошибок нет", "hata yok". */
const NONE_AFTER = [
  `(?:は|が|も)?\\s?(?:一切|特に)?(?:なし|無し|無く|${signOf("doubt")}|ない|なく|ゼロ|検出されません|発生していません|発生しません|${ABSENCE})`,
  "(?:가|는|이|도|를|은)?\\s?(?:전혀 )?(?:없|발견되지|발생하지)",
  "\\s(?:нет|не (?:обнаружено|было|выявлено|возникло))",
  "\\s(?:yok|bulunmad[ıi]|oluşmad[ıi]|alınmad[ıi]|tespit edilmedi|meydana gelmedi)",
  `\\s(?:nie (?:wykryto|było)|${ABSENCE})`,
].join("|");
const UNIT = "(?:\\s?(?:个|個|项|項|次|处|處|条|條|件|개|건))?";
const COUNTED = "(?:数|數|数量|總數|总数|件数|\\ssayısı)?\\s?[:：=]?\\s?(?:为|為|は|が)?\\s?";
const ABSENT = new RegExp(
  [
    `(?<![${ANY_LETTER}\\d])(?:${NONE_BEFORE})\\s{0,2}(?:${LETTER}{2,16}\\s){0,2}?${NOUN}(?:${NONE_AFTER})?`,
    `${NONE_BEFORE_HAN}${NOUN}`,
    `(?<![${ANY_LETTER}\\d.,:])[0０]${UNIT}(?:の|의)?\\s?(?:${LETTER}{1,16}\\s)?[${HAN}]{0,3}${NOUN}`,
    `${NOUN}${COUNTED}[0０]${UNIT}(?![\\dx.${ANY_LETTER}])`,
    `(?:${NOUN}|問題|问题|문제)(?:${NONE_AFTER})`,
    `fehler(?:frei|los)${LETTER}{0,3}|hatas[ıi]z${LETTER}{0,6}|無${ERROR}|무${ERROR}`,
  ].join("|"),
  "g",
);

const INFORMATION =
  "信息|提示|资讯|資訊|情報|정보|알림|hinweis|информация|сведения|información|informação|informazione|informacja|bilgi";
/** Rows that call themselves a warning or information. */
const MILD = new RegExp(
  `^[^${ANY_LETTER}${FIRST}-${LAST}]{0,40}(?:${WARNING}|${INFORMATION})[\\])】>]?\\s?(?:[:：\\s]|$)`,
);
/** How loggers call what is graver than a warning. */
const LEVELS = "严重|嚴重|重大|심각|grave|schwerwiegend";
const START = `^[^${ANY_LETTER}${FIRST}-${LAST}]{0,40}(?:[\\w.-]{1,24}[:：] ?)?`;
const PLACE = "^[^\\s:]{1,300}?(?::\\d+(?::\\d+)?|\\(\\d+(?:,\\d+)?\\))\\s?[:：]\\s?";
const SOME_WORDS = `[${ANY_LETTER} ]`;

function withWholeVerdict({ score, reason, following, before, pattern }: LanguageRule): LanguageRule {
  return { score, reason, following, before, pattern };
}

const STRONGEST_FIRST: readonly LanguageRule[] = [
  {
    pattern: new RegExp(`${PLACE}${SOME_WORDS}{0,24}?${ERRORS}${SOME_WORDS}{0,16}[:：]`),
    score: 97,
    reason: "compiler error",
  },
  { pattern: new RegExp(signOf("test")), score: 88, reason: "failed test" },
  {
    pattern: new RegExp(`${START}${SOME_WORDS}{0,24}?${ERRORS}${SOME_WORDS}{0,24}[\\])】>]?\\s?[:：]`),
    score: 86,
    reason: "error",
  },
  {
    pattern: new RegExp(`${START}[[【(<]?(?:${ERRORS}|${LEVELS})[\\])】>]?(?:[:：]|[\\])】>]|\\s\\S)`),
    score: 80,
    reason: "log level",
  },
  { pattern: new RegExp(FATAL), score: 72, reason: "fatal error" },
  { pattern: new RegExp(`${EXCEPTION}${LETTER}{0,3}\\s?[:：]`), score: 72, reason: "exception", following: "trace" },
  { pattern: new RegExp(signOf("failure")), score: 62, reason: "failure" },
  { pattern: new RegExp(`[${ABSENCE}${signOf("refusal")}]`), score: 56, reason: "something missing or refused" },
  { pattern: new RegExp(EXCEPTION), score: 54, reason: "exception", following: "trace" },
  { pattern: new RegExp(ERROR), score: 50, reason: "error" },
  { pattern: new RegExp(signOf("doubt")), score: 36, reason: "something missing or refused" },
];
const RULES = STRONGEST_FIRST.map(withWholeVerdict);
const WARNED = withWholeVerdict({
  pattern: new RegExp(WARNING),
  score: 20,
  reason: "warning",
  following: "none",
  before: 0,
});
const MARKED = new RegExp(`[${FIRST}-${LAST}]`);

/** What a row tells in a language other than English; negations do not count. */
export function classifyLanguage(body: string): Verdict | undefined {
  const marked = markTrouble(body);
  if (!MARKED.test(marked)) return undefined;
  const said = marked.replace(ABSENT, " ");
  if (MILD.test(said)) return WARNED;
  return RULES.find(({ pattern }) => pattern.test(said)) ?? (WARNED.pattern.test(said) ? WARNED : undefined);
}

/** Where about the first such word stands; -1 when there is none. */
export function findTrouble(text: string): number {
  return markTrouble(text).search(MARKED);
}
