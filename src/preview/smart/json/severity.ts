/** Grades: how grave they are on any scale that has them; they count where a key says that it grades. */
const GRADES: ReadonlyMap<string, number> = new Map(
  Object.entries({
    blocker: 3.2,
    critical: 3,
    emergency: 3,
    high: 2.4,
    severe: 2.4,
    serious: 2.4,
    important: 2.2,
    urgent: 2.2,
    major: 1.8,
    warning: 0.8,
    warn: 0.8,
    medium: 0.6,
    moderate: 0.6,
  }),
);

/** Words for what went wrong; they count under any key. */
const FAILURES: ReadonlyMap<string, number> = new Map(
  Object.entries({
    fatal: 3,
    panic: 3,
    error: 2.4,
    errored: 2.4,
    failed: 2.4,
    failure: 2.4,
    fail: 2.4,
    crashed: 2.4,
    exception: 2,
    vulnerable: 2,
    denied: 1.6,
    rejected: 1.6,
    unhealthy: 1.6,
    timeout: 1.6,
    timed_out: 1.6,
    invalid: 1.2,
  }),
);

const ERROR_KEY = /^\w*(?:error|exception|failure|stack_?trace|traceback)s?(?:_?message)?$/i;
const ERROR_COUNT_KEY = /(?:error|fail(?:ed|ure)?)s?_?count$|^(?:num|total|count)_?\w*(?:errors?|fail\w*)$/i;
const SCORE_KEY = /cvss|score$/i;
const GRADING_KEY =
  /sever|risk|threat|priorit|critical|danger|(?:^|[_-])(?:level|status|state|result|outcome|conclusion|verdict|grade|rating|success|passed|ok)$|[a-z](?:Level|Status|State|Result|Grade|Rating)$/i;
/** How sure a tool is, or how hard something is, says nothing about how grave it is. */
const OTHER_SCALE_KEY = /confiden|certain|precision|likelihood|probab|accura|quality|complexity|effort|exploitab/i;
const NOTHING_WRONG = /^\s*:\s*(?:null|false|0\s*$|""|\[|\{)/;
const TROUBLE = /\b(?:error|failed|failure|fatal|exception|crash(?:ed)?|denied|critical)\b/i;
const QUOTE = 34;
const MAX_KEYS = 4096;
/** What a grade under a key that grades nothing is worth: it may be a name or a title. */
const ELSEWHERE = 0.4;

/** What the values under a key can say. */
export type KeyKind = "plain" | "error" | "error count" | "score" | "grade" | "other scale";
const keyKinds = new Map<string, KeyKind>();

/** How grave a member or an item is by its words: about 3 for "critical", 2 for "failed", 0 for most. */
export function severityOf(head: string): number {
  const { length } = head;
  const keyEnd = keyEndOf(head);
  const kind = keyEnd > 0 ? kindOfKey(head.slice(1, keyEnd)) : "grade";
  if (kind === "other scale") return 0;
  if (head.charCodeAt(length - 1) !== QUOTE) {
    if (keyEnd < 0 || length >= 200) return 0;
    if (kind === "score") return scoreOf(head, keyEnd);
    const wrong = kind === "error" || kind === "error count";
    return wrong && !NOTHING_WRONG.test(head.slice(keyEnd + 1)) ? 1.5 : 0;
  }
  const word = length < 120 ? onlyWord(head, keyEnd, kind === "grade") : undefined;
  if (word !== undefined) {
    const lower = word.toLowerCase();
    return FAILURES.get(lower) ?? (GRADES.get(lower) ?? 0) * (kind === "grade" ? 1 : ELSEWHERE);
  }
  if (kind === "error" && !NOTHING_WRONG.test(head.slice(keyEnd + 1, keyEnd + 20))) return 1.8;
  return length < 600 && TROUBLE.test(head) ? 0.4 : 0;
}

/** Where the key of a member ends, at its closing quote; -1 for an item. */
export function keyEndOf(head: string): number {
  const end = head.charCodeAt(0) === QUOTE ? head.indexOf('"', 1) : -1;
  return end > 0 && end < head.length - 1 ? end : -1;
}

/** Keys repeat; forgets all when there are too many. */
export function kindOfKey(key: string): KeyKind {
  let kind = keyKinds.get(key);
  if (kind === undefined) {
    if (keyKinds.size >= MAX_KEYS) keyKinds.clear();
    kind = readKey(key);
    keyKinds.set(` ${key}`.slice(1), kind);
  }
  return kind;
}

function readKey(key: string): KeyKind {
  if (ERROR_KEY.test(key)) return "error";
  if (ERROR_COUNT_KEY.test(key)) return "error count";
  if (SCORE_KEY.test(key)) return "score";
  if (OTHER_SCALE_KEY.test(key)) return "other scale";
  return GRADING_KEY.test(key) ? "grade" : "plain";
}

/** A mild sign only, for scales that end at 10: it decides where words do not. */
function scoreOf(head: string, keyEnd: number): number {
  const value = Number(head.slice(head.indexOf(":", keyEnd) + 1));
  return value >= 7 && value <= 10 ? value / 25 : 0;
}

/** The value when it is one word of 4 to 12 letters; of a grade also the first word of a few. */
function onlyWord(head: string, keyEnd: number, firstOfFew: boolean): string | undefined {
  const start = head.indexOf('"', keyEnd + 1) + 1;
  let end = start;
  while (end - start <= 12 && isWordUnit(head.charCodeAt(end))) end++;
  if (end - start < 4 || end - start > 12) return undefined;
  const whole = end === head.length - 1;
  const first = firstOfFew && keyEnd > 0 && head.length - end < 30 && head.charCodeAt(end) === 32;
  return whole || first ? head.slice(start, end) : undefined;
}

function isWordUnit(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || unit === 95;
}
