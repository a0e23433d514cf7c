/** 1 for what stands in one unit of many, 0 for what stands in all. */
export function rarity(frequency: number, units: number): number {
  return Math.max(0, Math.min(1, Math.log((units + 1) / (frequency + 0.5)) / Math.log(units + 2)));
}
