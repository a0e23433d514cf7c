import { HEADING, OPEN_SHORT } from "../../mark.ts";
import { formatCount, formatPlural } from "../../omission.ts";
import { lineCountAt } from "../../pieces.ts";
import { makeSelection, type Piece, type Position, type Selection } from "../analyzer.ts";
import { showLine } from "../lines/held-line.ts";
import type { Declaration } from "./declaration.ts";
import type { SourceLine } from "./source-line.ts";

/** Something that can be shown: a line, or a declaration by its name where its lines are left out. */
export interface SourceCandidate {
  readonly line: SourceLine;
  /** Set when only the name is shown. */
  readonly named: Declaration | undefined;
  readonly reason: string;
  readonly score: number;
}

/** What is known of the whole. */
export interface SourceTotals {
  /** What is held, in order. */
  readonly lines: readonly SourceLine[];
  readonly classes: number;
  readonly functions: number;
  readonly imports: readonly number[];
  readonly total: Position;
  readonly lineChars: number;
}

/** A gap so short that its marker would take as much. */
const GAP_CHARS = 24;

/** The chosen lines in order; a marker with the range stands for every gap, and names what was declared in it. */
export function renderSource(chosen: readonly SourceCandidate[], totals: SourceTotals): Selection {
  const last = lineCountAt(totals.total);
  const counted = [formatPlural(last, "line")];
  if (totals.classes > 0) counted.push(formatPlural(totals.classes, "class").replace(/classs$/, "classes"));
  counted.push(formatPlural(totals.functions, "function"));
  const text = [`${HEADING}source: ${counted.join(", ")}; "${OPEN_SHORT} 3-9 …" stands for lines left out]`];
  const pieces: Piece[] = [];
  const names: Declaration[] = [];
  let next = 1;
  const show = (line: SourceLine, reason: string, score: number): void => {
    const shown = showLine(line.held, totals.lineChars);
    text.push(shown.text);
    for (const { start, end } of shown.regions) {
      const { line: at, byte, char, inLine } = start;
      pieces.push({ start: { line: at, byte, char, inLine }, end, reason, score });
    }
    next = line.line + 1;
  };
  const skip = (to: number, score: number): void => {
    if (to < next) return;
    const gap = shortGap(next, to, totals.lines);
    if (gap !== undefined && names.length === 0) for (const line of gap) show(line, "between", score);
    else text.push(gapText(next, to, names, totals.imports));
    names.length = 0;
    next = to + 1;
  };
  const whole = new Set(chosen.filter(({ named }) => named === undefined).map(({ line }) => line.line));
  for (const { line, named, reason, score } of [...chosen].sort((a, b) => a.line.line - b.line.line)) {
    if (line.line < next) continue;
    if (named !== undefined) {
      if (!whole.has(line.line)) names.push(named);
      continue;
    }
    skip(line.line - 1, score);
    show(line, reason, score);
  }
  skip(last, 0);
  return makeSelection(text.join("\n"), pieces);
}

function shortGap(from: number, to: number, held: readonly SourceLine[]): SourceLine[] | undefined {
  if (to - from >= GAP_CHARS) return undefined;
  const lines: SourceLine[] = [];
  const start = countBelow(held, from, ({ line }) => line);
  let chars = 0;
  for (let at = from; at <= to; at++) {
    const line = held[start + at - from];
    if (line?.line !== at) return undefined;
    chars += line.chars;
    if (chars > GAP_CHARS) return undefined;
    lines.push(line);
  }
  return lines;
}

function gapText(from: number, to: number, names: readonly Declaration[], imports: readonly number[]): string {
  const range = from === to ? String(from) : `${from}-${to}`;
  const said = names.map(({ name, startLine }) => `${name} ${startLine}`);
  const folded = countBelow(imports, to + 1, (line) => line) - countBelow(imports, from, (line) => line);
  if (folded > 0) said.unshift(`${formatCount(folded)} import${folded === 1 ? "" : "s"}`);
  return said.length === 0 ? `${OPEN_SHORT} ${range} …` : `${OPEN_SHORT} ${range}: ${said.join(", ")} …`;
}

/** How many of the items, whose numbers rise, are below a bound. */
function countBelow<T>(items: readonly T[], bound: number, numberOf: (item: T) => number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numberOf(items[middle] as T) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
