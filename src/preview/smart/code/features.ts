import { askedConcepts } from "../../../query/asked-concepts.ts";
import { countTerms, type Relevance, type Tally } from "../../../query/relevance.ts";
import { emptyColumns, type FeatureColumns } from "../lines/weigh-features.ts";
import type { Declaration } from "./declaration.ts";
import type { SourceLine } from "./source-line.ts";

/** What may speak for a line, each about 0 to 1. */
const FEATURES = [
  /** The question's words in the line, and within three lines. */
  "own",
  "near",
  /** The words in all of the function, and in its signature. */
  "function",
  "name",
  /** How far up its function stands. */
  "leading",
  /** Of the words that stand anywhere in the source, how many the function and the five lines around have. */
  "covered",
  "coveredNear",
  /** How long the function is. */
  "length",
  /** Whether the line has a form in which the fault that the question speaks of may lie. */
  "concept",
  /** How often its text came before. */
  "again",
  /** What the line is. */
  "decision",
  "comment",
  "imports",
  "closer",
  "head",
  "outside",
] as const;

/** The name of a feature. */
export type Feature = (typeof FEATURES)[number];

const DECISION = /\b(?:if|elif|unless|switch|case|match|when|guard|while|return|throw|raise|assert\w*)\b|[=!]=|&&|\|\|/;
const NEAR = 3;
const COVERING = 5;
const MAX_SAID_CHARS = 400;

/** Reads the features of all lines, which are in order; `functions` counts its terms by function. */
export function readFeatures(
  lines: readonly SourceLine[],
  query: string,
  relevance: Relevance,
  functions: Relevance,
): FeatureColumns<Feature> {
  const columns = emptyColumns(FEATURES, lines.length);
  const own = lines.map(({ tally }) => relevance.score(tally));
  const most = own.reduce((highest, score) => Math.max(highest, score), 1e-9);
  const terms = Math.max(1, countTerms(lines.map(({ tally }) => tally)));
  readNeighbourhoods(lines, own, most, terms, columns);
  const standings = rankFunctions(lines, functions);
  const signature = (declaration: Declaration): number => Math.min(1, relevance.score(declaration.headTally) / most);
  const concepts = askedConcepts(query);
  const said = new Map<string, number>();
  lines.forEach(({ scope, kind, held }, index) => {
    const text = held.text.slice(0, MAX_SAID_CHARS).trim();
    const before = said.get(text) ?? 0;
    said.set(text, before + 1);
    columns.own[index] = (own[index] ?? 0) / most;
    columns.concept[index] = concepts?.(text) === true ? 1 : 0;
    columns.again[index] = Math.log1p(before);
    columns.decision[index] = kind === "code" && DECISION.test(held.text) ? 1 : 0;
    columns.comment[index] = kind === "comment" ? 1 : 0;
    columns.imports[index] = kind === "import" ? 1 : 0;
    columns.closer[index] = kind === "closer" ? 1 : 0;
    columns.head[index] = kind === "head" ? 1 : 0;
    columns.outside[index] = scope === undefined ? 1 : 0;
    const standing = scope === undefined ? undefined : standings.get(scope);
    if (scope === undefined || standing === undefined) return;
    columns.function[index] = standing.share;
    columns.leading[index] = 1 / (1 + standing.rank / 2);
    columns.covered[index] = countTerms([scope.tally]) / terms;
    columns.name[index] = signature(scope);
    columns.length[index] = Math.log1p(scope.lines) / 6;
  });
  return columns;
}

/** What lines with words of the question say for the lines around them in the same function. */
function readNeighbourhoods(
  lines: readonly SourceLine[],
  own: readonly number[],
  most: number,
  terms: number,
  { near, coveredNear }: FeatureColumns<Feature>,
): void {
  const covering = new Map<number, Set<number>>();
  lines.forEach((line, index) => {
    if (line.tally === undefined) return;
    const score = (own[index] ?? 0) / most;
    const spread = (step: 1 | -1): void => {
      for (let at = index + (step > 0 ? 0 : -1); at >= 0 && at < lines.length; at += step) {
        const other = lines[at] as SourceLine;
        const away = Math.abs(other.line - line.line);
        if (away > COVERING) return;
        if (other.scope !== line.scope) continue;
        if (away <= NEAR) near[at] = Math.max(near[at] ?? 0, score * (1 - away / (NEAR + 1)));
        const found = covering.get(at) ?? new Set<number>();
        covering.set(at, found);
        collectTerms(line.tally, found);
      }
    };
    spread(1);
    spread(-1);
  });
  for (const [index, found] of covering) coveredNear[index] = found.size / terms;
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
