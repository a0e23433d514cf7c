const GRAVE: Readonly<Record<string, number>> = {
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
};

const STRING_VALUE = /"([A-Za-z_]{4,12})"\s*$/;
const ERROR_KEY =
  /^"(?:\w*(?:error|exception|failure|stack_?trace|traceback)s?(?:_?message)?)"\s*:\s*(?!null|false|0\s*$|""|\[|\{)/i;
const TROUBLE = /\b(?:error|failed|failure|fatal|exception|crash(?:ed)?|denied|critical)\b/i;

/** How grave a member or an item is by its words: about 3 for "critical", 2 for "failed", 0 for most. */
export function severityOf(head: string): number {
  const last = head.charCodeAt(head.length - 1);
  if (last !== 34) return head.length < 200 && ERROR_KEY.test(head) ? 1.5 : 0;
  if (head.length < 120) {
    const word = STRING_VALUE.exec(head)?.[1];
    if (word !== undefined) return GRAVE[word.toLowerCase()] ?? 0;
  }
  if (ERROR_KEY.test(head)) return 1.8;
  return head.length < 600 && TROUBLE.test(head) ? 0.4 : 0;
}
