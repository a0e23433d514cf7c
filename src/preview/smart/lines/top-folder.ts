import { formatCount } from "../../omission.ts";

/** The first two folders of a path; "./" for a file in none. */
export function topFolder(path: string): string {
  const normal = path.startsWith("./") ? path.slice(2) : path;
  const first = normal.indexOf("/", 1);
  if (first < 0) return "./";
  const second = normal.indexOf("/", first + 1);
  return normal.slice(0, (second < 0 ? first : second) + 1);
}

/** "tests/forms/ 120, docs/ 34, elsewhere 7": what of `all` is not in `shown`, most first; undefined when nothing is. */
export function renderFolders(
  all: ReadonlyMap<string, number>,
  shown: ReadonlyMap<string, number>,
  most: number,
): string | undefined {
  const left = [...all]
    .map(([folder, count]): [string, number] => [folder, count - (shown.get(folder) ?? 0)])
    .filter(([, count]) => count > 0)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  if (left.length === 0) return undefined;
  const named = left.slice(0, most).map(([folder, count]) => `${folder} ${formatCount(count)}`);
  const rest = left.slice(most).reduce((sum, [, count]) => sum + count, 0);
  if (rest > 0) named.push(`elsewhere ${formatCount(rest)}`);
  return named.join(", ");
}

/** Counts by folder in bounded memory: what comes after the first 2,000 folders counts as elsewhere. */
export class FolderCounts {
  readonly counts = new Map<string, number>();

  add(path: string): void {
    const folder = topFolder(path);
    const count = this.counts.get(folder);
    if (count !== undefined) this.counts.set(folder, count + 1);
    else if (this.counts.size < 2000) this.counts.set(` ${folder}`.slice(1), 1);
    else this.counts.set("elsewhere", (this.counts.get("elsewhere") ?? 0) + 1);
  }
}
