import { byteLength } from "../../../bytes/utf8.ts";
import { renderOmission } from "../../omission.ts";
import { makeSelection, omissionBetween, type Piece, type Position, type Selection, START } from "../../pieces.ts";
import { type Candidate, endOfRow, type Row, startOfRow, textBytes } from "./row.ts";

const MANY = 3;

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
  repeats: (template: number) => number,
): RenderedRows {
  const shown = countTemplates(chosen);
  const seen = new Map<number, number>();
  const pieces: Piece[] = [];
  const lines: string[] = [];
  /** With a newline after each line. */
  let bytes = 0;
  let similar = 0;
  let previous: Row | undefined;
  let piece = { start: START, reason: "", score: 0 };
  const omit = (from: Position, to: Position): void => {
    if (!markers || to.byte <= from.byte) return;
    const marker = renderOmission(omissionBetween(from, to, end), {
      compact: true,
      similar: similar > MANY ? similar : 0,
    });
    lines.push(marker);
    bytes += byteLength(marker) + 1;
    similar = 0;
  };
  const closePiece = (): Position => {
    if (previous === undefined) return START;
    const at = endOfRow(previous, end);
    pieces.push({ start: piece.start, end: at, reason: piece.reason, score: piece.score });
    return at;
  };
  for (const { row, value, reason, template } of chosen) {
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
    if (template !== undefined) {
      const count = (seen.get(template) ?? 0) + 1;
      seen.set(template, count);
      if (count === shown.get(template)) similar = Math.max(similar, repeats(template) - count);
    }
  }
  omit(closePiece(), end);
  const text = lines.join("\n");
  const open = lines.at(-1) === "" ? 1 : 0;
  return { selection: makeSelection(text, pieces), bytes: Math.max(0, bytes - 1), lines: lines.length - open };
}

function countTemplates(chosen: readonly Candidate[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { template } of chosen) {
    if (template !== undefined) counts.set(template, (counts.get(template) ?? 0) + 1);
  }
  return counts;
}
