import { askedPaths } from "../../../query/asked-paths.ts";
import { countTerms, Relevance, type Tally } from "../../../query/relevance.ts";
import type { HeldLine } from "../lines/held-line.ts";
import { isComment, isDecision } from "./block-prior.ts";
import type { DiffFile, DiffHunk } from "./diff-blocks.ts";

/** A line of a hunk, in order. */
export interface HunkLine {
  readonly hunk: DiffHunk;
  readonly held: HeldLine;
}

/** How much each feature says for a changed line; measured on histories, as `bench/quality` tells. */
const WEIGHTS = {
  /** The question's words in the line, within three lines, and how many of them within five. */
  own: 0.8,
  near: 0.95,
  covered: 0.65,
  /** The words in all of the hunk as a share of the best, how far up that is, and in what its header says. */
  hunk: 1.25,
  leading: 0.75,
  section: 0.5,
  /** The words in the path, and the path as a name. */
  path: 1.15,
  nameCovered: 0.45,
  nameWhole: 0.75,
  named: 0.7,
  /** How long the file's diff is. */
  length: -0.9,
  decision: 0.8,
  call: 0.65,
  comment: -0.1,
  imports: -0.4,
  /** Hardly a letter: a closing brace. */
  closer: -1.65,
  /** What is gone. */
  gone: -1.2,
  /** What a line costs. */
  chars: -0.4,
} as const;

const KIND_WEIGHTS: Readonly<Record<DiffFile["kind"], number>> = {
  source: 0,
  config: 0,
  docs: -0.3,
  generated: -1,
  test: -1.4,
};

const NEAR = 3;
const COVERING = 5;
const CLOSER_CHARS = 8;
const MAX_SAID_CHARS = 400;
const IMPORT = /^(?:import|from|use|using|include|require|#\s*include)\b/;
const CALL = /\w\(/;

/** What each line is worth to who asks; higher is better. */
export function scoreLines(
  lines: readonly HunkLine[],
  query: string,
  relevance: Relevance,
  paths: Relevance,
): Float64Array {
  const tallies = lines.map(({ held }) => relevance.tally(held.text));
  const own = tallies.map((tally) => relevance.score(tally));
  const most = own.reduce((highest, score) => Math.max(highest, score), 1e-9);
  const hunks = scoreHunks(lines, query, relevance, paths, most);
  const terms = Math.max(1, countTerms([...hunks.keys()].map(({ said }) => said)));
  const scores = new Float64Array(lines.length);
  lines.forEach(({ hunk, held }, index) => {
    let near = 0;
    const covering: Tally[] = [];
    for (let at = Math.max(0, index - COVERING); at <= Math.min(lines.length - 1, index + COVERING); at++) {
      const tally = tallies[at];
      if (tally === undefined || lines[at]?.hunk !== hunk) continue;
      covering.push(tally);
      const away = Math.abs(at - index);
      if (away <= NEAR) near = Math.max(near, ((own[at] ?? 0) / most) * (1 - away / (NEAR + 1)));
    }
    scores[index] =
      (hunks.get(hunk) ?? 0) +
      (WEIGHTS.own * (own[index] ?? 0)) / most +
      WEIGHTS.near * near +
      (WEIGHTS.covered * countTerms(covering)) / terms +
      formOf(held);
  });
  return scores;
}

/** What a line says by its form alone. */
function formOf({ text, chars }: HeldLine): number {
  const said = text.slice(1, MAX_SAID_CHARS).trim();
  const letters = said.replace(/[^\p{L}\p{N}]+/gu, "").length;
  let score = WEIGHTS.chars * Math.log(Math.min(chars, MAX_SAID_CHARS) + 20);
  if (isDecision(said)) score += WEIGHTS.decision;
  if (CALL.test(said)) score += WEIGHTS.call;
  if (isComment(said)) score += WEIGHTS.comment;
  if (IMPORT.test(said)) score += WEIGHTS.imports;
  if (letters < CLOSER_CHARS) score += WEIGHTS.closer;
  if (text.startsWith("-")) score += WEIGHTS.gone;
  return score;
}

/** What each hunk says for its lines. */
function scoreHunks(
  lines: readonly HunkLine[],
  query: string,
  relevance: Relevance,
  paths: Relevance,
  most: number,
): ReadonlyMap<DiffHunk, number> {
  const hunks = [...new Set(lines.map(({ hunk }) => hunk))];
  const names = askedPaths(
    query,
    hunks.map(({ file }) => file.path),
  );
  const byHunk = new Relevance(query);
  for (const { said } of hunks) byHunk.observe(said);
  const usual = hunks.reduce((sum, hunk) => sum + hunk.lines, 0) / Math.max(1, hunks.length);
  const ranked = hunks.map((hunk) => ({ hunk, score: byHunk.score(hunk.said, hunk.lines / usual) }));
  ranked.sort((a, b) => b.score - a.score || a.hunk.header.line - b.hunk.header.line);
  const best = Math.max(1e-9, ranked[0]?.score ?? 0);
  return new Map(
    ranked.map(({ hunk, score }, rank) => {
      const { file } = hunk;
      const name = names.get(file.path);
      const worth =
        (WEIGHTS.hunk * score) / best +
        WEIGHTS.leading / (1 + rank / 2) +
        WEIGHTS.section * Math.min(1, relevance.score(hunk.tally) / most) +
        WEIGHTS.path * paths.score(file.tally) +
        WEIGHTS.nameCovered * (name?.covered ?? 0) +
        WEIGHTS.nameWhole * (name?.whole ?? 0) +
        WEIGHTS.named * (name?.named ?? 0) +
        (WEIGHTS.length * Math.log1p(file.endLine - file.startLine)) / 8 +
        KIND_WEIGHTS[file.kind];
      return [hunk, worth];
    }),
  );
}
