import { askedConcepts, showsAny } from "../../../query/asked-concepts.ts";
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
  // Loops instead of callbacks, and few in a function: an engine forgets the code of callbacks with each preview, and takes
  // long for what is large.
  const most = readOwn(lines, relevance, columns);
  const terms = Math.max(1, countTerms(lines.map(({ tally }) => tally)));
  readNeighbourhoods(lines, terms, columns);
  readTexts(lines, query, columns);
  readKinds(lines, columns);
  const standings = rankFunctions(lines, functions);
  let last: Declaration | undefined;
  let known: ScopeFeatures | undefined;
  for (let index = 0; index < lines.length; index++) {
    const { scope } = lines[index] as SourceLine;
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

/** Reads what each line says by itself, as a share of the most that one says, and gives that. */
function readOwn(lines: readonly SourceLine[], relevance: Relevance, { own }: FeatureColumns<Feature>): number {
  let most = 1e-9;
  for (let index = 0; index < lines.length; index++) {
    const score = relevance.score(lines[index]?.tally);
    own[index] = score;
    most = Math.max(most, score);
  }
  for (let index = 0; index < own.length; index++) own[index] = (own[index] as number) / most;
  return most;
}

function readTexts(lines: readonly SourceLine[], query: string, columns: FeatureColumns<Feature>): void {
  const { concept, again, decision } = columns;
  const concepts = askedConcepts(query);
  const said = new Map<string, number>();
  for (let index = 0; index < lines.length; index++) {
    const { kind, text } = lines[index] as SourceLine;
    const trimmed = text.slice(0, MAX_SAID_CHARS).trim();
    const before = said.get(trimmed) ?? 0;
    said.set(trimmed, before + 1);
    concept[index] = showsAny(concepts, trimmed) ? 1 : 0;
    again[index] = Math.log1p(before);
    decision[index] = kind === "code" && DECISION.test(text) ? 1 : 0;
  }
}

function readKinds(lines: readonly SourceLine[], columns: FeatureColumns<Feature>): void {
  const { comment, imports, closer, head, outside } = columns;
  for (let index = 0; index < lines.length; index++) {
    const { kind, scope } = lines[index] as SourceLine;
    comment[index] = kind === "comment" ? 1 : 0;
    imports[index] = kind === "import" ? 1 : 0;
    closer[index] = kind === "closer" ? 1 : 0;
    head[index] = kind === "head" ? 1 : 0;
    outside[index] = scope === undefined ? 1 : 0;
  }
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
  terms: number,
  { own, near, coveredNear }: FeatureColumns<Feature>,
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
      const score = own[speaking[at] as number] as number;
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
