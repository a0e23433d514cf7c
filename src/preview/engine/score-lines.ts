import type { Relevance } from "../../query/relevance.ts";
import { type Columns, type Feature, readFeatures } from "./line-features.ts";
import type { TextLine } from "./text-line.ts";

/** How much each feature says for a line; fitted to what agents used next and to what later fixes changed. */
const WEIGHTS: Readonly<Record<Feature, number>> = {
  own: 2,
  near: 2.05,
  coveredNear: 1.95,
  name: 0.8,
  covered: 0.6,
  length: -1.15,
  again: -1.5,
  early: -0.3,
  decision: 0.35,
  comment: -1.9,
  import: -1.6,
  declaration: -0.7,
  outside: 0.55,
};
/** How many lines beside it a line leans on, and how much: what is wrong seldom stands on one line. */
const LEANING = { reach: 2, share: 0.15 };

/** What each line is worth by the question; undefined when no word of it stands in any. */
export function scoreLines(lines: readonly TextLine[], relevance: Relevance): Float64Array | undefined {
  if (!lines.some(({ tally }) => tally !== undefined)) return undefined;
  return leanOnNeighbours(lines, weigh(readFeatures(lines, relevance), lines.length));
}

function weigh(columns: Columns, count: number): Float64Array {
  const scores = new Float64Array(count);
  for (const name in columns) {
    const column = columns[name as Feature];
    const weight = WEIGHTS[name as Feature];
    for (let index = 0; index < count; index++)
      scores[index] = (scores[index] as number) + weight * (column[index] as number);
  }
  return scores;
}

function leanOnNeighbours(lines: readonly TextLine[], scores: Float64Array): Float64Array {
  const raised = new Float64Array(scores.length);
  for (let index = 0; index < scores.length; index++) {
    let best = scores[index] as number;
    const last = Math.min(scores.length - 1, index + LEANING.reach);
    for (let at = Math.max(0, index - LEANING.reach); at <= last; at++)
      if (lines[at]?.kind !== "blank") best = Math.max(best, scores[at] as number);
    raised[index] = (1 - LEANING.share) * (scores[index] as number) + LEANING.share * best;
  }
  return raised;
}
