import type { Relevance } from "../../query/relevance.ts";
import { leanOnNeighbours, weighFeatures } from "../lines/weigh-features.ts";
import { type Feature, readFeatures } from "./line-features.ts";
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
  const alone = weighFeatures(readFeatures(lines, relevance), WEIGHTS, lines.length);
  const groups = lines.map(({ kind }, index) => (kind === "blank" ? index : undefined));
  return leanOnNeighbours(alone, groups, LEANING);
}
