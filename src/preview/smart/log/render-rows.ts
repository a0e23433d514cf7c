import { formatCount, renderOmission } from "../../omission.ts";
import { omissionBetween, type Piece, type Position, type Selection, START } from "../../pieces.ts";
import type { Candidate, Row } from "./row.ts";

const MANY = 3;

/** The chosen rows, in order, with exact markers between; rows that touch make one piece. */
export function renderRows(
  chosen: readonly Candidate[],
  end: Position,
  markers: boolean,
  repeats: (template: number) => number,
): Selection {
  const pieces: Piece[] = [];
  const lines: string[] = [];
  const shown = new Map<number, number>();
  for (const { template } of chosen) if (template !== undefined) shown.set(template, (shown.get(template) ?? 0) + 1);
  const seen = new Map<number, number>();
  let at: Position = START;
  let similar = 0;
  const omit = (to: Position): void => {
    if (!markers || to.byte <= at.byte) return;
    const note = similar > MANY ? ` × ${formatCount(similar)} similar lines` : "";
    lines.push(renderOmission(omissionBetween(at, to, end), { compact: true }) + note);
    similar = 0;
  };
  for (const { row, value, reason, template } of chosen) {
    const start = startOf(row);
    const touching = row.byte === at.byte;
    omit(start);
    if (touching && row.inLine && lines.length > 0) lines.push((lines.pop() ?? "") + row.text);
    else lines.push(row.text);
    at = endOf(row, end);
    const score = Math.round(value * 10) / 10;
    const last = pieces.at(-1);
    if (touching && last !== undefined) {
      const better = score > last.score;
      pieces[pieces.length - 1] = { ...last, end: at, ...(better ? { reason, score } : {}) };
    } else pieces.push({ start, end: at, reason, score });
    if (template !== undefined) {
      const count = (seen.get(template) ?? 0) + 1;
      seen.set(template, count);
      if (count === shown.get(template)) similar = Math.max(similar, repeats(template) - count);
    }
  }
  omit(end);
  return { text: lines.join("\n"), pieces };
}

function startOf(row: Row): Position {
  return { line: row.line, byte: row.byte, char: row.char, ...(row.inLine ? { inLine: true } : {}) };
}

function endOf(row: Row, end: Position): Position {
  const byte = row.byte + row.bytes;
  if (byte === end.byte) return end;
  const char = row.char + row.chars;
  return row.continues ? { line: row.line, byte, char, inLine: true } : { line: row.line + 1, byte, char };
}
