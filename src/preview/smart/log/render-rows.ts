import { byteLength } from "../../../bytes/utf8.ts";
import { renderOmission } from "../../omission.ts";
import { makeSelection, omissionBetween, type Piece, type Position, type Selection, START } from "../../pieces.ts";
import type { Repeat } from "./repeats.ts";
import { type Candidate, endOfRow, type Row, startOfRow, textBytes } from "./row.ts";
import { templateOf } from "./template.ts";

const MANY = 3;

/** What is known of lines that are not shown. */
export interface KnownRepeats {
  /** How many lines of a template came. */
  readonly count: (template: number) => number;
  readonly runs: readonly Repeat[];
}

/** A selection and the sizes of its text. */
export interface RenderedRows {
  readonly selection: Selection;
  readonly bytes: number;
  readonly lines: number;
}

/** The chosen rows, in order, with exact markers between; rows that touch make one piece. */
export function renderRows(
  chosen: readonly Candidate[],
  end: Position,
  markers: boolean,
  repeats: KnownRepeats,
): RenderedRows {
  const similarAfter = countSimilar(chosen, end, repeats);
  const pieces: Piece[] = [];
  const lines: string[] = [];
  /** With a newline after each line. */
  let bytes = 0;
  let previous: Row | undefined;
  let piece = { start: START, reason: "", score: 0 };
  const omit = (from: Position, to: Position): void => {
    if (!markers || to.byte <= from.byte) return;
    const marker = renderOmission(omissionBetween(from, to, end), {
      compact: true,
      ...(repeatedFrom(from, to, repeats.runs) ?? {
        similar: previous === undefined ? 0 : similarAfter.get(previous),
      }),
    });
    lines.push(marker);
    bytes += byteLength(marker) + 1;
  };
  const closePiece = (): Position => {
    if (previous === undefined) return START;
    const at = endOfRow(previous, end);
    pieces.push({ start: piece.start, end: at, reason: piece.reason, score: piece.score });
    return at;
  };
  for (const { row, value, reason } of chosen) {
    const score = Math.round(value * 10) / 10;
    const touching = previous !== undefined && row.byte === previous.byte + previous.bytes;
    if (!touching) {
      const at = closePiece();
      piece = { start: startOfRow(row), reason, score };
      omit(at, piece.start);
    } else if (score > piece.score) {
      piece.reason = reason;
      piece.score = score;
    }
    if (touching && row.inLine) {
      lines.push((lines.pop() ?? "") + row.text);
      bytes += textBytes(row);
    } else {
      lines.push(row.text);
      bytes += textBytes(row) + 1;
    }
    previous = row;
  }
  omit(closePiece(), end);
  const text = lines.join("\n");
  const open = lines.at(-1) === "" ? 1 : 0;
  return { selection: makeSelection(text, pieces), bytes: Math.max(0, bytes - 1), lines: lines.length - open };
}

/** How many lines like a row are not shown, for the last row of each kind that stands right before a gap. */
function countSimilar(chosen: readonly Candidate[], end: Position, { count }: KnownRepeats): ReadonlyMap<Row, number> {
  const shown = new Map<number, number>();
  const last = new Map<number, Row>();
  chosen.forEach(({ row, template = templateOf(row.text) }, index) => {
    shown.set(template, (shown.get(template) ?? 0) + 1);
    const next = chosen[index + 1]?.row.byte ?? end.byte;
    if (next !== row.byte + row.bytes) last.set(template, row);
  });
  const similar = new Map<Row, number>();
  for (const [template, row] of last) {
    const left = count(template) - (shown.get(template) ?? 0);
    if (left > MANY) similar.set(row, left);
  }
  return similar;
}

/** What the lines of a gap repeat that stand right before it. */
function repeatedFrom(
  from: Position,
  to: Position,
  runs: readonly Repeat[],
): { similar: number; cycle: number } | undefined {
  const run = runs.find(({ start }) => start === from.byte);
  if (run === undefined) return undefined;
  const left = run.count - (to.byte < run.end ? 1 : 0);
  return { similar: Math.floor(left / run.rows.length), cycle: run.rows.length };
}
