/** True for names that differ in case, separators, at most two letters, or two letters that changed places. */
export function isNear(name: string, known: string): boolean {
  const [a, b] = [name, known].map((each) => each.replace(/[-_]/g, "").toLowerCase()) as [string, string];
  if (a === b || (Math.min(a.length, b.length) > 3 && (a.endsWith(b) || b.endsWith(a)))) return true;
  let [before, row]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next[j] = Math.min(
        next[j - 1]! + 1,
        row![j]! + 1,
        row![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1),
        swapped ? before![j - 2]! + 1 : Infinity,
      );
    }
    [before, row] = [row!, next];
  }
  return row![b.length]! <= Math.min(2, Math.floor(known.length / 3));
}

/** " Did you mean run?" when one of the known names is near the given one or begins with it; else empty. */
export function guessName(name: string, known: readonly string[]): string {
  const near = known.filter((each) => isNear(name, each));
  const meant = near.length > 0 ? near : known.filter((each) => name !== "" && each.startsWith(name));
  return meant.length === 0 ? "" : ` Did you mean ${meant.join(" or ")}?`;
}
