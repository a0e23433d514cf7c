import { Relevance } from "../../../query/relevance.ts";
import type { Position, Room, Selection } from "../analyzer.ts";
import { type Cost, fillRoom, roomChars } from "../lines/fill-room.ts";
import { leanOnNeighbours, weighFeatures } from "../lines/weigh-features.ts";
import type { Declaration } from "./declaration.ts";
import { readFeatures } from "./features.ts";
import { renderSource, type SourceCandidate, type SourceTotals } from "./render-source.ts";
import type { SourceLine } from "./source-line.ts";
import { WEIGHTS } from "./weights.ts";

/** All that was held of a source. */
export interface HeldSource {
  /** Lines in order. */
  readonly lines: readonly SourceLine[];
  /** The first line of each declaration, in order. */
  readonly outline: readonly SourceLine[];
  readonly head: readonly SourceLine[];
  /** Counts of the whole source, whatever is held of it. */
  readonly classes: number;
  readonly functions: number;
  /** The lines that import something. */
  readonly imports: readonly number[];
  readonly query: string;
  readonly relevance: Relevance;
  readonly room: Room;
  readonly total: Position;
}

/** What the lines that answer the question may take before the outline comes. */
const ANSWER_SHARE = 0.78;
const MARKER_CHARS = 8;
/** How many lines beside it a line leans on, and how much. */
const NEIGHBOURS = { reach: 2, share: 0.3 };

/** Chooses what is shown of a source. */
export function selectSource(source: HeldSource): Selection {
  const { room, lines, total } = source;
  const totals: SourceTotals = {
    lines,
    classes: source.classes,
    functions: source.functions,
    imports: source.imports,
    total,
    lineChars: Math.max(80, Math.min(240, Math.floor(roomChars(room) / 12))),
  };
  const ranked = source.relevance.empty ? rankOutline(source) : rankAnswers(source);
  return fillRoom(
    ranked,
    (candidate) => costOf(candidate, totals.lineChars),
    (chosen) => renderSource(chosen, totals),
    room,
  );
}

function costOf({ line, named }: SourceCandidate, lineChars: number): Cost {
  if (named !== undefined) return { chars: named.name.length + 2 + String(named.startLine).length, lines: 0 };
  return { chars: Math.min(line.chars, lineChars + 24) + MARKER_CHARS, lines: 1 };
}

/** What each line is worth by the question. */
function scoreLines({ lines, query, relevance }: HeldSource): Float64Array {
  const columns = readFeatures(lines, query, relevance, new Relevance(query, { shortened: true }));
  const alone = weighFeatures(columns, WEIGHTS, lines.length);
  const groups = lines.map(({ kind }, row) => (kind === "blank" ? row : undefined));
  return leanOnNeighbours(alone, groups, NEIGHBOURS);
}

/** What may be shown, best first, each line once. */
class Ranking {
  readonly candidates: SourceCandidate[] = [];
  readonly #taken = new Set<number>();

  take(line: SourceLine, reason: string, score = 0): void {
    if (this.#taken.has(line.line)) return;
    this.#taken.add(line.line);
    this.candidates.push({ line, named: undefined, reason, score });
  }

  /** Adds by their names what was not taken. */
  name(names: readonly NamedLine[]): void {
    for (const { line, scope } of names)
      if (!this.#taken.has(line.line)) this.candidates.push({ line, named: scope, reason: "name", score: 0 });
  }
}

function rankAnswers(source: HeldSource): SourceCandidate[] {
  const { lines, outline, room } = source;
  const scores = scoreLines(source);
  const heads = new Map<Declaration, SourceLine>();
  for (const line of outline) if (line.scope !== undefined) heads.set(line.scope, line);
  const ranking = new Ranking();
  const first = source.head.find(({ kind }) => kind !== "blank");
  if (first !== undefined) ranking.take(first, "head");
  const share = roomChars(room) * ANSWER_SHARE;
  let chars = 0;
  let counted = 0;
  for (const index of bestFirst(scores)) {
    const line = lines[index] as SourceLine;
    const score = scores[index] as number;
    if (line.kind === "blank") continue;
    if (chars <= share) {
      for (; counted < ranking.candidates.length; counted++)
        chars += Math.min(ranking.candidates[counted]?.line.chars ?? 0, 240) + MARKER_CHARS / 2;
      if (chars > share) ranking.name(rankNames(outline));
    }
    for (let at = line.scope; at !== undefined; at = at.parent) {
      const head = heads.get(at);
      if (head !== undefined) ranking.take(head, "signature", score);
    }
    ranking.take(line, "question", score);
  }
  return ranking.candidates;
}

/** The indices of the scores, the highest first, of equals the first. */
function bestFirst(scores: Float64Array): Uint32Array {
  const order = new Uint32Array(scores.length);
  for (let index = 0; index < order.length; index++) order[index] = index;
  return order.sort((a, b) => compare(scores[b] as number, scores[a] as number) || a - b);
}

/** As a whole number, since an engine makes an object of each fraction that a comparison gives. */
function compare(first: number, second: number): number {
  return first < second ? -1 : first > second ? 1 : 0;
}

interface NamedLine {
  readonly line: SourceLine;
  readonly scope: Declaration;
  readonly worth: number;
}

function rankNames(outline: readonly SourceLine[]): NamedLine[] {
  const names: NamedLine[] = [];
  for (const line of outline) {
    const { scope } = line;
    if (scope !== undefined) names.push({ line, scope, worth: outlineWorth(scope) });
  }
  return names.sort((a, b) => compare(b.worth, a.worth) || a.line.line - b.line.line);
}

const KIND_WORTH = { class: 4, function: 2.5, test: 1.5, prototype: 1, value: 1 } as const;

function outlineWorth({ kind, depth, lines }: Declaration): number {
  return KIND_WORTH[kind] - 0.6 * depth + Math.min(1.5, Math.log1p(lines) / 4);
}

/** Without a question: every declaration by its name, as many as possible by their signatures, then bodies. */
function rankOutline({ lines, outline, head, room }: HeldSource): SourceCandidate[] {
  const ranking = new Ranking();
  const said = head.filter(({ kind }) => kind !== "blank");
  for (const line of [...said.slice(0, 1), ...said.filter(({ kind }) => kind !== "import").slice(0, 3)])
    ranking.take(line, "head");
  for (const line of outline) if (line.kind === "heading") ranking.take(line, "heading");
  const names = rankNames(outline);
  for (const { line, scope } of names) if (scope.kind === "class" && scope.depth === 0) ranking.take(line, "signature");
  ranking.name(names);
  for (const { line } of names) ranking.take(line, "signature");
  for (const line of tellingLines(lines, names, roomChars(room))) ranking.take(line, "body");
  return ranking.candidates;
}

/** Lines of bodies, of the largest functions first and evenly: their first lines tell what they do. */
function tellingLines(lines: readonly SourceLine[], names: readonly NamedLine[], chars: number): SourceLine[] {
  const bodies = new Map<Declaration, SourceLine[]>();
  for (const line of lines) {
    if (line.scope === undefined || line.kind === "blank" || line.kind === "import") continue;
    const body = bodies.get(line.scope);
    if (body === undefined) bodies.set(line.scope, [line]);
    else if (body.length * 20 < chars) body.push(line);
  }
  const order = names.flatMap(({ scope }) => bodies.get(scope) ?? []);
  return order;
}
