import { askedConcepts, showsAny } from "../../../query/asked-concepts.ts";
import { askedPaths } from "../../../query/asked-paths.ts";
import { latePattern } from "../../../query/late-pattern.ts";
import { Relevance } from "../../../query/relevance.ts";
import { emptyColumns, type FeatureColumns } from "../../lines/fill-room.ts";
import type { HeldLine } from "../../lines/line-drawing.ts";
import { isComment, isDecision } from "./block-prior.ts";
import type { DiffHunk } from "./diff-blocks.ts";

const NO_LETTERS = latePattern(String.raw`[^\p{L}\p{N}]+`, "gu");

/** A line of a hunk, in order. */
export interface HunkLine {
  readonly hunk: DiffHunk;
  readonly held: HeldLine;
}

/** What may speak for a line, each about 0 to 1. */
const FEATURES = [
  "near",
  "hunk",
  "section",
  "path",
  "nameCovered",
  "length",
  "concept",
  "again",
  "rare",
  "decision",
  "call",
  "comment",
  "imports",
  "closer",
  "gone",
  "chars",
  "config",
  "docs",
  "generated",
  "test",
] as const;

/** The name of a feature. */
export type Feature = (typeof FEATURES)[number];

type Features = Partial<Record<Feature, number>>;

const NEAR = 3;
const CLOSER_CHARS = 8;
const MAX_SAID_CHARS = 400;
const IMPORT = /^(?:import|from|use|using|include|require|#\s*include)\b/;
const CALL = /\w\(/;
const NAME = /[A-Za-z_]\w{3,}/g;

/** Reads the features of all lines, which are in order. */
export function readFeatures(
  lines: readonly HunkLine[],
  query: string,
  relevance: Relevance,
  paths: Relevance,
): FeatureColumns<Feature> {
  const own = lines.map(({ held }) => relevance.score(relevance.tally(held.text)));
  const most = own.reduce((highest, score) => Math.max(highest, score), 1e-9);
  const hunks = readHunks(lines, query, relevance, paths, most);
  const concepts = askedConcepts(query);
  const names = countNames(lines);
  const said = new Map<string, number>();
  const columns = emptyColumns(FEATURES, lines.length);
  lines.forEach(({ hunk, held }, index) => {
    const text = saidBy(held);
    const before = said.get(text) ?? 0;
    said.set(text, before + 1);
    let near = 0;
    for (let at = Math.max(0, index - NEAR); at <= Math.min(lines.length - 1, index + NEAR); at++) {
      if (lines[at]?.hunk !== hunk) continue;
      near = Math.max(near, ((own[at] ?? 0) / most) * (1 - Math.abs(at - index) / (NEAR + 1)));
    }
    const features: Features = {
      near,
      concept: showsAny(concepts, text) ? 1 : 0,
      again: Math.log1p(before),
      rare: rarest(text, names),
      ...formOf(text, held),
      ...hunks.get(hunk),
    };
    for (const name in features) columns[name as Feature][index] = features[name as Feature] ?? 0;
  });
  return columns;
}

function saidBy({ text }: HeldLine): string {
  return text.slice(1, MAX_SAID_CHARS).trim();
}

/** In how many lines each name stands. */
function countNames(lines: readonly HunkLine[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { held } of lines) {
    for (const name of new Set(saidBy(held).match(NAME))) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

function rarest(text: string, counts: ReadonlyMap<string, number>): number {
  const names = text.match(NAME);
  return names === null ? 0 : Math.log(names.reduce((least, name) => Math.min(least, counts.get(name) ?? 1), Infinity));
}

/** What a line says by its form alone. */
function formOf(said: string, { text, chars }: HeldLine): Features {
  const letters = said.replace(NO_LETTERS(), "").length;
  return {
    chars: Math.log(Math.min(chars, MAX_SAID_CHARS) + 20),
    decision: isDecision(said) ? 1 : 0,
    call: CALL.test(said) ? 1 : 0,
    comment: isComment(said) ? 1 : 0,
    imports: IMPORT.test(said) ? 1 : 0,
    closer: letters < CLOSER_CHARS ? 1 : 0,
    gone: text.startsWith("-") ? 1 : 0,
  };
}

/** What each hunk says for its lines. */
function readHunks(
  lines: readonly HunkLine[],
  query: string,
  relevance: Relevance,
  paths: Relevance,
  most: number,
): ReadonlyMap<DiffHunk, Features> {
  const hunks = [...new Set(lines.map(({ hunk }) => hunk))];
  const names = askedPaths(
    query,
    hunks.map(({ file }) => file.path),
  );
  const byHunk = new Relevance(query);
  for (const { said } of hunks) byHunk.observe(said);
  const usual = hunks.reduce((sum, hunk) => sum + hunk.lines, 0) / Math.max(1, hunks.length);
  const scored = hunks.map((hunk) => ({ hunk, score: byHunk.score(hunk.said, hunk.lines / usual) }));
  const best = scored.reduce((highest, { score }) => Math.max(highest, score), 1e-9);
  return new Map(
    scored.map(({ hunk, score }) => {
      const { file } = hunk;
      const features: Features = {
        hunk: score / best,
        section: Math.min(1, relevance.score(hunk.tally) / most),
        path: paths.score(file.tally),
        nameCovered: names.get(file.path)?.covered ?? 0,
        length: Math.log1p(file.endLine - file.startLine) / 8,
      };
      if (file.kind !== "source") features[file.kind] = 1;
      return [hunk, features];
    }),
  );
}
