import type { Feature } from "./features.ts";

/** How much each feature says for a line. */
export const WEIGHTS: Readonly<Record<Feature, number>> = {
  own: 2,
  near: 2.25,
  around: 1,
  function: 1.5,
  name: 2,
  outerName: 0.2,
  best: 0.2,
  leading: 1.5,
  covered: 1,
  coveredNear: 1,
  distance: -0.6,
  length: -1,
  decision: 0.3,
  comment: -1,
  imports: -1,
  closer: -1.5,
  head: 0,
  outside: 0,
  mentions: 0.3,
};
