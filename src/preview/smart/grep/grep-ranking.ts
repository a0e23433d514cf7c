import { askedPaths } from "../../../query/asked-paths.ts";
import { countTerms, type Relevance, type Tally } from "../../../query/relevance.ts";
import type { HeldLine } from "../../lines/line-drawing.ts";
import { PATH_WEIGHT, type PathKind } from "../../lines/paths.ts";

/** What is known of one file with hits. */
export interface HitFile {
  readonly path: string;
  readonly folder: string;
  readonly kind: PathKind;
  readonly pathTally: Tally | undefined;
  /** Terms of the question in any of its hits. */
  tally: Tally | undefined;
  matches: number;
  /** The lines of the results between which its matches stand. */
  firstLine: number;
  lastLine: number;
  /** How many files of its folder have a better hit. */
  rank: number;
}

/** One line of the results that can be shown. */
export interface HeldHit {
  readonly file: HitFile;
  readonly held: HeldLine;
  /** The line with the name of the file that it stands under. */
  readonly heading: HeldLine | undefined;
  readonly match: boolean;
  /** Its line in the file; 0 when the results do not tell. */
  readonly number: number;
  readonly textAt: number;
  readonly tally: Tally | undefined;
  readonly prior: number;
  score: number;
}

/** How fast further hits of one file count less. */
const SPREAD = 0.1;

/** Who searches reads code; a test repeats what it says, and there are many. */
const KIND_WEIGHT: Readonly<Record<PathKind, number>> = { ...PATH_WEIGHT, test: 0.3 };

const DEFINITION =
  /^\s*(?:(?:export|default|public|private|protected|internal|static|abstract|async|pub(?:\([a-z]+\))?|final|override|virtual|inline|extern|declare|unsafe)\s+)*(?:class|def|func|function|fn|struct|enum|interface|impl|trait|type|module|namespace|protocol|object|record|macro_rules!|#\s*define|typedef|sub|proc)\b/;
const ASIDE =
  /^\s*(?:\/\/|\/?\*|#(?!\s*(?:define|if|include))|--\s|"""|'''|<!--|;)|^\s*(?:import|from|use|using|include|require|#include)\b/;

/** Four words in a row, and nothing that only code has. */
const PROSE = /^[^=;{}[\]]*\b[a-z]{2,} [a-z]{1,} [a-z]{2,} [a-z]{2,}\b[^=;{}[\]]*$/;
const CALL = /[\w$]\(/;

/** How much a hit says by its form alone: definitions before uses, code before prose, comments and imports. */
export const FORM_PRIOR = { definition: 1, use: 0.6, aside: 0.45 } as const;

/** True where something is defined. */
export function isDefinition(text: string): boolean {
  return DEFINITION.test(text);
}

/** True for comments, imports and prose. */
export function isAside(text: string): boolean {
  return ASIDE.test(text) || (PROSE.test(text) && !CALL.test(text));
}

/** Weighs hits against each other. */
export class GrepRanking {
  readonly #relevance: Relevance;
  readonly #paths: Relevance;
  readonly #query: string;

  constructor(relevance: Relevance, paths: Relevance, query: string) {
    this.#relevance = relevance;
    this.#paths = paths;
    this.#query = query;
  }

  /** Every hit, best first: by the question, and when nothing shares its words spread over files and folders. */
  rank(hits: readonly HeldHit[]): HeldHit[] {
    if (hits.some(({ tally, file }) => tally !== undefined || file.pathTally !== undefined))
      return this.#rankAsked(hits);
    for (const hit of hits) hit.score = this.score(hit);
    const ordered = [...hits].sort((a, b) => b.score - a.score || a.held.line - b.held.line);
    const seen = {
      files: new Map<string, number>(),
      folders: new Map<string, number>(),
      texts: new Map<string, number>(),
    };
    for (const hit of ordered) {
      const ofFile = take(seen.files, hit.file.path);
      if (ofFile === 0) hit.file.rank = take(seen.folders, hit.file.folder);
      const ofText = take(seen.texts, hit.held.text.slice(hit.textAt).trim());
      hit.score /= (1 + SPREAD * ofFile) * (1 + 0.04 * hit.file.rank) * (1 + 0.5 * ofText);
    }
    return ordered.sort((a, b) => b.score - a.score || a.held.line - b.held.line);
  }

  /** What a hit is worth by what is known so far. */
  score(hit: Pick<HeldHit, "file" | "match" | "tally" | "prior">): number {
    const { file } = hit;
    const value = 0.5 * hit.prior + this.#around(file) + this.#relevance.score(hit.tally);
    return value * KIND_WEIGHT[file.kind] * (hit.match ? 1 : 0.3);
  }

  #rankAsked(hits: readonly HeldHit[]): HeldHit[] {
    const scores = scoreHits(hits, this.#query, this.#relevance, this.#paths);
    hits.forEach((hit, index) => {
      hit.score = scores[index] ?? 0;
    });
    return [...hits].sort((a, b) => b.score - a.score || a.held.line - b.held.line);
  }

  /** What a file says for each of its hits: with a question its path and all of its hits, else how many there are. */
  #around(file: HitFile): number {
    if (this.#relevance.empty) return 0.05 * Math.log2(1 + file.matches);
    return 1.2 * this.#paths.score(file.pathTally) + 0.6 * this.#relevance.score(file.tally, 1 + file.matches / 50);
  }
}

function take(counts: Map<string, number>, key: string): number {
  const count = counts.get(key) ?? 0;
  counts.set(key, count + 1);
  return count;
}

/** How much each feature says for a hit; measured on histories, as `bench/quality` tells. */
const WEIGHTS = {
  /** The question's words in the hit, in the best hit near it, and how many of them its file has. */
  own: 1.87,
  near: 1.5,
  fileCovered: 1.7,
  /** The words in the path, and the path as a name. */
  path: 1.5,
  nameCovered: 1.07,
  named: 1.2,
  /** The words in the path of what is no source, as a share of the best: tests repeat the names of what they test. */
  repeated: -1.2,
  /** How many hits the file has. */
  hits: -1.2,
  context: -2.5,
  /** What a hit costs. */
  chars: -0.5,
} as const;

const KIND_WEIGHTS: Readonly<Record<HitFile["kind"], number>> = {
  source: 0,
  config: 0,
  docs: -0.9,
  generated: -1.2,
  test: -1,
};

/** A hit says something for the hits that stand so many lines from it. */
const NEAR_LINES = 20;
const NEAR_HITS = 4;
const MOST_CHARS = 300;

/** What each hit is worth to who asks; higher is better. Hits are in order. */
function scoreHits(hits: readonly HeldHit[], query: string, relevance: Relevance, paths: Relevance): Float64Array {
  const own = hits.map((hit) => relevance.score(hit.tally));
  const most = own.reduce((highest, score) => Math.max(highest, score), 1e-9);
  const worths = scoreFiles([...new Set(hits.map(({ file }) => file))], query, paths);
  const scores = new Float64Array(hits.length);
  hits.forEach((hit, index) => {
    let near = 0;
    for (let at = Math.max(0, index - NEAR_HITS); at <= index + NEAR_HITS; at++) {
      const other = hits[at];
      if (at === index || other?.file !== hit.file || Math.abs(other.number - hit.number) > NEAR_LINES) continue;
      near = Math.max(near, (own[at] ?? 0) / most);
    }
    scores[index] =
      (worths.get(hit.file) ?? 0) +
      (WEIGHTS.own * (own[index] ?? 0)) / most +
      WEIGHTS.near * near +
      (hit.match ? 0 : WEIGHTS.context) +
      WEIGHTS.chars * Math.log(Math.min(hit.held.chars, MOST_CHARS) + 20);
  });
  return scores;
}

/** What each file says for its hits. */
function scoreFiles(files: readonly HitFile[], query: string, paths: Relevance): ReadonlyMap<HitFile, number> {
  const names = askedPaths(
    query,
    files.map(({ path }) => path),
  );
  const terms = Math.max(1, countTerms(files.map(({ tally }) => tally)));
  const best = files.reduce((most, { pathTally }) => Math.max(most, paths.score(pathTally)), 1e-9);
  return new Map(
    files.map((file) => {
      const name = names.get(file.path);
      const path = paths.score(file.pathTally);
      const worth =
        (WEIGHTS.fileCovered * countTerms([file.tally])) / terms +
        WEIGHTS.path * path +
        WEIGHTS.nameCovered * (name?.covered ?? 0) +
        WEIGHTS.named * (name?.named ?? 0) +
        (file.kind === "source" ? 0 : (WEIGHTS.repeated * path) / best) +
        (WEIGHTS.hits * Math.log1p(file.matches)) / 5 +
        KIND_WEIGHTS[file.kind];
      return [file, worth];
    }),
  );
}
