import { askedPaths } from "../../../query/asked-paths.ts";
import { countTerms, type Relevance } from "../../../query/relevance.ts";
import type { HeldHit, HitFile } from "./grep-ranking.ts";

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
export function scoreHits(
  hits: readonly HeldHit[],
  query: string,
  relevance: Relevance,
  paths: Relevance,
): Float64Array {
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
