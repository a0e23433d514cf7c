import { FewUnits, firstShown, lastShown } from "../ascii-ends.ts";
import { classifyLanguage, findTrouble } from "../languages/classify-language.ts";
import { isPassedLanguage } from "../languages/passed-language.ts";
import { LANGUAGE } from "../words.ts";
import { createWordAutomaton } from "./log-automaton.ts";
import { prefixEnd } from "./prefix.ts";
import type { Verdict } from "./rule.ts";
import { NEEDED, RuleMatcher } from "./rules.ts";

let matcher: RuleMatcher | undefined;

const EXAMINED_CHARS = 800;

// The frame that some tools draw around a message.
const FRAMED = /^\s{0,4}[│┃┆╎║]\s{0,3}/;

function withoutFrame(body: string): string {
  const first = body.charCodeAt(0);
  return first <= 32 || first >= 128 ? body.replace(FRAMED, "") : body;
}

/** What the tool said, without the times and names that a runner put before it. */
export function bodyOf(text: string): string {
  const capped = text.length > EXAMINED_CHARS ? text.slice(0, EXAMINED_CHARS) : text;
  const start = prefixEnd(capped);
  return start === 0 ? capped : capped.slice(start);
}

// A level that the tool itself gave to the line, at its start or after its time.
const MILD =
  /^(?:.{0,40}?[\s\]:])?[[(<]?(?:(WARN|WARNING|[Ww]arn|[Ww]arning)|INFO|DEBUG|TRACE|NOTICE|VERBOSE|[Ii]nfo|[Dd]ebug|notice|verbose)[\])>]?(?::|\s|$)/;
// In two steps, since one pattern would be compiled once for each number of blanks, with and without a bracket.
const BEFORE_LEVEL = /\s{0,2}[[(<]?/y;
const MILD_LEVEL =
  /(?:INFO|DEBUG|TRACE|NOTICE|VERBOSE|WARN|WARNING|[Ii]nfo|[Dd]ebug|notice|verbose|[Ww]arn|[Ww]arning)\b/y;

/** How far a line's own level speaks against what its words suggest. */
export function levelFactor(body: string): number {
  BEFORE_LEVEL.lastIndex = 0;
  BEFORE_LEVEL.test(body);
  MILD_LEVEL.lastIndex = BEFORE_LEVEL.lastIndex;
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
  const first = body.charCodeAt(firstShown(body));
  if (FIRST_UNITS.has(first) && PASSED_FIRST.test(body)) return true;
  const last = lastShown(body);
  if (LAST_UNITS.has(body.charCodeAt(last)) && PASSED_LAST.test(body)) return true;
  return isPassedLanguage(body, first, last);
}

const TROUBLE = /error|fail|exception|fatal|panic|denied|refused|not found|invalid/i;

/**
 * The strongest rule that a row matches; of a long row, also where its first telling word stands. `foundRules` are
 * those whose words stand in the row's bytes, if the text is what they spell.
 */
export function classifyRow(text: string, body: string, mask: number, foundRules?: Int32Array): Verdict | undefined {
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

// A line of source that a tool quotes, with its number: `31\t    except Error:`.
const QUOTED = /^\s{0,8}\d{1,6}\t\s*(?:(?:#|\/\/|\*|"|')|.*[:;{}(,)\]]\s*$)/;
/** Up to this score a rule looks for words alone. */
const BY_WORD = 60;

/** What stands in quoted source is a name there, not a report. */
function isQuotedWord(body: string, { score }: Verdict): boolean {
  return score <= BY_WORD && body.includes("\t") && QUOTED.test(body);
}

/** The strongest rule that a text matches. */
function classify(body: string, mask: number, foundRules: Int32Array | undefined): Verdict | undefined {
  if ((mask & (NEEDED | LANGUAGE)) === 0 || isPassed(body) || isAdvice(body)) return undefined;
  matcher ??= new RuleMatcher(createWordAutomaton([]));
  const found = matcher.match(body, mask, foundRules);
  const rule = found !== undefined && isQuotedWord(body, found) ? undefined : found;
  if ((mask & LANGUAGE) === 0) return rule;
  const other = classifyLanguage(body);
  return other === undefined || (rule !== undefined && rule.score >= other.score) ? rule : other;
}
