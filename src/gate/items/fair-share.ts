/** The most that each may take so that together they take at most `available`: small ones stay whole, large ones share. */
export function fairShare(sizes: readonly number[], available: number): number {
  const ascending = [...sizes].sort((left, right) => left - right);
  let rest = Math.max(0, available);
  for (const [index, size] of ascending.entries()) {
    const share = rest / (ascending.length - index);
    if (size > share) return Math.floor(share);
    rest -= size;
  }
  return Number.POSITIVE_INFINITY;
}
