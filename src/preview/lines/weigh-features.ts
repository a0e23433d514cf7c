/** One column for each feature, a row for each line. */
export type FeatureColumns<Feature extends string> = Readonly<Record<Feature, Float64Array>>;

/** Columns of zeros. */
export function emptyColumns<Feature extends string>(
  names: readonly Feature[],
  rows: number,
): Record<Feature, Float64Array> {
  return Object.fromEntries(names.map((name) => [name, new Float64Array(rows)])) as Record<Feature, Float64Array>;
}

/** What each of the rows is worth: the sum of its features, each by its weight. */
export function weighFeatures<Feature extends string>(
  columns: FeatureColumns<Feature>,
  weights: Readonly<Record<Feature, number>>,
  rows: number,
): Float64Array {
  const scores = new Float64Array(rows);
  for (const name in columns) addWeighted(scores, columns[name], weights[name]);
  return scores;
}

function addWeighted(scores: Float64Array, column: Float64Array, weight: number): void {
  for (let row = 0; row < scores.length; row++)
    scores[row] = (scores[row] as number) + weight * (column[row] as number);
}

/**
 * Raises each score towards the best within `reach` rows of the same group: what is wrong seldom stands on one line, and
 * a line between two that are shown costs no marker.
 */
export function leanOnNeighbours(
  scores: Float64Array,
  groups: readonly unknown[],
  { reach, share }: { readonly reach: number; readonly share: number },
): Float64Array {
  const raised = new Float64Array(scores.length);
  for (let row = 0; row < scores.length; row++) {
    const score = scores[row] as number;
    const last = Math.min(scores.length - 1, row + reach);
    let best = score;
    for (let at = Math.max(0, row - reach); at <= last; at++)
      if (groups[at] === groups[row]) best = Math.max(best, scores[at] as number);
    raised[row] = (1 - share) * score + share * best;
  }
  return raised;
}
