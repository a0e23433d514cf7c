import { formatCount } from "../omission.ts";
import { copyText } from "./line-drawing.ts";

/** What a file is likely to be, told from its path alone. */
export type PathKind = "source" | "config" | "test" | "docs" | "generated";

/** How much a file of each kind is worth to a reader, before any question is asked. */
export const PATH_WEIGHT: Readonly<Record<PathKind, number>> = {
  source: 1,
  config: 0.75,
  test: 0.55,
  docs: 0.45,
  generated: 0.2,
};

const GENERATED_FOLDER =
  /^(?:node_modules|bower_components|vendor|vendored|third[_-]?party|dist|build|out|target|coverage|generated|gen|__pycache__|__snapshots__|__generated__|\.git|\.venv|venv|site-packages|locales?|LC_MESSAGES|po|po-[a-z]+|translations)\//i;
const TEST_FOLDER =
  /^(?:(?:unit|self|integration)?tests?|__tests__|specs?|testing|t|regress(?:ion)?|test[_-]?(?:data|suite|utils|cases)|[\w-]*[_-]tests?|e2e|fixtures?|__mocks__|mocks?|bench(?:marks?|es)?)\//i;
const DOCS_FOLDER =
  /^(?:docs?|documentation|release-?notes|changelogs?(?:\.d)?|man(?:ual|pages)?|examples?|tutorials?|samples?|demos?)\//i;

const GENERATED_NAME =
  /(?:^(?:package-lock\.json|npm-shrinkwrap\.json|go\.sum|pnpm-lock\.yaml|\.DS_Store|configure|config\.(?:guess|sub)|ltmain\.sh|aclocal\.m4)|\.lock|[-.]min\.\w+|\.map|\.snap|\.pb\.\w+|_pb2(?:_grpc)?\.py|\.g\.\w+|\.(?:po|mo|pot|pyc|class|o|so|a|dll|exe|png|jpe?g|gif|ico|svg|webp|woff2?|ttf|eot|otf|pdf|zip|gz|tgz|jar|bin|dat|mp[34]|wasm))$/i;
const TEST_NAME =
  /(?:^|[._-])(?:tests?|spec|conftest)(?:[._-]|$)|[a-z](?:Tests?|Spec|IT)\.\w+$|^Test[A-Z]\w*\.\w+$|\.t$/;
const DOCS_NAME =
  /\.(?:md|mdx|rst|adoc|txt|tex|man|html?|[1-9](?:\.in)?)$|^(?:README|CHANGE(?:S|LOG)|NEWS|HISTORY|LICEN[CS]E|COPYING|AUTHORS|TODO|NOTICE|CONTRIBUT\w+|THANKS|MAINTAINERS)\b/i;
const CONFIG_NAME =
  /\.(?:json5?|jsonc|ya?ml|toml|ini|cfg|conf|xml|xsd|properties|csv|tsv|mk|am|ac|m4|cmake|gradle|env|lock|in)$|^(?:Makefile|Dockerfile|\.\w+)/i;

/** The kind of the file at `path`; slashes or backslashes. */
export function pathKind(path: string): PathKind {
  const normal = path.includes("\\") ? path.replaceAll("\\", "/") : path;
  const slash = normal.lastIndexOf("/");
  return kindInFolder(normal.slice(slash + 1), folderKind(normal.slice(0, slash + 1)));
}

/** The kind of a file by its name, in a folder of a known kind. */
export function kindInFolder(name: string, folder: PathKind): PathKind {
  return folder === "generated" ? folder : nameKind(name, folder);
}

/** The kinds of single folders, by their names with a slash. */
const namedKinds = new Map<string, PathKind>();
const MOST_NAMES = 4096;

/** The kind of what a folder holds: whatever folder on the way to it says most, of which those up to `start` say `known`. */
export function folderKind(folder: string, start = 0, known: PathKind = "source"): PathKind {
  let kind = known;
  for (let from = start; from < folder.length && kind !== "generated"; ) {
    const slash = folder.indexOf("/", from);
    const to = slash < 0 ? folder.length : slash + 1;
    const named = namedKind(folder.slice(from, to));
    if (FOLDER_RANK[named] > FOLDER_RANK[kind]) kind = named;
    from = to;
  }
  return kind;
}

const FOLDER_RANK: Readonly<Record<PathKind, number>> = { source: 0, config: 0, docs: 1, test: 2, generated: 3 };

/** Remembers names, since paths repeat them; forgets all when there are too many. */
function namedKind(name: string): PathKind {
  let kind = namedKinds.get(name);
  if (kind === undefined) {
    if (namedKinds.size > MOST_NAMES) namedKinds.clear();
    kind = GENERATED_FOLDER.test(name)
      ? "generated"
      : TEST_FOLDER.test(name)
        ? "test"
        : DOCS_FOLDER.test(name)
          ? "docs"
          : "source";
    namedKinds.set(copyText(name), kind);
  }
  return kind;
}

function nameKind(name: string, folder: PathKind): PathKind {
  if (GENERATED_NAME.test(name)) return "generated";
  if (folder !== "source") return folder;
  if (TEST_NAME.test(name)) return "test";
  if (DOCS_NAME.test(name)) return "docs";
  return CONFIG_NAME.test(name) ? "config" : "source";
}

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
