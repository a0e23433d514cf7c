import type { Relevance, Tally } from "../../../query/relevance.ts";
import type { HeldLine } from "../../lines/held-line.ts";
import { PATH_WEIGHT, type PathKind } from "../../lines/path-kind.ts";
import { scoreHits } from "./score-hits.ts";

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
