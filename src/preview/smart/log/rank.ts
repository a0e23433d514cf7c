import type { Question } from "../question.ts";
import type { Block } from "./reservoir.ts";
import type { Candidate, Row } from "./row.ts";

/** What a row is worth in the end, once the whole output is known. */
export function rankRows(
  blocks: readonly Block[],
  head: readonly Row[],
  tail: readonly Row[],
  question: Question,
  totalBytes: number,
): Candidate[] {
  const best = new Map<number, Candidate>();
  const offer = (row: Row, value: number, reason: string, template?: string): void => {
    const known = best.get(row.byte);
    if (known !== undefined && known.value >= value) return;
    best.set(row.byte, { row, value, reason, ...(template === undefined ? {} : { template }) });
  };
  for (const block of blocks) {
    const start = block.rows[0]?.row.byte ?? 0;
    const late = totalBytes === 0 ? 1 : start / totalBytes;
    const score = block.score * (0.9 + 0.1 * late);
    for (const { row, factor } of block.rows) {
      const first = factor === 1;
      offer(row, score * factor, block.reason, first ? block.template : undefined);
    }
  }
  head.forEach((row, index) => {
    offer(row, 34 * 0.93 ** index, "head");
  });
  tail.forEach((row, index) => {
    offer(row, 58 * 0.95 ** (tail.length - 1 - index), "tail");
  });
  const ranked = [...best.values()];
  if (!question.empty) {
    return ranked.map((candidate) => {
      const asked = question.score(candidate.row.text);
      if (asked === 0) return candidate;
      const value = candidate.value * (1 + 0.1 * Math.min(3, asked)) + 14 * Math.min(8, asked);
      const plain = candidate.value < 14 * asked;
      return {
        ...candidate,
        value,
        reason: plain ? `question: ${question.best(candidate.row.text)}` : candidate.reason,
      };
    });
  }
  return ranked;
}
