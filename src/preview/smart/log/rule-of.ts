/** What a linter or compiler prints with a place, so that a code in it is the rule that was broken. */
const DIAGNOSTICS: ReadonlySet<string> = new Set([
  "compiler error",
  "compiler warning",
  "linter error",
  "linter warning",
  "linter message",
  "message at a source line",
]);

/** `file:3:1: E501 …`, `file(3,1): error TS2339: …`, `file:3:1 lint/style/useConst …`, `SC2086 (info): …`. */
const CODE_FIRST =
  /(?:[:)]\s*|\s|^)(?:(?:fatal |syntax )?(?:error|warning|note|info|style|refactor|convention)[:\s[]\s*)?([A-Z]{1,6}\d{2,6}|lint\/[\w/]{3,80})(?=[\s:\]]|$)/;
/** `… [no-untyped-def]`, `… (unused-import)`, `… [-Wunused]`. */
const BRACKETED_LAST = /\s[[(](-?[A-Za-z@][\w@/.=:+-]{2,80})[\])]\s*$/;
/** `  3:1  error  message  rule-name` */
const NAMED_LAST = /^\s+\d+:\d+\s.*\s{2,}([A-Za-z@][\w@/.-]{2,80})\s*$/;
const EXAMINED = 400;

/** The rule that a message of a linter or compiler names; undefined when it names none. */
export function ruleOf(body: string, reason: string): string | undefined {
  if (!DIAGNOSTICS.has(reason)) return undefined;
  const found =
    CODE_FIRST.exec(body.slice(0, EXAMINED)) ?? NAMED_LAST.exec(body) ?? BRACKETED_LAST.exec(body.slice(-EXAMINED / 2));
  // Templates take all numbers for one.
  return found?.[1]?.replace(/\d/g, (digit) => String.fromCharCode(0x61 + Number(digit)));
}
