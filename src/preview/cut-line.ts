import { decode, isContinuation } from "../bytes/utf8.ts";
import { cleanLine, isRewritten } from "./clean.ts";
import { fitsRoom, lineCost, shrinkRoom } from "./fit.ts";
import { renderOmission } from "./omission.ts";
import { omissionBetween, type Piece, type Position, type Room } from "./pieces.ts";

/** A line too long for the room, as far as it is in memory: all of it, or only its beginning or its end. */
export interface LongLine {
  readonly start: Position;
  /** Just after its newline, or the end of the output. */
  readonly end: Position;
  readonly beginning: Uint8Array;
  readonly ending: Uint8Array;
}

/** Below this a cut line tells nothing. */
const LEAST_CHARS = 24;

/** The first part of a raw line that, cleaned, fits the room. */
export function fitBeginning(raw: Uint8Array, room: Room): { readonly text: string; readonly cut: number } {
  return fitPart(raw, room, (length) => {
    const cut = safeCut(raw, length);
    return { text: cleanLine(decode(raw.subarray(0, cut))), cut };
  });
}

/** The last part of a raw line that, cleaned, fits the room. */
export function fitEnding(raw: Uint8Array, room: Room): { readonly text: string; readonly cut: number } {
  return fitPart(raw, room, (length) => {
    let cut = raw.length - length;
    const safe = safeCut(raw, cut);
    // Stepping left would add bytes that did not fit; go on to the next code point instead.
    if (safe < cut) for (cut = safe + 1; cut < raw.length && safeCut(raw, cut) !== cut; ) cut++;
    return { text: cleanLine(decode(raw.subarray(cut))), cut };
  });
}

function fitPart<P extends { readonly text: string }>(raw: Uint8Array, room: Room, take: (length: number) => P): P {
  let low = 0;
  let high = Math.min(raw.length, 4 * Math.min(room.bytes, room.chars * 3, room.tokens * 16) + 64);
  let best = take(0);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const part = take(middle);
    if (fitsRoom(part.text, room)) {
      best = part;
      low = middle;
    } else high = middle - 1;
  }
  return best;
}

/** True for a part of a line that the terminal wrote over, so that only the line's last state stays. */
export function isOverwritten(raw: Uint8Array): boolean {
  return isRewritten(decode(raw));
}

/** The last state of a long line that was rewritten, or the end of that state; undefined for any other line. */
function showLastState(
  { start, end: lineEnd, beginning, ending }: LongLine,
  room: Room,
  end: Position,
): { readonly text: string; readonly pieces: readonly Piece[] } | undefined {
  const rewritten = isOverwritten(ending);
  if (!rewritten && !isOverwritten(beginning)) return undefined;
  const piece = { end: lineEnd, reason: "last state of a line", score: 0 };
  const state = cleanLine(decode(ending));
  if (rewritten && fitsRoom(state, room)) return { text: state, pieces: [{ start, ...piece }] };
  const widest = `${renderOmission(omissionBetween(start, { ...lineEnd, inLine: true }, end))} `;
  const last = fitEnding(ending, shrinkRoom(room, { ...lineCost(widest, room), lines: 0 }));
  if (last.text === "") return { text: "", pieces: [] };
  const to = positionInEnding(lineEnd, start.line, ending.subarray(last.cut));
  return { text: `${renderOmission(omissionBetween(start, to, end))} ${last.text}`, pieces: [{ start: to, ...piece }] };
}

/** Where the last bytes of a line begin. */
function positionInEnding(lineEnd: Position, line: number, ending: Uint8Array): Position {
  const newline = lineEnd.inLine === true ? 0 : 1;
  const byte = lineEnd.byte - newline - ending.length;
  return { line, byte, char: lineEnd.char - newline - decode(ending).length, inLine: true };
}

/** Beginning and end of a long line with the exact marker between, on one line; undefined when the room is too small. */
export function cutLongLine(
  line: LongLine,
  room: Room,
  end: Position,
): { readonly text: string; readonly pieces: readonly Piece[] } | undefined {
  const state = showLastState(line, room, end);
  if (state !== undefined) return state;
  const widest = ` ${renderOmission(omissionBetween({ ...line.start, inLine: true }, { ...line.end, inLine: true }, end))} `;
  const free = shrinkRoom(room, { ...lineCost(widest, room), lines: 0 });
  if (free.chars < 2 * LEAST_CHARS || free.bytes < 2 * LEAST_CHARS || free.tokens < LEAST_CHARS) return undefined;
  const half = { ...free, bytes: free.bytes / 2, chars: free.chars / 2, tokens: free.tokens / 2 };
  const first = fitBeginning(line.beginning, half);
  const last = fitEnding(line.ending, half);
  const from: Position = {
    line: line.start.line,
    byte: line.start.byte + first.cut,
    char: line.start.char + decode(line.beginning.subarray(0, first.cut)).length,
    inLine: true,
  };
  const ending = line.ending.subarray(last.cut);
  const to = positionInEnding(line.end, line.start.line, ending);
  if (from.byte >= to.byte) return undefined;
  const text = `${first.text} ${renderOmission(omissionBetween(from, to, end))} ${last.text}`;
  const piece = { reason: "long line", score: 0 };
  return {
    text,
    pieces: [
      { start: line.start, end: from, ...piece },
      { start: to, end: line.end, ...piece },
    ],
  };
}

const ESCAPE = 0x1b;
/** Longest escape sequence that a cut steps out of. */
const ESCAPE_REACH = 24;

/** The largest offset <= `at` that splits neither a code point nor an escape sequence. */
export function safeCut(bytes: Uint8Array, at: number): number {
  let cut = Math.max(0, Math.min(at, bytes.length));
  const lowest = Math.max(0, cut - ESCAPE_REACH);
  for (let index = cut - 1; index >= lowest; index--) {
    if (bytes[index] !== ESCAPE) continue;
    if (!isWholeEscape(bytes.subarray(index, cut))) cut = index;
    break;
  }
  for (let back = 0; back < 3 && cut > 0 && isContinuation(bytes[cut]); back++) cut--;
  return cut;
}

function isWholeEscape(sequence: Uint8Array): boolean {
  if (sequence.length < 2) return false;
  if (sequence[1] !== 0x5b) return true;
  for (let index = 2; index < sequence.length; index++) {
    const byte = sequence[index]!;
    if (byte >= 0x40 && byte <= 0x7e) return true;
  }
  return false;
}
