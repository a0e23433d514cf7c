import { countTerms, type Relevance, type Tally } from "../../../query/relevance.ts";
import type { SourceLine } from "./source-line.ts";
import type { Declaration } from "./source-parser.ts";

/** What may speak for a line, each about 0 to 1. */
export const FEATURES = [
  /** The question's words in the line, within three lines, and within twelve of the same function, nearer ones more. */
  "own",
  "near",
  "around",
  /** The words in all of the function, in its signature, in the signatures around it. */
  "function",
  "name",
  "outerName",
  /** Whether its function is the best of all, and how far up it stands. */
  "best",
  "leading",
  /** Of the words that stand anywhere in the source, how many the function and the five lines around have. */
  "covered",
  "coveredNear",
  /** How far the next line of the function with one of the words is. */
  "distance",
  /** How long the function is. */
  "length",
  /** What the line is. */
  "decision",
  "comment",
  "imports",
  "closer",
  "head",
  "outside",
  /** Whether it names one of the best functions. */
  "mentions",
] as const;

/** The name of a feature. */
export type Feature = (typeof FEATURES)[number];

/** One column for each feature, a row for each line. */
export type FeatureColumns = Readonly<Record<Feature, Float64Array>>;

const DECISION = /\b(?:if|elif|unless|switch|case|match|when|guard|while|return|throw|raise|assert\w*)\b|[=!]=|&&|\|\|/;
const NEAR = 3;
const AROUND = 12;
const COVERING = 5;
const FAR = 148;
const NAMED = 3;
const NAME_CHARS = 4;

/** Reads the features of all lines, which are in order; `functions` counts its terms by function. */
export function readFeatures(lines: readonly SourceLine[], relevance: Relevance, functions: Relevance): FeatureColumns {
  const columns = Object.fromEntries(FEATURES.map((name) => [name, new Float64Array(lines.length)])) as Record<
    Feature,
    Float64Array
  >;
  const own = lines.map(({ tally }) => relevance.score(tally));
  const most = own.reduce((highest, score) => Math.max(highest, score), 1e-9);
  readNeighbourhoods(lines, own, most, columns);
  const standings = rankFunctions(lines, functions);
  const names = [...standings]
    .filter(([{ name }, { rank }]) => rank < NAMED && name.length >= NAME_CHARS)
    .map(([{ name }]) => name.slice(name.lastIndexOf(":") + 1));
  const terms = Math.max(1, countTerms(lines.map(({ tally }) => tally)));
  const signature = (declaration: Declaration): number => Math.min(1, relevance.score(declaration.headTally) / most);
  const scopes = new Map<Declaration, { name: number; outer: number; covered: number }>();
  for (const scope of standings.keys()) {
    let outer = 0;
    for (let at = scope.parent; at !== undefined; at = at.parent) outer = Math.max(outer, signature(at));
    scopes.set(scope, { name: signature(scope), outer, covered: countTerms([scope.tally]) / terms });
  }
  lines.forEach(({ scope, kind, held }, index) => {
    columns.coveredNear[index] = (columns.coveredNear[index] ?? 0) / terms;
    columns.own[index] = (own[index] ?? 0) / most;
    columns.decision[index] = kind === "code" && DECISION.test(held.text) ? 1 : 0;
    columns.comment[index] = kind === "comment" ? 1 : 0;
    columns.imports[index] = kind === "import" ? 1 : 0;
    columns.closer[index] = kind === "closer" ? 1 : 0;
    columns.head[index] = kind === "head" ? 1 : 0;
    columns.outside[index] = scope === undefined ? 1 : 0;
    columns.mentions[index] = kind === "code" && names.some((name) => held.text.includes(name)) ? 1 : 0;
    if (scope === undefined) return;
    const standing = standings.get(scope);
    const known = scopes.get(scope);
    if (standing === undefined || known === undefined) return;
    columns.function[index] = standing.share;
    columns.best[index] = standing.rank === 0 ? 1 : 0;
    columns.leading[index] = 1 / (1 + standing.rank / 2);
    columns.covered[index] = known.covered;
    columns.name[index] = known.name;
    columns.outerName[index] = known.outer;
    columns.length[index] = Math.log1p(scope.lines) / 6;
  });
  return columns;
}

/** What lines with words of the question say for the lines around them in the same function. */
function readNeighbourhoods(
  lines: readonly SourceLine[],
  own: readonly number[],
  most: number,
  { near, around, coveredNear, distance }: FeatureColumns,
): void {
  const covering = new Map<number, Set<number>>();
  const distances = new Float64Array(lines.length).fill(FAR);
  lines.forEach((line, index) => {
    const score = (own[index] ?? 0) / most;
    if (line.tally === undefined) return;
    const spread = (step: 1 | -1): void => {
      for (let at = index + (step > 0 ? 0 : -1); at >= 0 && at < lines.length; at += step) {
        const other = lines[at] as SourceLine;
        const away = Math.abs(other.held.line - line.held.line);
        if (other.scope !== line.scope) {
          if (away > AROUND) return;
          continue;
        }
        // Beyond the next line that has words, that one is nearer.
        if (away > AROUND && (away >= (distances[at] ?? 0) || away >= FAR)) return;
        distances[at] = Math.min(distances[at] ?? FAR, away);
        if (away > AROUND) continue;
        around[at] = Math.min(2, (around[at] ?? 0) + (score * Math.exp(-away / 5)) / 2);
        if (away <= NEAR) near[at] = Math.max(near[at] ?? 0, score * (1 - away / (NEAR + 1)));
        if (away <= COVERING) {
          const found = covering.get(at) ?? new Set<number>();
          covering.set(at, found);
          collectTerms(line.tally, found);
        }
      }
    };
    spread(1);
    spread(-1);
  });
  lines.forEach((_, index) => {
    coveredNear[index] = covering.get(index)?.size ?? 0;
    distance[index] = Math.log1p(distances[index] ?? FAR) / 5;
  });
}

interface Standing {
  /** Its score as a share of the best. */
  readonly share: number;
  readonly rank: number;
}

function rankFunctions(lines: readonly SourceLine[], functions: Relevance): ReadonlyMap<Declaration, Standing> {
  const all = new Set<Declaration>();
  for (const { scope } of lines) if (scope !== undefined) all.add(scope);
  const declared = [...all];
  const usual = Math.max(10, declared.reduce((sum, { lines: count }) => sum + count, 0) / Math.max(1, declared.length));
  for (const { kind, tally } of declared) if (kind !== "class") functions.observe(tally);
  const score = ({ kind, tally, headTally, lines: count }: Declaration): number =>
    kind === "class" ? 0 : functions.score(tally, count / usual) + 1.2 * functions.score(headTally);
  const scored = declared.map((declaration) => ({ declaration, score: score(declaration) }));
  scored.sort((a, b) => b.score - a.score || a.declaration.startLine - b.declaration.startLine);
  const most = Math.max(1e-9, scored[0]?.score ?? 0);
  return new Map(scored.map((entry, rank) => [entry.declaration, { share: entry.score / most, rank }]));
}

function collectTerms(tally: Tally | undefined, into: Set<number>): void {
  if (tally === undefined) return;
  for (let index = 0; index < tally.length; index++) if (tally[index] !== 0) into.add(index);
}
