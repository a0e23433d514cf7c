import { asksForTests } from "../../../query/question.ts";
import { addTallies, type Relevance, type Tally } from "../../../query/relevance.ts";
import { splitIdentifier, stem } from "../../../query/words.ts";
import type { HeldLine } from "../../lines/line-drawing.ts";
import { PATH_WEIGHT, type PathKind } from "../../lines/paths.ts";

/** One entry that can be shown. */
export interface HeldEntry {
  readonly held: HeldLine;
  /** The line that names its folder. */
  readonly heading: HeldLine | undefined;
  /** What stands before the name, so that names below one prefix can be shown together; undefined for a line that stands as it is. */
  readonly prefix: string | undefined;
  readonly told: boolean;
  readonly path: string;
  readonly parent: string;
  readonly kind: PathKind;
  readonly nameTally: Tally | undefined;
  readonly folderTally: Tally | undefined;
  /** What the path is worth before any question. */
  readonly prior: number;
  score: number;
}

const RELATED = 1;
const FEEDBACK_PATHS = 25;
const FEEDBACK_WORDS = 20;

/** Weighs paths against each other. */
export class ListingRanking {
  readonly #relevance: Relevance;
  readonly #weights: Readonly<Record<PathKind, number>>;

  constructor(relevance: Relevance, query: string) {
    this.#relevance = relevance;
    this.#weights = asksForTests(query) ? { ...PATH_WEIGHT, test: PATH_WEIGHT.source } : PATH_WEIGHT;
  }

  /** What an entry is worth by what is known so far. */
  worth(entry: Pick<HeldEntry, "nameTally" | "folderTally" | "prior">): number {
    return this.#direct(entry) + entry.prior;
  }

  /** Every entry, best first, spread over folders and names. */
  rank(entries: readonly HeldEntry[]): HeldEntry[] {
    const direct = entries.map((entry) => this.#direct(entry));
    const related = this.#relevance.empty ? undefined : relatedness(entries, direct);
    const asked = entries.map((entry, index) => {
      return ((direct[index] ?? 0) + RELATED * (related?.[index] ?? 0)) * this.#weights[entry.kind] ** 2;
    });
    const first = (index: number): number => (asked[index] ?? 0) + (entries[index]?.prior ?? 0);
    const order = entries.map((_, index) => index).sort((a, b) => first(b) - first(a) || a - b);
    const parents = new Map<string, number>();
    const names = new Map<string, number>();
    for (const index of order) {
      const entry = entries[index] as HeldEntry;
      const inFolder = take(parents, entry.parent);
      const sameName = take(names, entry.path.slice(entry.path.lastIndexOf("/") + 1));
      const repeated = 1 + 0.3 * sameName;
      entry.score =
        (asked[index] ?? 0) / (1 + 0.03 * inFolder) / Math.sqrt(repeated) +
        entry.prior / (1 + 0.12 * Math.log2(1 + inFolder)) / repeated;
    }
    return [...entries].sort((a, b) => b.score - a.score || a.held.line - b.held.line);
  }

  #direct(entry: Pick<HeldEntry, "nameTally" | "folderTally">): number {
    if (entry.nameTally === undefined && entry.folderTally === undefined) return 0;
    const name = this.#relevance.score(entry.nameTally);
    return name + 0.8 * this.#relevance.score(addTallies(entry.folderTally, entry.nameTally));
  }
}

/** What an entry this many folders deep is worth beside one at the top. */
export function depthWeight(depth: number): number {
  return DEPTH_WEIGHTS[Math.min(DEPTH_WEIGHTS.length - 1, depth)] as number;
}

const DEPTH_WEIGHTS: readonly number[] = Array.from({ length: 13 }, (_, depth) => 0.88 ** depth);
const KIND_PRIORS = Object.fromEntries(
  Object.entries(PATH_WEIGHT).map(([kind, weight]) => [kind, 0.5 * weight ** 2]),
) as Readonly<Record<PathKind, number>>;

/** What an entry of a kind at the top is worth before any question: source first, large before small. */
export function entryPrior(kind: PathKind, bulk: number, folder: boolean): number {
  return KIND_PRIORS[kind] * bulk * (folder ? 0.7 : 1);
}

/** How much an entry weighs by its size and its name. */
export function entryBulk(name: string, size: number): number {
  const bulk = size < 0 ? 1 : size >= LARGE ? MOST_BULK : 0.6 + 0.1 * Math.log2(1 + size / 256);
  return isSeries(name) ? 0.5 * bulk : bulk;
}

/** From so many bytes on an entry weighs no more. */
const LARGE = 255 * 256;
const MOST_BULK = 0.6 + 0.1 * 8;

/** Numbered files come in series of which one says as much as all. */
function isSeries(name: string): boolean {
  let digits = 0;
  for (let at = 0; at < name.length; at++) {
    const unit = name.charCodeAt(at);
    if (unit >= 48 && unit <= 57) digits++;
    else if (digits > 0) {
      if (at === digits && digits > 1) return true;
      if (unit === 46 && digits > 2) return true;
      digits = 0;
    }
  }
  return digits === name.length && digits > 1;
}

/**
 * How much each path says of what those say that answer the question best: a test or a manual page named after the asked-for
 * thing tells the folder and the file where it is made. Undefined when none answers it.
 */
function relatedness(entries: readonly HeldEntry[], direct: readonly number[]): number[] | undefined {
  const best = entries.map((_, index) => index).filter((index) => (direct[index] ?? 0) > 0.3);
  best.sort((a, b) => (direct[b] ?? 0) - (direct[a] ?? 0) || a - b);
  best.length = Math.min(best.length, FEEDBACK_PATHS);
  if (best.length === 0) return undefined;
  const top = direct[best[0] ?? -1] ?? 0;
  const weights = new Map<string, number>();
  const all = new PathWords();
  for (const index of best) {
    const worth = (direct[index] ?? 0) / top;
    for (const word of all.of(entries[index] as HeldEntry)) weights.set(word, (weights.get(word) ?? 0) + worth);
  }
  const words = new PathWords(weights);
  const said = entries.map((entry) => words.of(entry));
  const frequency = new Map<string, number>();
  for (const list of said) for (const word of list) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const scored = [...weights].map(([word, weight]): [string, number] => {
    const rarity = Math.log((entries.length + 1) / ((frequency.get(word) ?? 0) + 0.5)) / Math.log(entries.length + 2);
    return [word, (weight / best.length) * Math.max(0, rarity)];
  });
  scored.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const feedback = new Map(scored.slice(0, FEEDBACK_WORDS));
  return said.map((list) => list.reduce((sum, word) => sum + (feedback.get(word) ?? 0), 0));
}

function take(counts: Map<string, number>, key: string): number {
  const count = counts.get(key) ?? 0;
  counts.set(key, count + 1);
  return count;
}

const NO_WORDS: readonly string[] = [];

/** The words of paths, each once, or only those of them that count. Each folder and each name is taken apart once. */
class PathWords {
  readonly #counted: ReadonlyMap<string, number> | undefined;
  readonly #stems = new Map<string, readonly string[]>();
  readonly #folders = new Map<string, readonly string[]>();

  constructor(counted?: ReadonlyMap<string, number>) {
    this.#counted = counted;
  }

  of({ path, parent }: HeldEntry): readonly string[] {
    let folder = this.#folders.get(parent);
    if (folder === undefined) {
      folder = this.#wordsIn(parent, NO_WORDS);
      this.#folders.set(parent, folder);
    }
    return this.#wordsIn(path.slice(parent.length), folder);
  }

  #wordsIn(path: string, known: readonly string[]): readonly string[] {
    const own: string[] = [];
    for (const name of path.replace(/\.\w{1,5}$/, "").split(/[/.\s-]+/)) {
      for (const word of this.#stemsOf(name)) own.push(word);
    }
    return own.length === 0 ? known : [...new Set([...known, ...own])];
  }

  #stemsOf(name: string): readonly string[] {
    let stems = this.#stems.get(name);
    if (stems === undefined) {
      const all = splitIdentifier(name).flatMap((word) => (word.length > 2 ? [stem(word)] : NO_WORDS));
      stems = this.#counted === undefined ? all : all.filter((word) => this.#counted?.has(word));
      this.#stems.set(name, stems);
    }
    return stems;
  }
}
