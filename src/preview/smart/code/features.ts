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
  const own = Float64Array.from(lines, ({ tally }) => relevance.score(tally));
  const most = own.reduce((highest, score) => Math.max(highest, score), 1e-9);
  const terms = Math.max(1, countTerms(lines.map(({ tally }) => tally)));
  readNeighbourhoods(lines, own, most, terms, columns);
  const standings = rankFunctions(lines, functions);
  const concepts = askedConcepts(query);
  const said = new Map<string, number>();
  let last: Declaration | undefined;
  let known: ScopeFeatures | undefined;
  // Loops instead of callbacks: an engine forgets the code of those that are made anew for each preview.
  for (let index = 0; index < lines.length; index++) {
    const { scope, kind, text: all } = lines[index] as SourceLine;
    const text = all.slice(0, MAX_SAID_CHARS).trim();
    const before = said.get(text) ?? 0;
    said.set(text, before + 1);
    columns.own[index] = (own[index] ?? 0) / most;
    columns.concept[index] = concepts?.(text) === true ? 1 : 0;
    columns.again[index] = Math.log1p(before);
    columns.decision[index] = kind === "code" && DECISION.test(all) ? 1 : 0;
    columns.comment[index] = kind === "comment" ? 1 : 0;
    columns.imports[index] = kind === "import" ? 1 : 0;
    columns.closer[index] = kind === "closer" ? 1 : 0;
    columns.head[index] = kind === "head" ? 1 : 0;
    columns.outside[index] = scope === undefined ? 1 : 0;
    if (scope !== last) {
      last = scope;
      known = scopeFeatures(scope, standings, terms, Math.min(1, relevance.score(scope?.headTally) / most));
    }
    if (known === undefined) continue;
    columns.function[index] = known.function;
    columns.leading[index] = known.leading;
    columns.covered[index] = known.covered;
    columns.name[index] = known.name;
    columns.length[index] = known.length;
  }
  return columns;
}

/** What all lines of a declaration have in common. */
type ScopeFeatures = Readonly<Record<"function" | "leading" | "covered" | "name" | "length", number>>;

function scopeFeatures(
  scope: Declaration | undefined,
  standings: ReadonlyMap<Declaration, Standing>,
  terms: number,
  name: number,
): ScopeFeatures | undefined {
  const standing = scope === undefined ? undefined : standings.get(scope);
  if (scope === undefined || standing === undefined) return undefined;
  return {
    function: standing.share,
    leading: 1 / (1 + standing.rank / 2),
    covered: countTerms([scope.tally]) / terms,
    name,
    length: Math.log1p(scope.lines) / 6,
  };
}

/** What lines with words of the question say for the lines around them in the same function. */
function readNeighbourhoods(
  lines: readonly SourceLine[],
  own: Float64Array,
  most: number,
  terms: number,
  { near, coveredNear }: FeatureColumns<Feature>,
): void {
  const speaking: number[] = [];
  for (let index = 0; index < lines.length; index++) if (lines[index]?.tally !== undefined) speaking.push(index);
  /** The line for which a term was counted last. */
  const counted = new Int32Array(lines[speaking[0] ?? 0]?.tally?.length ?? 0).fill(-1);
  let first = 0;
  for (let index = 0; index < lines.length; index++) {
    const { line, scope } = lines[index] as SourceLine;
    while (first < speaking.length && line - (lines[speaking[first] as number] as SourceLine).line > COVERING) first++;
    let found = 0;
    for (let at = first; at < speaking.length; at++) {
      const other = lines[speaking[at] as number] as SourceLine;
      if (other.line - line > COVERING) break;
      if (other.scope !== scope) continue;
      const score = (own[speaking[at] as number] ?? 0) / most;
      const away = Math.abs(other.line - line);
      if (away <= NEAR) near[index] = Math.max(near[index] ?? 0, score * (1 - away / (NEAR + 1)));
      const tally = other.tally as Tally;
      for (let term = 0; term < tally.length; term++) {
        if (tally[term] === 0 || counted[term] === index) continue;
        counted[term] = index;
        found++;
      }
    }
    coveredNear[index] = found / terms;
  }
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
