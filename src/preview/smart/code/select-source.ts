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

function rankAnswers(source: HeldSource): SourceCandidate[] {
  const { lines, outline, room } = source;
  const scores = scoreLines(source);
  const heads = new Map<Declaration, SourceLine>();
  for (const line of outline) if (line.scope !== undefined) heads.set(line.scope, line);
  const ranked: SourceCandidate[] = [];
  const taken = new Set<number>();
  let chars = 0;
  const take = (line: SourceLine, reason: string, score: number): void => {
    if (taken.has(line.line)) return;
    taken.add(line.line);
    ranked.push({ line, reason, score });
    chars += Math.min(line.chars, 240) + MARKER_CHARS / 2;
  };
  const first = source.head.find(({ kind }) => kind !== "blank");
  if (first !== undefined) take(first, "head", 0);
  const order = lines.map((_, index) => index).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  const share = roomChars(room) * ANSWER_SHARE;
  let named = false;
  for (const index of order) {
    const line = lines[index] as SourceLine;
    if (line.kind === "blank") continue;
    if (chars > share && !named) {
      named = true;
      for (const { line: head, scope } of rankNames(outline))
        if (!taken.has(head.line)) ranked.push({ line: head, named: scope, reason: "name", score: 0 });
    }
    for (let at = line.scope; at !== undefined; at = at.parent) {
      const head = heads.get(at);
      if (head !== undefined) take(head, "signature", scores[index] ?? 0);
    }
    take(line, "question", scores[index] ?? 0);
  }
  return ranked;
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
  return names.sort((a, b) => b.worth - a.worth || a.line.line - b.line.line);
}

const KIND_WORTH = { class: 4, function: 2.5, test: 1.5, prototype: 1, value: 1 } as const;

function outlineWorth({ kind, depth, lines }: Declaration): number {
  return KIND_WORTH[kind] - 0.6 * depth + Math.min(1.5, Math.log1p(lines) / 4);
}

/** Without a question: every declaration by its name, as many as possible by their signatures, then bodies. */
function rankOutline({ lines, outline, head, room }: HeldSource): SourceCandidate[] {
  const ranked: SourceCandidate[] = [];
  const taken = new Set<number>();
  const take = (line: SourceLine, reason: string): void => {
    if (taken.has(line.line)) return;
    taken.add(line.line);
    ranked.push({ line, reason, score: 0 });
  };
  const said = head.filter(({ kind }) => kind !== "blank");
  for (const line of [...said.slice(0, 1), ...said.filter(({ kind }) => kind !== "import").slice(0, 3)])
    take(line, "head");
  for (const line of outline) if (line.kind === "heading") take(line, "heading");
  const names = rankNames(outline);
  for (const { line, scope } of names) if (scope.kind === "class" && scope.depth === 0) take(line, "signature");
  for (const { line, scope } of names)
    if (!taken.has(line.line)) ranked.push({ line, named: scope, reason: "name", score: 0 });
  for (const { line } of names) take(line, "signature");
  for (const line of tellingLines(lines, names, roomChars(room))) take(line, "body");
  return ranked;
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
