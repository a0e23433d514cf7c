import type { Row } from "./row.ts";
import { bodyOf, isPassed } from "./rules/classify.ts";

const VERDICT =
  /^\W{0,90}(?:OK\b(?:\s\(.{0,80}\))?\W{0,4}$|test result: ok\b|Tests run: [1-9]\d*, Failures: 0, Errors: 0|All tests passed|(?:[1-9]\d* \w{1,20}, )?[1-9]\d* (?:passed|passing|(?:tests|examples|specs|runs|assertions)\b.{0,60}\b0 failures)\b)/;
const FAILURES = /\b[1-9]\d* (?:tests? )?(?:failed|failing|failures?|errors?|errored|exceptions?)\b/;
const TROUBLE = /\bFAIL|\b(?:error|fatal|failed|exit code [1-9]|exited with [1-9])\b/i;
const NONE = /\b0 (?:failed|failures?|errors?)|(?:Failures|Errors): 0/g;
const VERDICT_ROWS = 40;
/** Rows at the end among which the verdict stands. */
const CLOSING_ROWS = 12;
const FEWEST = 10;
/** Rows between two results that are shown with the second: the first line of a result that takes two. */
const MOST_BETWEEN = 1;
const LIST_SHARE = 0.3;
const RUN = 8;
const MOST = 66;
const LEAST = 54;

/**
 * What each result of a run is worth in which no test failed, by the row's position; undefined for any other output.
 * There the list of results is the content: runs of neighbours, spread over the whole list.
 */
export function valuePassedRun(readLatest: (rows?: number) => readonly Row[]): ReadonlyMap<number, number> | undefined {
  if (!endsWell(readLatest(VERDICT_ROWS))) return undefined;
  const latest = readLatest();
  const results = latest.filter((row) => isPassed(bodyOf(row.text)));
  if (results.length < FEWEST || !isList(latest, results)) return undefined;
  const runs = Math.ceil(results.length / RUN);
  const places = spreadOrder(runs);
  const values = new Map<number, number>();
  const listed = new Set(results);
  let count = 0;
  let between: Row[] = [];
  for (const row of latest) {
    if (!listed.has(row)) {
      between.push(row);
      continue;
    }
    const value = MOST - ((MOST - LEAST) * (places[Math.floor(count / RUN)] ?? 0)) / runs;
    values.set(row.byte, value);
    // What stands between two results belongs to the second, and a marker would take as much.
    if (count > 0 && between.length <= MOST_BETWEEN) for (const part of between) values.set(part.byte, value);
    between = [];
    count++;
  }
  for (const row of latest.slice(-CLOSING_ROWS)) values.set(row.byte, MOST);
  return values;
}

/** Results stand together, not scattered through the output of something else. */
function isList(latest: readonly Row[], results: readonly Row[]): boolean {
  const start = results[Math.floor(results.length / 2)]?.byte ?? 0;
  const rows = latest.filter((row) => row.byte >= start && row.text.trim() !== "").length;
  return results.length / 2 >= LIST_SHARE * rows;
}

/** The last verdict says that all passed, no count near it says otherwise, and nothing after it tells of trouble. */
function endsWell(closing: readonly Row[]): boolean {
  let passed = false;
  for (let index = closing.length - 1; index >= 0; index--) {
    const body = bodyOf(closing[index]?.text ?? "");
    const verdict = VERDICT.test(body);
    if (isPassed(body) && !verdict) continue;
    if (FAILURES.test(body) || (!passed && TROUBLE.test(body.replace(NONE, "")))) return false;
    passed ||= verdict;
  }
  return passed;
}

/** For each of `count` neighbours its turn, such that the first few turns already lie far apart. */
function spreadOrder(count: number): number[] {
  const order = Array.from({ length: count }, (_, index) => ({ index, key: reverseBits(index) }));
  order.sort((a, b) => a.key - b.key);
  const turns: number[] = [];
  order.forEach(({ index }, turn) => {
    turns[index] = turn;
  });
  return turns;
}

function reverseBits(value: number): number {
  let reversed = 0;
  for (let bit = 0; bit < 16; bit++) if ((value & (1 << bit)) !== 0) reversed |= 1 << (15 - bit);
  return reversed;
}
