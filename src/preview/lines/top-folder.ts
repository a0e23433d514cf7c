import { formatCount } from "../omission.ts";

const MAX_FOLDERS = 2000;

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
  readonly #counts = new Map<string, number>();
  /** Paths come folder by folder: the last one, and how many of it are still to be counted. */
  #folder = "";
  #deep = false;
  #pending = 0;

  /** Counts one more path, of which so many characters are the same as of the one before; false when that does not tell its folder. */
  addBeside(sharedChars: number): boolean {
    if (!this.#deep || sharedChars < this.#folder.length) return false;
    this.#pending++;
    return true;
  }

  add(path: string): void {
    // A folder of two levels holds all below it; one of one level only the files in it.
    if (!this.#deep || !path.startsWith(this.#folder, path.startsWith("./") ? 2 : 0)) this.#open(topFolder(path));
    this.#pending++;
  }

  get counts(): ReadonlyMap<string, number> {
    this.#settle();
    return this.#counts;
  }

  #open(folder: string): void {
    if (folder === this.#folder) return;
    this.#settle();
    this.#folder = ` ${folder}`.slice(1);
    this.#deep = isDeep(folder);
  }

  #settle(): void {
    if (this.#pending === 0) return;
    const known = this.#counts.has(this.#folder) || this.#counts.size < MAX_FOLDERS;
    const key = known ? this.#folder : "elsewhere";
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + this.#pending);
    this.#pending = 0;
  }
}

function isDeep(folder: string): boolean {
  const first = folder.indexOf("/", 1);
  return first >= 0 && first < folder.length - 1;
}
