import type { HeldLine } from "../lines/held-line.ts";
import { PATH_WEIGHT, type PathKind } from "../lines/path-kind.ts";
import type { Relevance, Tally } from "../lines/relevance.ts";

/** What is known of one file with hits. */
export interface HitFile {
  readonly path: string;
  readonly folder: string;
  readonly kind: PathKind;
  readonly pathTally: Tally | undefined;
  /** Terms of the question in any of its hits. */
  tally: Tally | undefined;
  matches: number;
  /** How many files of its folder have a better hit. */
  rank: number;
}

/** One line of the results that can be shown. */
export interface HeldHit {
  readonly file: HitFile;
  readonly held: HeldLine;
  readonly match: boolean;
  readonly number: number;
  readonly textAt: number;
  readonly tally: Tally | undefined;
  readonly prior: number;
  score: number;
}

const DEFINITION =
  /^\s*(?:(?:export|default|public|private|protected|internal|static|abstract|async|pub(?:\([a-z]+\))?|final|override|virtual|inline|extern|declare|unsafe)\s+)*(?:class|def|func|function|fn|struct|enum|interface|impl|trait|type|module|namespace|protocol|object|record|macro_rules!|#\s*define|typedef|sub|proc)\b/;
const BINDING =
  /^\s*(?:(?:export|static|public|private|final|readonly|pub)\s+)*(?:const|let|var|val)\s+\w+\s*[:=]|^[A-Za-z_][\w.]*\s*(?::[^=]+)?=[^=]/;
const ASIDE =
  /^\s*(?:\/\/|\/?\*|#(?!\s*(?:define|if|include))|--\s|"""|'''|<!--|;)|^\s*(?:import|from|use|using|include|require|#include)\b/;

/** Four words in a row, and nothing that only code has. */
const PROSE = /^[^=;{}[\]]*\b[a-z]{2,} [a-z]{1,} [a-z]{2,} [a-z]{2,}\b[^=;{}[\]]*$/;
const CALL = /[\w$]\(/;

/** How much a hit says by its form alone: definitions before uses, code before prose, comments and imports. */
export function hitPrior(text: string): number {
  if (DEFINITION.test(text)) return 1;
  if (ASIDE.test(text) || (PROSE.test(text) && !CALL.test(text))) return 0.45;
  return BINDING.test(text) ? 0.75 : 0.6;
}

/** Weighs hits against each other. */
export class GrepRanking {
  readonly #relevance: Relevance;
  readonly #paths: Relevance;

  constructor(relevance: Relevance, paths: Relevance) {
    this.#relevance = relevance;
    this.#paths = paths;
  }

  /** Every hit, best first, spread over files and folders. */
  rank(hits: readonly HeldHit[]): HeldHit[] {
    for (const hit of hits) hit.score = this.score(hit);
    const smoothed = new Map(hits.map((hit, index) => [hit, hit.score + 0.35 * neighbourScore(hits, index)]));
    const value = (hit: HeldHit): number => smoothed.get(hit) ?? 0;
    const ordered = [...hits].sort((a, b) => value(b) - value(a) || a.held.line - b.held.line);
    const seen = {
      files: new Map<string, number>(),
      folders: new Map<string, number>(),
      texts: new Map<string, number>(),
    };
    // Without a question every file is as good as the next; with one, the best file deserves several lines.
    const spread = this.#relevance.empty ? 0.25 : 0.12;
    for (const hit of ordered) {
      const ofFile = take(seen.files, hit.file.path);
      if (ofFile === 0) hit.file.rank = take(seen.folders, hit.file.folder);
      const ofText = take(seen.texts, hit.held.text.slice(hit.textAt).trim());
      hit.score = value(hit) / (1 + spread * ofFile) / (1 + 0.04 * hit.file.rank) / (1 + 0.5 * ofText);
    }
    return ordered.sort((a, b) => b.score - a.score || a.held.line - b.held.line);
  }

  /** What a hit is worth by what is known so far. */
  score(hit: Pick<HeldHit, "file" | "match" | "tally" | "prior">): number {
    const { file } = hit;
    const weight = PATH_WEIGHT[file.kind];
    const said = this.#relevance.score(hit.tally);
    const near =
      0.8 * this.#paths.score(file.pathTally) + 0.35 * this.#relevance.score(file.tally, 1 + file.matches / 8);
    const value = (0.5 * hit.prior + near + said) * weight;
    return hit.match ? value : value * 0.3;
  }
}

/** The best score within three lines of the same file. */
function neighbourScore(hits: readonly HeldHit[], index: number): number {
  const hit = hits[index];
  let best = 0;
  for (const other of [hits[index - 1], hits[index + 1]]) {
    if (hit === undefined || other?.file !== hit.file || Math.abs(other.number - hit.number) > 5) continue;
    best = Math.max(best, other.score);
  }
  return best;
}

function take(counts: Map<string, number>, key: string): number {
  const count = counts.get(key) ?? 0;
  counts.set(key, count + 1);
  return count;
}
