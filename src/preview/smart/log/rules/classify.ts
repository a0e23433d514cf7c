import { COMPILER_RULES } from "./compilers.ts";
import { EXCEPTION_RULES } from "./exceptions.ts";
import { GENERAL_RULES } from "./general.ts";
import type { Rule } from "./rule.ts";
import { SYSTEM_RULES } from "./systems.ts";
import { TEST_RULES } from "./tests.ts";

const RULES: readonly Rule[] = [
  ...COMPILER_RULES,
  ...TEST_RULES,
  ...EXCEPTION_RULES,
  ...SYSTEM_RULES,
  ...GENERAL_RULES,
].sort((a, b) => b.score - a.score);

const NEEDS = Int32Array.from(RULES, (rule) => rule.needs);
const NEEDED = NEEDS.reduce((all, needs) => all | needs, 0);

const EXAMINED_CHARS = 800;

// Times, container steps, names of services and workers, and seconds since boot stand before what the tool itself said.
const TIME = String.raw`\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|\s?[+-]\d\d:?\d\d)?\]?(?:\s|$)`;
const PREFIX = new RegExp(
  [
    String.raw`^(?:[^\t]{1,80}\t[^\t]{1,80}\t(?=\d{4}-))?\ufeff?(?:\s{0,4}${TIME}`,
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

// The frame that some tools draw around a message.
const FRAMED = /^\s{0,4}[│┃┆╎║]\s{0,3}/;

/** What the tool said, without the times and names that a runner put before it. */
export function bodyOf(text: string): string {
  const capped = text.length > EXAMINED_CHARS ? text.slice(0, EXAMINED_CHARS) : text;
  return capped.replace(PREFIX, "");
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
const PASSED =
  /^\s{0,40}(?:PASSED|PASS:?|OK|ok \d+|ok|✓|✔|√|\[\s{0,8}(?:OK|PASSED|PASS|RUN)\s{0,8}\]|\[\+\]|--- PASS:|SKIPPED|SKIP:?|XFAIL)\s|(?:\.{2,}|\s)(?:ok|OK|PASSED|passed|PASS|skipped|SKIPPED|xfail)(?:\s+[[(].{0,80}[\])])?\s*$/;

/** True for a row that reports a test that passed or was skipped. */
export function isPassed(body: string): boolean {
  return PASSED.test(body);
}

const TROUBLE = /error|fail|exception|fatal|panic|denied|refused|not found|invalid/i;

/** The strongest rule that a row matches; of a long row, also where its first telling word stands. */
export function classifyRow(text: string, body: string, mask: number): Rule | undefined {
  const rule = classify(body.replace(FRAMED, ""), mask);
  if (rule !== undefined || text.length <= EXAMINED_CHARS) return rule;
  const rest = text.slice(EXAMINED_CHARS - 20);
  const at = rest.search(TROUBLE);
  return at < 0 ? undefined : classify(rest.slice(Math.max(0, at - 40), at + EXAMINED_CHARS), mask);
}

// What a tool prints after every failure.
const ADVICE = /^\[ERROR\]\s*(?:$|-> \[Help|\[Help|To see the full|Re-run |For more information|After correcting)/;

/** The strongest rule that a text matches. */
export function classify(body: string, mask: number): Rule | undefined {
  if ((mask & NEEDED) === 0 || isPassed(body) || ADVICE.test(body)) return undefined;
  for (let index = 0; index < RULES.length; index++) {
    if (((NEEDS[index] ?? 0) & mask) === 0) continue;
    const rule = RULES[index];
    if (rule?.pattern.test(body)) return rule;
  }
  return undefined;
}
