const GRAVE: ReadonlyMap<string, number> = new Map(
  Object.entries({
    critical: 3,
    fatal: 3,
    emergency: 3,
    panic: 3,
    blocker: 3,
    high: 2.4,
    error: 2.4,
    errored: 2.4,
    failed: 2.4,
    failure: 2.4,
    fail: 2.4,
    severe: 2.4,
    crashed: 2.4,
    exception: 2,
    major: 1.8,
    denied: 1.6,
    rejected: 1.6,
    unhealthy: 1.6,
    timeout: 1.6,
    timed_out: 1.6,
    invalid: 1.2,
    warning: 0.8,
    warn: 0.8,
    medium: 0.6,
    moderate: 0.6,
  }),
);

const ERROR_KEY = /^\w*(?:error|exception|failure|stack_?trace|traceback)s?(?:_?message)?$/i;
const SCORE_KEY = /cvss|(?:score|severity|risk)$/i;
const NOTHING_WRONG = /^\s*:\s*(?:null|false|0\s*$|""|\[|\{)/;
const TROUBLE = /\b(?:error|failed|failure|fatal|exception|crash(?:ed)?|denied|critical)\b/i;
const QUOTE = 34;
const MAX_KEYS = 4096;

type KeyKind = "plain" | "error" | "score";
const keyKinds = new Map<string, KeyKind>();

/** How grave a member or an item is by its words: about 3 for "critical", 2 for "failed", 0 for most. */
export function severityOf(head: string): number {
  const { length } = head;
  const keyEnd = head.charCodeAt(0) === QUOTE ? head.indexOf('"', 1) : -1;
  const key = keyEnd > 0 && keyEnd < length - 1 ? kindOfKey(head.slice(1, keyEnd)) : "plain";
  if (head.charCodeAt(length - 1) !== QUOTE) {
    if (key === "plain" || length >= 200) return 0;
    return key === "score" ? scoreOf(head, keyEnd) : NOTHING_WRONG.test(head.slice(keyEnd + 1)) ? 0 : 1.5;
  }
  const word = length < 120 ? lastWord(head) : undefined;
  if (word !== undefined) return GRAVE.get(word.toLowerCase()) ?? 0;
  if (key === "error" && !NOTHING_WRONG.test(head.slice(keyEnd + 1, keyEnd + 20))) return 1.8;
  return length < 600 && TROUBLE.test(head) ? 0.4 : 0;
}

/** Keys repeat; forgets all when there are too many. */
function kindOfKey(key: string): KeyKind {
  let kind = keyKinds.get(key);
  if (kind === undefined) {
    if (keyKinds.size >= MAX_KEYS) keyKinds.clear();
    kind = ERROR_KEY.test(key) ? "error" : SCORE_KEY.test(key) ? "score" : "plain";
    keyKinds.set(` ${key}`.slice(1), kind);
  }
  return kind;
}

/** A mild sign only, for scales that end at 10: it decides where words do not. */
function scoreOf(head: string, keyEnd: number): number {
  const value = Number(head.slice(head.indexOf(":", keyEnd) + 1));
  return value >= 7 && value <= 10 ? value / 25 : 0;
}

/** The value when it is one word of 4 to 12 letters. */
function lastWord(head: string): string | undefined {
  const end = head.length - 1;
  let start = end;
  while (start > 0 && end - start <= 12 && isWordUnit(head.charCodeAt(start - 1))) start--;
  const letters = end - start;
  return letters >= 4 && letters <= 12 && head.charCodeAt(start - 1) === QUOTE ? head.slice(start, end) : undefined;
}

function isWordUnit(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || unit === 95;
}
