import { byteLength } from "../../../bytes/utf8.ts";
import { renderOmission } from "../../omission.ts";
import {
  lineCountAt,
  makeSelection,
  omissionBetween,
  type Piece,
  type Position,
  type Selection,
  START,
} from "../../pieces.ts";
import { type Repeat, runAt } from "./repeats.ts";
import { type Candidate, endOfRow, type Row, startOfRow, textBytes } from "./row.ts";

const MANY = 3;

/** What is known of lines that are not shown. */
export interface KnownRepeats {
  /** How many lines of a kind came. */
  readonly count: (kind: number) => number;
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
function countSimilar(
  chosen: readonly Candidate[],
  end: Position,
  { count }: KnownRepeats,
): ReadonlyMap<Row, number | "all"> {
  const kinds = new Map<string, { readonly kind: number; shown: number; last?: Row }>();
  // A last line without a newline is of a kind of its own.
  const isCounted = ({ inLine, chars, raw }: Row): boolean => !inLine && chars > raw.length;
  for (const { row, kind } of chosen)
    if (kind !== undefined && isCounted(row)) kinds.set(withoutNumbers(row.raw), { kind, shown: 0 });
  if (kinds.size > 0)
    chosen.forEach(({ row }, index) => {
      const known = kinds.get(withoutNumbers(row.raw));
      if (known === undefined || !isCounted(row)) return;
      known.shown++;
      if (chosen[index + 1]?.row.byte !== row.byte + row.bytes && row.byte + row.bytes < end.byte) known.last = row;
    });
  const omitted = lineCountAt(end) - chosen.filter(({ row }) => !row.inLine).length;
  const similar = new Map<Row, number | "all">();
  for (const { kind, shown, last } of kinds.values()) {
    const left = count(kind) - shown;
    if (last !== undefined && left > MANY) similar.set(last, left === omitted ? "all" : left);
  }
  return similar;
}

/** A line in which of each number only remains whether it is zero, as the scanner identifies lines. */
function withoutNumbers(raw: string): string {
  return raw.replace(/\d+/g, (number) => (/[1-9]/.test(number) ? "1" : "0"));
}

/** How often the rows right before a gap are repeated in it. */
function repeatedFrom(
  from: Position,
  to: Position,
  runs: readonly Repeat[],
): { similar: number | "all"; cycle: number } | undefined {
  const run = runAt(from.byte, runs);
  if (run === undefined) return undefined;
  const cycle = run.rows.length;
  if (cycle === 1 && to.byte <= run.end) return { similar: "all", cycle };
  return { similar: Math.floor((Math.min(to.line, run.endLine) - from.line) / cycle), cycle };
}
