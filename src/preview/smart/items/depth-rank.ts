/** What lines are worth by how many others they stand under: the outer ones tell most. The last is that of all deeper ones. */
export const DEPTH_RANKS: readonly number[] = [0.88, 0.7, 0.5, 0.36, 0.24, 0.16, 0.1];

/** What a line of this depth is worth. */
export function rankAt(depth: number): number {
  return DEPTH_RANKS[Math.min(depth, DEPTH_RANKS.length - 1)] as number;
}
