import type { Feature } from "./features.ts";

/** How much each feature says for a line. */
export const WEIGHTS: Readonly<Record<Feature, number>> = {
  own: 1,
  near: 1.5,
  around: 1,
  function: 2,
  name: 1,
  outerName: 0.2,
  best: 0.7,
  leading: 1,
  covered: 1,
  coveredNear: 1,
  distance: -0.6,
  length: -1,
  decision: 0.3,
  comment: -1,
  imports: -1,
  closer: -1,
  head: 0,
  outside: -1,
  mentions: 0.3,
};
