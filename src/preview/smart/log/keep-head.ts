import type { Candidate, Row } from "./row.ts";

/** What the first rows are worth at least: more than mere words of trouble, less than what is surely wrong. */
const FLOOR = [79, 77, 75];
/** A longer row says what this is in more room than that is worth. */
const LONGEST = 300;
/** An output that is one long line has no other beginning; it is worth as much as its end. */
const ENDLESS_FLOOR = 59;

/** Keeps the first rows that say something, since they tell what the output is. */
export function keepHead(candidates: readonly Candidate[], head: readonly Row[]): Candidate[] {
  const floors = new Map<number, number>();
  const [first] = head;
  if (first?.continues === true) floors.set(first.byte, ENDLESS_FLOOR);
  for (const { byte, text } of head) {
    if (floors.size >= FLOOR.length || text.length > LONGEST) break;
    if (text.trim() !== "") floors.set(byte, FLOOR[floors.size] ?? 0);
  }
  return candidates.map((candidate) => {
    const floor = floors.get(candidate.row.byte) ?? 0;
    return candidate.value < floor ? { ...candidate, value: floor } : candidate;
  });
}
