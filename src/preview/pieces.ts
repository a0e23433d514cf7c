import { stamp } from "./mark.ts";
import { estimateTokens } from "./tokens/estimate-tokens.ts";
import type { CompleteOptions, FinishOptions, KeptBlock, Omission, Size } from "./types.ts";

/** A position in the raw output, all three counts together. Lines from 1, bytes and UTF-16 units from 0. */
export interface Position {
  readonly line: number;
  readonly byte: number;
  readonly char: number;
  /** True when the position lies within its line, after the line's first byte; absent at the start of a line. */
  readonly inLine?: boolean | undefined;
}

/** A region of the raw output that the preview shows. `end` is the position just after its last byte. */
export interface Piece {
  readonly start: Position;
  readonly end: Position;
  /** Why it was kept, for `--explain`. */
  readonly reason: string;
  readonly score: number;
}

/** What is left of the limits for text and markers together. */
export interface Room {
  readonly lines: number;
  readonly bytes: number;
  readonly chars: number;
  readonly tokens: number;
  /** Exact counter or estimate; counts one string. */
  readonly countTokens: (text: string) => number;
  /** True when the text may hold lines of the output only, no markers. @default false */
  readonly linesOnly?: boolean;
}

declare const ORDERED: unique symbol;

/** Pieces in order of position, disjoint and none empty; only `makeSelection` makes them. */
export type OrderedPieces = readonly Piece[] & { readonly [ORDERED]: true };

/** What was chosen. `text` fits the room, markers included. */
export interface Selection {
  readonly text: string;
  readonly pieces: OrderedPieces;
}

/**
 * A text and the regions of the output that it shows, given in any order. What overlaps becomes one piece, with the
 * reason that counts most; so does what touches and has the same reason.
 */
export function makeSelection(text: string, pieces: readonly Piece[]): Selection {
  const ordered: Piece[] = [];
  for (const piece of inOrder(pieces)) {
    if (piece.end.byte <= piece.start.byte) continue;
    const last = ordered.at(-1);
    const touches = last !== undefined && piece.start.byte === last.end.byte && piece.reason === last.reason;
    if (last !== undefined && (touches || piece.start.byte < last.end.byte))
      ordered[ordered.length - 1] = join(last, piece);
    else ordered.push(piece);
  }
  return { text, pieces: ordered as readonly Piece[] as OrderedPieces };
}

/** A selection of nothing. */
export const NOTHING: Selection = makeSelection("", []);

function inOrder(pieces: readonly Piece[]): readonly Piece[] {
  const sorted = pieces.every(
    (piece, index) => index === 0 || piece.start.byte >= (pieces[index - 1]?.start.byte ?? 0),
  );
  return sorted ? pieces : [...pieces].sort((a, b) => a.start.byte - b.start.byte);
}

function join(first: Piece, second: Piece): Piece {
  const { reason, score } = second.score > first.score ? second : first;
  return { start: first.start, end: second.end.byte > first.end.byte ? second.end : first.end, reason, score };
}

export const START: Position = { line: 1, byte: 0, char: 0 };

/** Lines of an output that ends at `end`. */
export function lineCountAt(end: Position): number {
  return end.inLine === true ? end.line : end.line - 1;
}

/** The omission between two positions of the output; `end` may be the end of the output itself. */
export function omissionBetween(from: Position, to: Position, end: Position): Omission {
  const atEnd = to.byte === end.byte;
  const firstWhole = from.inLine === true ? from.line + 1 : from.line;
  const lastWhole = atEnd ? lineCountAt(end) : to.line - 1;
  const lastTouched = atEnd ? lineCountAt(end) : to.inLine === true ? to.line : to.line - 1;
  return {
    lines: Math.max(0, lastWhole - firstWhole + 1),
    bytes: to.byte - from.byte,
    chars: to.char - from.char,
    startLine: from.line,
    endLine: Math.max(from.line, lastTouched),
    startByte: from.byte,
    endByte: to.byte,
  };
}

/** What the pieces keep of an output that ends at `end`, and what stands between them. */
export function accountFor(
  pieces: OrderedPieces,
  end: Position,
): { readonly kept: Size; readonly omissions: readonly Omission[]; readonly blocks: readonly KeptBlock[] } {
  const omissions: Omission[] = [];
  let at = START;
  for (const piece of pieces) {
    if (piece.start.byte > at.byte) omissions.push(omissionBetween(at, piece.start, end));
    at = piece.end;
  }
  if (at.byte < end.byte) omissions.push(omissionBetween(at, end, end));
  const kept = { lines: lineCountAt(end), bytes: end.byte, chars: end.char };
  for (const omission of omissions) {
    kept.lines -= omission.lines;
    kept.bytes -= omission.bytes;
    kept.chars -= omission.chars;
  }
  const blocks = pieces.map((piece) => ({
    startLine: piece.start.line,
    endLine: piece.end.inLine === true ? piece.end.line : Math.max(piece.start.line, piece.end.line - 1),
    reason: piece.reason,
    score: piece.score,
  }));
  return { kept, omissions, blocks };
}

/** The limits as a room, with what the caller keeps free taken off. */
export function roomWithin(options: CompleteOptions, { reserve, markers, mark }: FinishOptions): Room {
  const { limits, countTokens = estimateTokens } = options;
  return {
    lines: Math.max(0, limits.maxLines - (reserve?.lines ?? 0)),
    bytes: Math.max(0, limits.maxBytes - (reserve?.bytes ?? 0)),
    chars: Math.max(0, limits.maxChars - (reserve?.chars ?? 0)),
    tokens: Math.max(0, limits.maxTokens - (reserve?.tokens ?? 0)),
    countTokens: (draft) => countTokens(stamp(draft, mark)),
    ...(markers === "outside" ? { linesOnly: true } : {}),
  };
}
