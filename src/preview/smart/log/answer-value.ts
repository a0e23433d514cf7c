/** An ordinary word in common proves nothing. */
const CHANCE = 1;
const MOST = 8;

/** What the score of a line says beyond chance, 0 to 8. */
export function answerValue(score: number): number {
  return Math.min(MOST, Math.max(0, score - CHANCE));
}
