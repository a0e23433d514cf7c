import { FewUnits, firstShown, lastShown } from "../ascii-ends.ts";
import { classifyLanguage, findTrouble, isPassedLanguage } from "../languages/classify-language.ts";
import { prebuilt } from "../prebuilt.ts";
import { LANGUAGE } from "../words.ts";
import type { Rule, Verdict } from "./rule.ts";
import { type FoundRules, RuleFilter, rulesWithoutWords } from "./rule-filter.ts";
import { RULES } from "./rules.ts";
import { createWordAutomaton } from "./word-automaton.ts";

const NEEDED = RULES.reduce((all, { needs }) => all | needs, LANGUAGE);

const MAX_MASKS = 4096;
const indicesByMask = new Map<number, readonly number[]>();

/** To filter takes as long as to try a few rules. */
const FILTER_FROM_RULES = 4;
let filter: RuleFilter | undefined;

const EXAMINED_CHARS = 800;
const BLANK = 32;
const BAR = 124;

// Times, container steps, names of services and workers, and seconds since boot stand before what the tool itself said.
const TIME = String.raw`\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|\s?[+-]\d\d:?\d\d)?\]?(?:\s|$)`;
const PREFIX = new RegExp(
  [
    String.raw`^\ufeff?(?:\s{0,4}${TIME}`,
    String.raw`\[?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\]?(?:\s|$)`,
    String.raw`[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S{1,80} [\w./-]{1,60}(?:\[\d{1,8}\])?:\s`,
    String.raw`#\d{1,4} (?:\d{1,6}\.\d{1,4} |(?=ERROR))`,
    String.raw`\d{1,5}\.\d{3} (?=[a-zA-Z])`,
    String.raw`\[\s{0,8}\d{1,8}\.\d{1,9}\](?:\[[^\]]{0,20}\])?\s`,
    String.raw`\[(?:pod\/[\w./-]{1,120}|[A-Za-z][\w.-]{0,20}[ :#-]\d{1,4})\]\s`,
    String.raw`[A-Za-z][\w.@/-]{0,40}\s{0,24}\|\s`,
    String.raw`(?:DEBUG|INFO) \w{1,40}\.py:\d{1,5}:\s{1,2}`,
    String.raw`@[\w-]{1,40}\/[\w.-]{1,60}:[\w.:-]{1,40}:\s){1,3}`,
  ].join("|"),
);

const COLUMNS = String.raw`^(?:[^\t]{1,80}\t[^\t]{1,80}\t(?=\d{4}-))?`;
const PREFIX_AFTER_COLUMNS = new RegExp(PREFIX.source.replace("^", COLUMNS));

// The frame that some tools draw around a message.
const FRAMED = /^\s{0,4}[│┃┆╎║]\s{0,3}/;

function withoutFrame(body: string): string {
  const first = body.charCodeAt(0);
  return first <= 32 || first >= 128 ? body.replace(FRAMED, "") : body;
}

/** What the tool said, without the times and names that a runner put before it. */
export function bodyOf(text: string): string {
  const capped = text.length > EXAMINED_CHARS ? text.slice(0, EXAMINED_CHARS) : text;
  if (capped.includes("\t")) return capped.replace(PREFIX_AFTER_COLUMNS, "");
  return mayHavePrefix(capped) ? capped.replace(PREFIX, "") : capped;
}

const PREFIX_SIGNS = new FewUnits("0123456789[#@");
const NAME_SIGNS = new FewUnits("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.@/-");

/** False when the prefix cannot match, which a few characters tell much sooner. */
function mayHavePrefix(text: string): boolean {
  const shown = firstShown(text);
  const first = text.charCodeAt(shown);
  if (shown > 0 || PREFIX_SIGNS.has(first)) return PREFIX_SIGNS.has(first);
  // A month, or a name before a bar.
  if (text.charCodeAt(3) === BLANK) return true;
  let at = 0;
  while (NAME_SIGNS.has(text.charCodeAt(at))) at++;
  return text.charCodeAt(firstShown(text, at)) === BAR || text.startsWith("INFO ") || text.startsWith("DEBUG ");
}

// A level that the tool itself gave to the line, at its start or after its time.
const MILD =
  /^(?:.{0,40}?[\s\]:])?[[(<]?(?:(WARN|WARNING|[Ww]arn|[Ww]arning)|INFO|DEBUG|TRACE|NOTICE|VERBOSE|[Ii]nfo|[Dd]ebug|notice|verbose)[\])>]?(?::|\s|$)/;
const MILD_LEVEL =
  /^\s{0,2}[[(<]?(?:INFO|DEBUG|TRACE|NOTICE|VERBOSE|WARN|WARNING|[Ii]nfo|[Dd]ebug|notice|verbose|[Ww]arn|[Ww]arning)\b/;

/** How far a line's own level speaks against what its words suggest. */
export function levelFactor(body: string): number {
  if (MILD_LEVEL.test(body)) return /^\s{0,2}.?[Ww]/.test(body) ? 0.5 : 0.6;
  const level = MILD.exec(body.slice(0, 80));
  return level === null ? 1 : level[1] === undefined ? 0.6 : 0.5;
}

// A test that passed, whatever words its name is made of.
const PASSED_FIRST =
  /^\s{0,40}(?:PASSED|PASS:?|OK|ok \d+|ok|✓|✔|√|\[\s{0,8}(?:OK|PASSED|PASS|RUN)\s{0,8}\]|\[\+\]|--- PASS:|SKIPPED|SKIP:?|XFAIL)\s/;
const PASSED_LAST = /(?:\.{2,}|\s)(?:ok|OK|PASSED|passed|PASS|skipped|SKIPPED|xfail)(?:\s+[[(].{0,80}[\])])?\s*$/;
/** How the words and signs above begin and end. */
const FIRST_UNITS = new FewUnits("POo[-SX");
const LAST_UNITS = new FewUnits("kKDdSl])");

/** True for a row that reports a test that passed or was skipped. */
export function isPassed(body: string): boolean {
  if (FIRST_UNITS.has(body.charCodeAt(firstShown(body))) && PASSED_FIRST.test(body)) return true;
  if (LAST_UNITS.has(body.charCodeAt(lastShown(body))) && PASSED_LAST.test(body)) return true;
  return isPassedLanguage(body);
}

const TROUBLE = /error|fail|exception|fatal|panic|denied|refused|not found|invalid/i;

/**
 * The strongest rule that a row matches; of a long row, also where its first telling word stands. `foundRules` are
 * those that the row's bytes leave possible, when the text is nothing but what they spell.
 */
export function classifyRow(text: string, body: string, mask: number, foundRules?: FoundRules): Verdict | undefined {
  const rule = classify(withoutFrame(body), mask, foundRules);
  if (rule !== undefined || text.length <= EXAMINED_CHARS) return rule;
  const rest = text.slice(EXAMINED_CHARS - 20);
  const plain = rest.search(TROUBLE);
  const at = plain < 0 && (mask & LANGUAGE) !== 0 ? findTrouble(rest) : plain;
  return at < 0 ? undefined : classify(rest.slice(Math.max(0, at - 40), at + EXAMINED_CHARS), mask, foundRules);
}

// What a tool prints after every failure.
const ADVICE = /^\[ERROR\]\s*(?:$|-> \[Help|\[Help|To see the full|Re-run |For more information|After correcting)/;

function isAdvice(body: string): boolean {
  return body.startsWith("[ERROR]") && ADVICE.test(body);
}

/** The strongest rule that a text matches. */
function classify(body: string, mask: number, foundRules: FoundRules | undefined): Verdict | undefined {
  if ((mask & NEEDED) === 0 || isPassed(body) || isAdvice(body)) return undefined;
  const rule = classifyEnglish(body, mask, foundRules);
  if ((mask & LANGUAGE) === 0) return rule;
  const other = classifyLanguage(body);
  return other === undefined || (rule !== undefined && rule.score >= other.score) ? rule : other;
}

function classifyEnglish(body: string, mask: number, foundRules: FoundRules | undefined): Rule | undefined {
  const indices = indicesFor(mask);
  const possible = indices.length > FILTER_FROM_RULES ? filterOf(body, foundRules) : undefined;
  for (const index of indices) {
    if (possible?.allows(index) === false) continue;
    const rule = RULES[index] as Rule;
    if (rule.pattern.test(body)) return rule;
  }
  return undefined;
}

/** The rules that the words of a row leave possible, strongest first. */
function indicesFor(mask: number): readonly number[] {
  const known = indicesByMask.get(mask);
  if (known !== undefined) return known;
  const indices = RULES.flatMap(({ needs }, index) => ((needs & mask) === 0 ? [] : [index]));
  if (indicesByMask.size < MAX_MASKS) indicesByMask.set(mask, indices);
  return indices;
}

function filterOf(body: string, foundRules: FoundRules | undefined): RuleFilter {
  filter ??= new RuleFilter(createWordAutomaton([]), prebuilt().always ?? rulesWithoutWords(RULES));
  if (foundRules === undefined) filter.read(body);
  else filter.take(foundRules);
  return filter;
}
