import type { Feature } from "./features.ts";

/** How much each feature says for a line; fitted to histories, as `bench/quality` tells. */
export const WEIGHTS: Readonly<Record<Feature, number>> = {
  own: 1.1,
  near: 1.65,
  function: 1,
  name: 1.4,
  leading: 0.7,
  covered: 1.1,
  coveredNear: 1.65,
  length: -1.15,
  concept: 1.35,
  again: -1.05,
  decision: 0.35,
  comment: -0.9,
  imports: -1.1,
  closer: -1.6,
  head: -0.9,
  outside: 0.55,
};
