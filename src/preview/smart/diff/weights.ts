import type { Feature } from "./features.ts";

/**
 * How much each feature says for a changed line. Fitted to histories (`bench/quality/README.md`), but for what a line
 * in a file of each kind and one that is gone say: the labels never lie there, so these are set by hand.
 */
export const WEIGHTS: Readonly<Record<Feature, number>> = {
  /** The question's words within three lines, nearer ones more. */
  near: 2.15,
  /** The words in all of the hunk as a share of the best, and in what its header says. */
  hunk: 1.85,
  section: 0.9,
  /** The words in the path, and the share of the file's name that the question says. */
  path: 0.95,
  nameCovered: 0.8,
  /** How long the file's diff is. */
  length: -1.8,
  /** A form in which the fault that the question speaks of may lie. */
  concept: 1.25,
  /** A text that came before in the same diff, and how often its rarest name stands in it. */
  again: -2.3,
  rare: -0.15,
  /** What the line is. */
  decision: 0.75,
  call: 0.4,
  comment: -0.65,
  imports: -1.25,
  /** Hardly a letter: a closing brace. */
  closer: -2.8,
  gone: -2.2,
  /** What a line costs. */
  chars: -0.5,
  config: -0.3,
  docs: -1.2,
  generated: -1.5,
  test: -2.4,
};
