import { lineStarts } from "../bytes/count-newlines.ts";
import { decode } from "../bytes/utf8.ts";
import { cleanLine } from "./clean.ts";
import type { FarEnd, FarStart } from "./edge-counter.ts";
import { type Cost, lineCost } from "./fit.ts";
import { lineCountAt, type Position, type Room } from "./pieces.ts";

/** One line of the output that lies in a window. */
export interface SourceLine {
  readonly start: Position;
  readonly end: Position;
  /** Without the newline. */
  readonly raw: Uint8Array;
  /** Cleaned for display. */
  readonly text: string;
  readonly cost: Cost;
  /** False when the window holds only a part of the line. */
  readonly whole: boolean;
}

/** The ended output, as far as it is in memory. */
export interface Source {
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
  readonly tailStart: number;
  readonly end: Position;
  /** Of the line that leaves the head window, when it has ended. */
  readonly headLine?: FarEnd | undefined;
  /** Of the line that enters the tail window. */
  readonly tailLine?: FarStart | undefined;
}

/** Lines from the start of the output on, as far as the head window reaches; the last one may be partial. */
export function* linesFromStart(source: Source, room: Room): Generator<SourceLine, void, void> {
  const { head, end } = source;
  const starts = lineStarts(head);
  let char = 0;
  for (let index = 0; index < starts.length; index++) {
    const from = starts[index]!;
    const next = starts[index + 1] ?? head.length;
    const newline = head[next - 1] === 0x0a ? 1 : 0;
    const raw = head.subarray(from, next - newline);
    const decoded = decode(raw);
    const start: Position = { line: index + 1, byte: from, char };
    char += decoded.length + newline;
    const whole = newline === 1 || next === end.byte;
    const after =
      newline === 1 ? { line: index + 2, byte: next, char } : { line: index + 1, byte: next, char, inLine: true };
    yield finishLine({ start, end: after, raw, whole }, decoded, room);
  }
}

/** Lines from the end of the output back, as far as the tail window reaches; the last one given may be partial. */
export function* linesFromEnd(source: Source, room: Room): Generator<SourceLine, void, void> {
  const { tail, tailStart, end } = source;
  const starts = lineStarts(tail);
  let after = end;
  let line = lineCountAt(end);
  for (let index = starts.length - 1; index >= 0; index--, line--) {
    const from = starts[index]!;
    const next = starts[index + 1] ?? tail.length;
    const newline = tail[next - 1] === 0x0a ? 1 : 0;
    const raw = tail.subarray(from, next - newline);
    const decoded = decode(raw);
    const whole = index > 0 || tailStart === 0;
    const char = after.char - newline - decoded.length;
    const start: Position = { line, byte: tailStart + from, char, ...(whole ? {} : { inLine: true }) };
    yield finishLine({ start, end: after, raw, whole }, decoded, room);
    after = start;
  }
}

function finishLine(
  line: Pick<SourceLine, "start" | "end" | "raw" | "whole">,
  decoded: string,
  room: Room,
): SourceLine {
  const text = cleanLine(decoded);
  return { ...line, text, cost: lineCost(text, room) };
}
