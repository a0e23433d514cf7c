/** The factor by which a hash moves on with each UTF-16 unit. */
export const HASH_STEP = 0x9e3779b1;

/** Extends a running hash by one UTF-16 unit. */
export function extendHash(hash: number, unit: number): number {
  return (Math.imul(hash, HASH_STEP) + unit + 1) | 0;
}

/** Spreads a running hash over 32 bits; two texts of the same value are very rarely different. */
export function finishHash(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const again = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (again ^ (again >>> 16)) >>> 0;
}

/** The finished hash of a part of a text. */
export function hashOf(text: string, start: number, end: number): number {
  let hash = 0;
  for (let at = start; at < end; at++) hash = extendHash(hash, text.charCodeAt(at));
  return finishHash(hash);
}
