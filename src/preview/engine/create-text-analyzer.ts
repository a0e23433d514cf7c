import { Relevance } from "../../query/relevance.ts";
import { fillRoom, roomChars } from "../lines/fill-room.ts";
import { gapMarker, LineDrawing, shortGapMarker } from "../lines/line-drawing.ts";
import { LineAnalyzer, type LineSpan } from "../lines/line-reader.ts";
import { HEADING, OPEN_SHORT } from "../mark.ts";
import { formatPlural } from "../omission.ts";
import { lineCountAt, type Position, type Room, type Selection } from "../pieces.ts";
import type { Analyzer, AnalyzerOptions } from "../smart/analyzer.ts";
import { HeldText, readScopes, type TextLine } from "./held-text.ts";
import { scoreLines } from "./score-lines.ts";

/** What a marker takes for each group of lines that is shown apart. */
const MARKER_CHARS = 12;

/** Reads a text made of lines: shows what the question asks for with the declarations around it, else the beginning and the end. */
export function createTextAnalyzer(options: AnalyzerOptions): Analyzer {
  return new TextAnalyzer(options);
}

class TextAnalyzer extends LineAnalyzer {
  readonly #relevance: Relevance;
  readonly #held: HeldText;

  constructor({ room, query }: AnalyzerOptions) {
    const relevance = new Relevance(query, { shortened: true });
    super(relevance);
    this.#relevance = relevance;
    this.#held = new HeldText(room, relevance);
  }

  get wrongShape(): boolean {
    return this.#held.undeclared;
  }

  protected get weighed(): number {
    return this.#held.weighed;
  }

  protected take(text: string, span: Readonly<LineSpan>): void {
    this.#held.add(text, span);
  }

  protected select(room: Room, total: Position): Selection {
    const lines = this.#held.finish();
    readScopes(lines);
    const scores = this.#relevance.empty ? undefined : scoreLines(lines, this.#relevance);
    const ranked = scores === undefined ? rankByPlace(lines) : rankByScore(lines, scores);
    const asked = scores !== undefined;
    // A beginning is shown as it is; among many answers no line may take the room of all others.
    const lineChars = Math.max(80, Math.min(asked ? 240 : 2000, Math.floor(roomChars(room) / (asked ? 12 : 4))));
    return fillRoom(
      ranked,
      (choice) => costOf(choice, lineChars),
      (chosen) => drawLines(chosen, { total, lineChars, headed: asked }),
      room,
      { inOrder: !asked },
    );
  }
}

function costOf({ lines }: Choice, lineChars: number): { readonly chars: number; readonly lines: number } {
  let chars = 0;
  for (const { line } of lines) chars += Math.min(line.held.chars, lineChars + 24);
  return { chars: chars + MARKER_CHARS, lines: lines.length };
}

/** Lines that are shown together or not at all. */
interface Choice {
  readonly lines: readonly { readonly line: TextLine; readonly reason: string }[];
  readonly score: number;
}

/** Of an output of which nothing is asked, so much of what is shown comes from its beginning; the rest is its end. */
const HEAD_SHARE = 0.8;
/** A gap of so few lines is shown, since its marker would take about as much. */
const SHORT_GAP = 1;

/** The lines in the order in which they are worth showing, each with the declarations around it. */
function rankByScore(lines: readonly TextLine[], scores: Float64Array): Choice[] {
  const filled = Array.from(scores.keys()).filter((index) => lines[index]?.kind !== "blank");
  const first = filled[0];
  if (first === undefined) return [];
  const order = filled.toSorted((a, b) => (scores[b] as number) - (scores[a] as number) || a - b);
  const places = new Map(lines.map((line, index) => [line, index]));
  const taken = new Uint8Array(lines.length);
  const choices: Choice[] = [];
  for (const index of [first, ...order]) {
    if (taken[index] === 1) continue;
    const group: { line: TextLine; reason: string }[] = [];
    const take = (at: number, reason: string): void => {
      if (taken[at] === 1) return;
      taken[at] = 1;
      group.push({ line: lines[at] as TextLine, reason });
      for (const step of [-1, 1]) for (const between of gapBeside(lines, taken, at, step)) take(between, "between");
    };
    for (let scope = lines[index]?.scope; scope !== undefined; scope = scope.parent) {
      const head = places.get(scope.head);
      if (head !== undefined && head !== index) take(head, "signature");
    }
    take(index, index === first ? "head" : "question");
    for (let after = index + 1; lines[after]?.kind === "closer"; after++) take(after, "between");
    choices.push({ lines: group, score: Math.max(0, scores[index] as number) });
  }
  return choices;
}

/** The lines between one and the next that is taken, where these are few. */
function gapBeside(lines: readonly TextLine[], taken: Uint8Array, at: number, step: number): number[] {
  const gap: number[] = [];
  for (let other = at + step; gap.length <= SHORT_GAP; other += step) {
    if (lines[other] === undefined) return [];
    if (taken[other] === 1) return gap;
    gap.push(other);
  }
  return [];
}

/** The first lines and the last, so that any number of them from the front is shown in two parts. */
function rankByPlace(lines: readonly TextLine[]): Choice[] {
  const choices: Choice[] = [];
  let from = 0;
  let to = lines.length - 1;
  let headChars = 0;
  let tailChars = 0;
  while (from <= to) {
    const head = headChars * (1 - HEAD_SHARE) <= tailChars * HEAD_SHARE;
    const line = lines[head ? from++ : to--] as TextLine;
    if (head) headChars += line.held.chars;
    else tailChars += line.held.chars;
    choices.push({ lines: [{ line, reason: head ? "head" : "tail" }], score: 0 });
  }
  return choices;
}

interface DrawOptions {
  readonly total: Position;
  /** Characters of a line that are shown at most. */
  readonly lineChars: number;
  /** True where many gaps are likely: then a heading explains the short markers that stand for them. */
  readonly headed: boolean;
}

/** The chosen lines in order, and a marker with the range for every gap. */
function drawLines(chosen: readonly Choice[], { total, lineChars, headed }: DrawOptions): Selection {
  const last = lineCountAt(total);
  const drawing = new LineDrawing({ lineChars, marker: headed ? shortGapMarker : gapMarker });
  if (headed)
    drawing.note(
      `${HEADING}source: ${formatPlural(last, "line")}; "${OPEN_SHORT} 3-9 …" stands for lines left out]`,
      1,
    );
  for (const { lines, score } of chosen) for (const { line, reason } of lines) drawing.show(line.held, reason, score);
  return drawing.finish(last);
}
