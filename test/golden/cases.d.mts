/** An output, and in made ones what its previews must show. */
export interface GoldenCase {
  readonly kind: string;
  readonly name: string;
  readonly text: string;
  readonly question: string;
}

export interface MadeCase extends GoldenCase {
  readonly must: readonly string[];
  readonly asked: readonly string[];
  readonly mustNot?: readonly string[];
  readonly least?: { readonly pattern: string; readonly count: number };
  readonly mostBytes?: number;
}

export function madeCases(): MadeCase[];
export function recordedCases(): GoldenCase[];
