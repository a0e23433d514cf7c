import { askedConcepts, showsAny } from "../../query/asked-concepts.ts";
import { countTerms, Relevance, type Tally } from "../../query/relevance.ts";
import type { Scope, TextLine } from "./text-line.ts";

/** What may speak for a line or against it, each about 0 to 1. */
const FEATURES = [
  /** The question's words in the line, and in the lines around it. */
  "own",
  "near",
  "around",
  /** Of the words that stand anywhere, how many stand within five lines in the same declaration. */
  "coveredNear",
  /** The words in all of the declaration that it stands in, and in its first line. */
  "scope",
  "name",
  /** How far up its declaration stands among all, and how many of the words stand in it. */
  "leading",
  "covered",
  /** How long the declaration is. */
  "length",
  /** Whether the line has a form in which the fault that the question speaks of may lie. */
  "concept",
  /** How often its text came before. */
  "again",
  /** Where it stands: 1 at the beginning. */
  "early",
  /** What the line is. */
  "decision",
  "comment",
  "import",
  "closer",
  "declaration",
  "outside",
] as const;

/** The name of a feature. */
export type Feature = (typeof FEATURES)[number];
/** A number for each line. */
type Column = Float64Array;
export type Columns = Readonly<Record<Feature, Column>>;

const DECISION = /\b(?:if|elif|unless|switch|case|match|when|guard|while|return|throw|raise|assert\w*)\b|[=!]=|&&|\|\|/;
const NEAR = 3;
const COVERING = 5;
const AROUND = 10;
/** A long question has more words than any place can hold. */
const MOST_TERMS = 6;
const LONGEST_REPEATED = 400;

/** Reads the features of lines, which are in order, by what `relevance` knows of the whole output. */
export function readFeatures(lines: readonly TextLine[], query: string, relevance: Relevance): Columns {
  const columns = Object.fromEntries(FEATURES.map((name) => [name, new Float64Array(lines.length)])) as Record<
    Feature,
    Column
  >;
  const most = readOwn(lines, relevance, columns.own);
  readAround(columns.own, columns.around);
  readNear(lines, columns);
  readScopes(lines, query, relevance, most, columns);
  const concepts = askedConcepts(query);
  const said = new Map<string, number>();
  for (let index = 0; index < lines.length; index++) {
    const { kind, scope, text } = lines[index] as TextLine;
    const shortened = text.slice(0, LONGEST_REPEATED);
    const before = said.get(shortened) ?? 0;
    said.set(shortened, before + 1);
    columns.again[index] = Math.log1p(before);
    columns.concept[index] = showsAny(concepts, shortened) ? 1 : 0;
    columns.early[index] = 1 - index / lines.length;
    columns.decision[index] = kind === "code" && DECISION.test(text) ? 1 : 0;
    columns.outside[index] = scope === undefined || scope.kind === "file" ? 1 : 0;
    if (kind === "comment" || kind === "import" || kind === "closer" || kind === "declaration")
      columns[kind][index] = 1;
  }
  return columns;
}

/** Reads what each line says by itself, as a share of the most that one says; gives that most. */
function readOwn(lines: readonly TextLine[], relevance: Relevance, own: Column): number {
  const chars = lines.reduce((sum, { text }) => sum + text.length, 0);
  const usual = Math.max(1, chars / Math.max(1, lines.length));
  let most = 1e-9;
  for (let index = 0; index < lines.length; index++) {
    const { tally, text } = lines[index] as TextLine;
    own[index] = relevance.score(tally, text.length / usual);
    most = Math.max(most, own[index] as number);
  }
  for (let index = 0; index < own.length; index++) own[index] = (own[index] as number) / most;
  return most;
}

/** What the lines above and below say, the nearer the more. */
function readAround(own: Column, around: Column): void {
  for (let index = 0; index < own.length; index++) {
    const said = own[index] as number;
    if (said === 0) continue;
    for (let away = 1; away <= AROUND; away++) {
      const share = (said * (1 - away / (AROUND + 1))) / AROUND;
      if (index >= away) around[index - away] = Math.min(1, (around[index - away] as number) + share);
      if (index + away < own.length) around[index + away] = Math.min(1, (around[index + away] as number) + share);
    }
  }
}

/** What lines with words of the question say for those near them in the same declaration. */
function readNear(lines: readonly TextLine[], { own, near, coveredNear }: Columns): void {
  const speaking: number[] = [];
  for (let index = 0; index < lines.length; index++) if (lines[index]?.tally !== undefined) speaking.push(index);
  const terms = Math.max(1, Math.min(MOST_TERMS, countTerms(speaking.map((index) => lines[index]?.tally))));
  /** The line for which each word was counted last. */
  const counted = new Int32Array(lines[speaking[0] ?? 0]?.tally?.length ?? 0).fill(-1);
  let first = 0;
  for (let index = 0; index < lines.length; index++) {
    while (first < speaking.length && index - (speaking[first] as number) > COVERING) first++;
    let found = 0;
    for (let at = first; at < speaking.length; at++) {
      const other = speaking[at] as number;
      const away = Math.abs(other - index);
      if (other - index > COVERING) break;
      if (lines[other]?.scope !== lines[index]?.scope) continue;
      if (away <= NEAR) near[index] = Math.max(near[index] as number, (own[other] as number) * (1 - away / (NEAR + 1)));
      const tally = lines[other]?.tally as Tally;
      for (let term = 0; term < tally.length; term++) {
        if (tally[term] === 0 || counted[term] === index) continue;
        counted[term] = index;
        found++;
      }
    }
    coveredNear[index] = found / terms;
  }
}

function readScopes(
  lines: readonly TextLine[],
  query: string,
  relevance: Relevance,
  most: number,
  columns: Columns,
): void {
  const scopes = [...new Set(lines.flatMap(({ scope }) => (scope === undefined ? [] : [scope])))];
  const functions = scopes.filter(({ kind }) => kind === "function");
  // What is rare among functions may be common among lines.
  const ranking = new Relevance(query, { shortened: true });
  for (const { tally } of functions) ranking.observe(tally);
  const usual = Math.max(10, scopes.reduce((sum, scope) => sum + scope.lines, 0) / Math.max(1, scopes.length));
  const terms = Math.max(1, ...functions.map(({ tally }) => countTerms([tally])));
  const scored = functions.map((scope) => {
    const { tally, head, lines: count } = scope;
    return { scope, score: ranking.score(tally, count / usual) + 1.2 * ranking.score(head.tally) };
  });
  scored.sort((a, b) => b.score - a.score || a.scope.head.held.line - b.scope.head.held.line);
  const best = Math.max(1e-9, scored[0]?.score ?? 0);
  const ranks = new Map<Scope, { share: number; rank: number }>();
  for (const [rank, { scope, score }] of scored.entries()) ranks.set(scope, { share: score / best, rank });
  for (let index = 0; index < lines.length; index++) {
    const { scope } = lines[index] as TextLine;
    if (scope === undefined || scope.kind === "file") continue;
    const { share, rank } = ranks.get(scope) ?? { share: 0, rank: scored.length };
    columns.scope[index] = share;
    columns.leading[index] = 1 / (1 + rank / 2);
    columns.covered[index] = Math.min(1, countTerms([scope.tally]) / terms);
    columns.name[index] = Math.min(1, relevance.score(scope.head.tally) / most);
    columns.length[index] = Math.log1p(scope.lines) / 6;
  }
}
