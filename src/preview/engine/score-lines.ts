import { countTerms, type Relevance, type Tally } from "../../query/relevance.ts";
import { emptyColumns, type FeatureColumns, leanOnNeighbours, weighFeatures } from "../lines/fill-room.ts";
import type { Scope, TextLine } from "./held-text.ts";

/** What may speak for a line or against it, each about 0 to 1. */
const FEATURES = [
  /** The question's words in the line, and in the lines around it. */
  "own",
  "near",
  /** Of the words that stand anywhere, how many stand within five lines in the same declaration. */
  "coveredNear",
  /** The words in the first line of the declaration that it stands in, and how many stand in all of that. */
  "name",
  "covered",
  /** How long the declaration is. */
  "length",
  /** How often its text came before. */
  "again",
  /** Where it stands: 1 at the beginning. */
  "early",
  /** What the line is. */
  "decision",
  "comment",
  "import",
  "declaration",
  "outside",
] as const;

/** The name of a feature. */
type Feature = (typeof FEATURES)[number];
type Columns = FeatureColumns<Feature>;

const DECISION = /\b(?:if|elif|unless|switch|case|match|when|guard|while|return|throw|raise|assert\w*)\b|[=!]=|&&|\|\|/;
const NEAR = 3;
const COVERING = 5;
/** A long question has more words than any place can hold. */
const MOST_TERMS = 6;
const LONGEST_REPEATED = 400;

/** Reads the features of lines, which are in order, by what `relevance` knows of the whole output. */
function readFeatures(lines: readonly TextLine[], relevance: Relevance): Columns {
  const columns = emptyColumns(FEATURES, lines.length);
  const most = readOwn(lines, relevance, columns.own);
  readNear(lines, columns);
  readDeclarations(lines, relevance, most, columns);
  const said = new Map<string, number>();
  for (let index = 0; index < lines.length; index++) {
    const { kind, scope, text } = lines[index] as TextLine;
    const shortened = text.slice(0, LONGEST_REPEATED);
    const before = said.get(shortened) ?? 0;
    said.set(shortened, before + 1);
    columns.again[index] = Math.log1p(before);
    columns.early[index] = 1 - index / lines.length;
    columns.decision[index] = kind === "code" && DECISION.test(text) ? 1 : 0;
    columns.outside[index] = scope === undefined || scope.kind === "file" ? 1 : 0;
    if (kind === "comment" || kind === "import" || kind === "declaration") columns[kind][index] = 1;
  }
  return columns;
}

/** Reads what each line says by itself, as a share of the most that one says; gives that most. */
function readOwn(lines: readonly TextLine[], relevance: Relevance, own: Float64Array): number {
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

/** What all lines of a declaration have in common. */
function readDeclarations(lines: readonly TextLine[], relevance: Relevance, most: number, columns: Columns): void {
  const found = new Map<Scope, number>();
  let terms = 1;
  for (const { scope } of lines) {
    if (scope === undefined || found.has(scope)) continue;
    found.set(scope, countTerms([scope.tally]));
    if (scope.kind === "function") terms = Math.max(terms, found.get(scope) ?? 0);
  }
  for (let index = 0; index < lines.length; index++) {
    const { scope } = lines[index] as TextLine;
    if (scope === undefined || scope.kind === "file") continue;
    columns.covered[index] = Math.min(1, (found.get(scope) ?? 0) / terms);
    columns.name[index] = Math.min(1, relevance.score(scope.head.tally) / most);
    columns.length[index] = Math.log1p(scope.lines) / 6;
  }
}

/** How much each feature says for a line; fitted to what agents used next and to what later fixes changed. */
const WEIGHTS: Readonly<Record<Feature, number>> = {
  own: 2,
  near: 2.05,
  coveredNear: 1.95,
  name: 0.8,
  covered: 0.6,
  length: -1.15,
  again: -1.5,
  early: -0.3,
  decision: 0.35,
  comment: -1.9,
  import: -1.6,
  declaration: -0.7,
  outside: 0.55,
};
/** How many lines beside it a line leans on, and how much: what is wrong seldom stands on one line. */
const LEANING = { reach: 2, share: 0.15 };

/** What each line is worth by the question; undefined when no word of it stands in any. */
export function scoreLines(lines: readonly TextLine[], relevance: Relevance): Float64Array | undefined {
  if (!lines.some(({ tally }) => tally !== undefined)) return undefined;
  const alone = weighFeatures(readFeatures(lines, relevance), WEIGHTS, lines.length);
  const groups = lines.map(({ kind }, index) => (kind === "blank" ? index : undefined));
  return leanOnNeighbours(alone, groups, LEANING);
}
