import { addTallies, type Relevance, type Tally } from "../../../query/relevance.ts";
import { splitIdentifier, stem } from "../../../query/words.ts";
import type { HeldLine } from "../lines/held-line.ts";
import { PATH_WEIGHT, type PathKind } from "../lines/path-kind.ts";

/** One entry that can be shown. */
export interface HeldEntry {
  readonly held: HeldLine;
  readonly path: string;
  readonly parent: string;
  readonly kind: PathKind;
  readonly size: number;
  readonly folder: boolean;
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

  constructor(relevance: Relevance) {
    this.#relevance = relevance;
  }

  /** What an entry is worth by what is known so far. */
  worth(entry: Pick<HeldEntry, "nameTally" | "folderTally" | "prior">): number {
    return this.#direct(entry) + entry.prior;
  }

  /** Every entry, best first, spread over folders and names. */
  rank(entries: readonly HeldEntry[]): HeldEntry[] {
    const direct = entries.map((entry) => this.#direct(entry));
    const words = new PathWords();
    const feedback = this.#relevance.empty ? undefined : feedbackWords(entries, direct, words);
    const asked = entries.map((entry, index) => {
      const related = feedback === undefined || feedback.size === 0 ? 0 : relatedness(words.of(entry), feedback);
      return ((direct[index] ?? 0) + RELATED * related) * PATH_WEIGHT[entry.kind] ** 2;
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

/** What an entry at the top is worth before any question: source first, large before small. */
export function entryPrior(name: string, kind: PathKind, size: number, folder: boolean): number {
  const bulk = size < 0 ? 1 : 0.6 + 0.1 * Math.min(8, Math.log2(1 + size / 256));
  const series = isSeries(name) ? 0.5 : 1;
  return KIND_PRIORS[kind] * bulk * series * (folder ? 0.7 : 1);
}

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
 * Words that stand in the paths which answer the question best, with what they are worth: a test or a manual page named
 * after the asked-for thing tells the folder and the file where it is made.
 */
function feedbackWords(
  entries: readonly HeldEntry[],
  direct: readonly number[],
  words: PathWords,
): Map<string, number> {
  const best = entries.map((_, index) => index).filter((index) => (direct[index] ?? 0) > 0.3);
  best.sort((a, b) => (direct[b] ?? 0) - (direct[a] ?? 0) || a - b);
  best.length = Math.min(best.length, FEEDBACK_PATHS);
  if (best.length === 0) return new Map();
  const top = direct[best[0] ?? -1] ?? 0;
  const weights = new Map<string, number>();
  for (const index of best) {
    const worth = (direct[index] ?? 0) / top;
    for (const word of words.of(entries[index] as HeldEntry)) weights.set(word, (weights.get(word) ?? 0) + worth);
  }
  const frequency = new Map<string, number>();
  for (const entry of entries) {
    for (const word of words.of(entry)) {
      if (weights.has(word)) frequency.set(word, (frequency.get(word) ?? 0) + 1);
    }
  }
  const scored = [...weights].map(([word, weight]): [string, number] => {
    const rarity = Math.log((entries.length + 1) / ((frequency.get(word) ?? 0) + 0.5)) / Math.log(entries.length + 2);
    return [word, (weight / best.length) * Math.max(0, rarity)];
  });
  scored.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return new Map(scored.slice(0, FEEDBACK_WORDS));
}

function take(counts: Map<string, number>, key: string): number {
  const count = counts.get(key) ?? 0;
  counts.set(key, count + 1);
  return count;
}

function relatedness(words: ReadonlySet<string>, feedback: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const word of words) sum += feedback.get(word) ?? 0;
  return sum;
}

/** The words of paths, each folder and each entry taken apart once. */
class PathWords {
  readonly #stems = new Map<string, string>();
  readonly #folders = new Map<string, ReadonlySet<string>>();
  readonly #entries = new Map<HeldEntry, ReadonlySet<string>>();

  of(entry: HeldEntry): ReadonlySet<string> {
    let words = this.#entries.get(entry);
    if (words === undefined) {
      let folder = this.#folders.get(entry.parent);
      if (folder === undefined) {
        folder = this.#wordsIn(entry.parent);
        this.#folders.set(entry.parent, folder);
      }
      words = this.#wordsIn(entry.path.slice(entry.parent.length), folder);
      this.#entries.set(entry, words);
    }
    return words;
  }

  #wordsIn(path: string, known?: ReadonlySet<string>): ReadonlySet<string> {
    const words = new Set(known);
    for (const name of path.replace(/\.\w{1,5}$/, "").split(/[/.\s-]+/)) {
      for (const word of splitIdentifier(name)) {
        if (word.length > 2) words.add(this.#stem(word));
      }
    }
    return words;
  }

  /** Remembers words, since paths repeat them. */
  #stem(word: string): string {
    let stemmed = this.#stems.get(word);
    if (stemmed === undefined) {
      stemmed = stem(word);
      this.#stems.set(word, stemmed);
    }
    return stemmed;
  }
}
