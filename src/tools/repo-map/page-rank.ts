/** "`from` refers to `to`", both as numbers from 0. */
export interface Reference {
  readonly from: number;
  readonly to: number;
  readonly weight: number;
}

const DAMPING = 0.85;
const MAX_ITERATIONS = 200;
/** Per node. */
const TOLERANCE = 1e-5;

/** PageRank of `count` nodes, which add up to 1. A node that refers to nothing hands its rank on to all alike. */
export function pageRank(count: number, references: readonly Reference[]): Float64Array {
  const outgoing = new Float64Array(count);
  for (const { from, weight } of references) outgoing[from] = at(outgoing, from) + weight;
  let ranks = new Float64Array(count).fill(1 / count);
  for (let iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
    const dangling = ranks.reduce((sum, rank, node) => (outgoing[node] === 0 ? sum + rank : sum), 0);
    const next = new Float64Array(count).fill((1 - DAMPING + DAMPING * dangling) / count);
    for (const { from, to, weight } of references) {
      next[to] = at(next, to) + (DAMPING * at(ranks, from) * weight) / at(outgoing, from);
    }
    const change = next.reduce((sum, rank, node) => sum + Math.abs(rank - at(ranks, node)), 0);
    ranks = next;
    if (change < count * TOLERANCE) break;
  }
  return ranks;
}

function at(numbers: Float64Array, index: number): number {
  return numbers[index] as number;
}
