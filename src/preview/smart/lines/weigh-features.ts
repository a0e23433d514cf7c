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
  for (const name in columns) {
    const weight = weights[name];
    const column = columns[name];
    for (let row = 0; row < rows; row++) scores[row] = (scores[row] ?? 0) + weight * (column[row] ?? 0);
  }
  return scores;
}
