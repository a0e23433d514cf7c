import type { Verdict } from "../rules/rule.ts";
import { troublePattern } from "./word-pattern.ts";

interface LanguageRule extends Verdict {
  readonly pattern: RegExp;
}

/** Before what is not there: "keine Fehler", "aucune erreur", "без ошибок". */
const NONE_BEFORE = [
  "kein\\p{L}{0,2}|ohne|aucune?|sans|pas d['’]|pas de|zéro|zero|null|sin|ning[uú]n[ao]?|cero|no hay|no hubo",
  "no se (?:ha[n]? )?(?:encontr|produ|detect)\\p{L}{2,6}|sem|nenhuma?|n[aã]o (?:há|houve|foram encontrad[oa]s)|nessun[oa]?|senza",
  "non (?:ci sono|sono stati (?:trovati|rilevati))|без|нет|никаких|не (?:обнаружено|найдено|было|выявлено|возникло)",
  "bez|brak|nie (?:znaleziono|wykryto|ma|było)|hiçbir|hiç|sıfır",
].join("|");
/** The same in scripts without blanks: 没有错误, 未发现异常. */
const NONE_BEFORE_HAN =
  "(?:没有|沒有|没|沒|无(?![法效])|無(?![法効效])|未(?:发现|發現|检测到|檢測到|出现|出現|发生|發生|找到)|找不到|零)(?:任何|发现|發現|发生|發生|出现|出現|检测到|報告|报告)?[\\p{Script=Han}]{0,2}";
/** After what is not there: エラーなし, 오류 없음, "ошибок нет", "hata yok". */
const NONE_AFTER = [
  "(?:は|が|も)?\\s?(?:一切|特に)?(?:なし|無し|無く|ありません|ない|なく|ゼロ|見つかりません|検出されません|発生していません|発生しません)",
  "(?:가|는|이|도|를|은)?\\s?(?:전혀 )?(?:없|발견되지|발생하지)",
  "\\s(?:нет|не (?:найдено|обнаружено|было|выявлено|возникло))",
  "\\s(?:yok|bulunamad[ıi]|bulunmad[ıi]|oluşmad[ıi]|alınmad[ıi]|tespit edilmedi|meydana gelmedi)",
  "\\snie (?:znaleziono|wykryto|było)",
].join("|");
const UNIT = "(?:\\s?(?:个|個|项|項|次|处|處|条|條|件|개|건))?";
/** How loggers call what is graver than a warning. */
const LEVELS = "严重|嚴重|重大|심각|grave|schwerwiegend";
const START = "^[^\\p{L}]{0,40}(?:[\\w.-]{1,24}[:：] ?)?";
const PLACE = "^[^\\s:]{1,300}?(?::\\d+(?::\\d+)?|\\(\\d+(?:,\\d+)?\\))\\s?[:：]\\s?";
const INFORMATION =
  "信息|提示|资讯|資訊|情報|정보|알림|hinweis|информация|сведения|información|informação|informazione|informacja|bilgi";

interface LanguageRules {
  readonly trouble: RegExp;
  readonly absent: RegExp;
  /** Finds rows that call themselves a warning or information. */
  readonly mild: RegExp;
  readonly warning: LanguageRule;
  /** Strongest first. */
  readonly strong: readonly LanguageRule[];
}

/** Made when the first such word is met, since most outputs have none. */
let rules: LanguageRules | undefined;

function createRules(): LanguageRules {
  const words = (source: string): RegExp => new RegExp(source, "iu");
  const nouns = troublePattern("fatal", "test", "failure", "error", "exception", "warning");
  const errors = troublePattern("fatal", "error");
  const exceptions = troublePattern("exception");
  const warnings = troublePattern("warning");
  const absent = [
    `(?<![\\p{L}\\p{N}])(?:${NONE_BEFORE})\\s{0,2}(?:\\p{L}{2,16}\\s){0,2}?${nouns}(?:${NONE_AFTER})?`,
    `${NONE_BEFORE_HAN}${nouns}`,
    `(?<![\\p{L}\\p{N}.,:])[0０]${UNIT}(?:の|의)?\\s?(?:\\p{L}{1,16}\\s)?[\\p{Script=Han}]{0,3}${nouns}`,
    `${nouns}(?:数|數|数量|總數|总数|件数|\\ssayısı)?\\s?[:：=]?\\s?(?:为|為|は|が)?\\s?[0０]${UNIT}(?![\\p{N}xX.\\p{L}])`,
    `(?:${nouns}|問題|问题|문제)(?:${NONE_AFTER})`,
    "fehler(?:frei|los)\\p{L}{0,3}|hatas[ıi]z\\p{L}{0,6}|無エラー|무오류",
  ];
  return {
    trouble: words(`${nouns}|${troublePattern("refusal", "doubt")}`),
    absent: new RegExp(absent.join("|"), "giu"),
    mild: words(`^[^\\p{L}]{0,40}(?:${warnings}|${INFORMATION})[\\])】>]?\\s?(?:[:：\\s]|$)`),
    warning: { pattern: words(warnings), score: 20, reason: "warning", following: "none", before: 0 },
    strong: [
      {
        pattern: words(`${PLACE}[\\p{L} ]{0,24}?${errors}[\\p{L} ]{0,16}\\s?[:：]`),
        score: 97,
        reason: "compiler error",
      },
      { pattern: words(troublePattern("test")), score: 88, reason: "failed test" },
      {
        pattern: words(`${START}[\\p{L} ]{0,24}?${errors}[\\p{L} ]{0,24}[\\])】>]?\\s?[:：]`),
        score: 86,
        reason: "error",
      },
      {
        pattern: words(`${START}[[【(<]?(?:${errors}|${LEVELS})[\\])】>]?(?:[:：]|[\\])】>]|\\s\\S)`),
        score: 80,
        reason: "log level",
      },
      { pattern: words(troublePattern("fatal")), score: 72, reason: "fatal error" },
      { pattern: words(`${exceptions}\\p{L}{0,3}\\s?[:：]`), score: 72, reason: "exception", following: "trace" },
      { pattern: words(troublePattern("failure")), score: 62, reason: "failure" },
      { pattern: words(troublePattern("refusal")), score: 56, reason: "something missing or refused" },
      { pattern: words(exceptions), score: 54, reason: "exception", following: "trace" },
      { pattern: words(troublePattern("error")), score: 50, reason: "error" },
      { pattern: words(troublePattern("doubt")), score: 36, reason: "something missing or refused" },
    ],
  };
}

/** What a row tells in a language other than English; negations do not count. */
export function classifyLanguage(body: string): Verdict | undefined {
  rules ??= createRules();
  if (!rules.trouble.test(body)) return undefined;
  const said = body.replace(rules.absent, " ");
  if (rules.mild.test(said)) return rules.warning;
  return (
    rules.strong.find(({ pattern }) => pattern.test(said)) ??
    (rules.warning.pattern.test(said) ? rules.warning : undefined)
  );
}

/** Where the first such word stands; -1 when there is none. */
export function findTrouble(text: string): number {
  rules ??= createRules();
  return text.search(rules.trouble);
}

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

/** True for a row that reports, in a language other than English, that something passed. */
export function isPassedLanguage(body: string): boolean {
  const end = body.trimEnd();
  const wide = end.charCodeAt(end.length - 1) > 127;
  if (wide && PASSED_LAST_HAN.test(end)) return true;
  const blank = end.lastIndexOf(" ");
  const last = end.slice(blank + 1).replace(/[.。!！)\]】]+$/, "");
  if (PASSED_WORDS.has(last) || PASSED_WORDS.has(last.toLowerCase())) {
    const before = end.slice(end.lastIndexOf(" ", blank - 1) + 1, Math.max(0, blank)).toLowerCase();
    return !NOT.has(before);
  }
  return PASSED_FIRST.test(body);
}
