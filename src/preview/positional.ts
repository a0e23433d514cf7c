import { lineStarts } from "../bytes/count-newlines.ts";
import { byteLength, decode } from "../bytes/utf8.ts";
import type { Strategy } from "../limits/types.ts";
import { cleanLine } from "./clean.ts";
import { cutLongLine, fitBeginning, fitEnding, isOverwritten, type LongLine } from "./cut-line.ts";
import { type Cost, Fit, fitsRoom, lineCost, shrinkRoom } from "./fit.ts";
import { renderOmission } from "./omission.ts";
import {
  lineCountAt,
  makeSelection,
  NOTHING,
  omissionBetween,
  type Piece,
  type Position,
  type Room,
  type Selection,
  START,
} from "./pieces.ts";
import type { Markers } from "./types.ts";
import type { FarEnd, FarStart } from "./window.ts";

/** Share of a character limit that either end gets. */
const CHAR_SHARE = 0.4;
/** How often a smaller room is tried before nothing is shown. */
const ROUNDS = 8;
const NO_LINES: Chosen = { lines: [], pieces: [] };

/** `marked` is the text with markers that the room did not have to hold. */
interface MarkedSelection extends Selection {
  readonly marked?: string;
}

/** Selects by position: the start, the end, or both. */
export function selectByPosition(
  source: Source,
  room: Room,
  strategy: Exclude<Strategy, "smart">,
  markers: Markers,
): MarkedSelection {
  const inside = markers === "inside";
  const marker = inside ? roomForMarker(source.end, room, strategy) : undefined;
  const free = marker ?? room;
  let head = NO_LINES;
  let tail = NO_LINES;
  if (strategy === "head")
    head = chooseHead(source, free, { whole: free, bothEnds: inside ? "all" : "none", reason: "head" });
  else if (strategy === "tail")
    tail = chooseTail(source, free, { whole: free, bothEnds: inside ? "all" : "none", reason: "tail", from: 0 });
  else {
    const bothEnds = inside ? "all but the last" : "none";
    const sides = splitRoom(free, room.chars);
    head = chooseHead(source, sides.head, { whole: sides.head, bothEnds, reason: "head" });
    const from = head.pieces.at(-1)?.end.byte ?? 0;
    tail = chooseTail(source, sides.tail, { whole: sides.tail, bothEnds, reason: "tail", from });
  }
  const pieces = [...head.pieces, ...tail.pieces];
  const selection = makeSelection(joinParts(head, tail, source.end, marker !== undefined), pieces);
  return markers === "on_top" ? { ...selection, marked: joinParts(head, tail, source.end, true) } : selection;
}

/** The room that is left beside the widest possible marker; undefined when a marker would take most of it. */
function roomForMarker(end: Position, room: Room, strategy: Strategy): Room | undefined {
  const widest = renderOmission(
    omissionBetween({ ...START, inLine: true }, { ...end, inLine: true, byte: end.byte - 1 }, end),
  );
  const whole = renderOmission(omissionBetween(START, end, end));
  const longest = `${widest.length > whole.length ? widest : whole} `;
  const cost = lineCost(longest, room);
  const leastLines = strategy === "head_tail" ? 3 : 2;
  if (room.lines < leastLines || room.bytes < 2 * cost.bytes || room.chars < 2 * cost.chars) return undefined;
  return room.tokens < 2 * cost.tokens ? undefined : shrinkRoom(room, cost);
}

function splitRoom(free: Room, allChars: number): { readonly head: Room; readonly tail: Room } {
  const headLines = free.lines === Infinity ? Infinity : Math.floor(free.lines / 2);
  const side = {
    bytes: Math.floor(free.bytes / 2),
    chars: Math.min(Math.floor(free.chars / 2), Math.floor(allChars * CHAR_SHARE)),
    tokens: Math.floor(free.tokens / 2),
    countTokens: free.countTokens,
  };
  const tailLines = free.lines === Infinity ? Infinity : free.lines - headLines;
  return { head: { ...side, lines: headLines }, tail: { ...side, lines: tailLines } };
}

function joinParts(head: Chosen, tail: Chosen, end: Position, withMarker: boolean): string {
  const from = head.pieces.at(-1)?.end ?? START;
  const to = tail.pieces[0]?.start ?? end;
  const before = head.lines.join("\n");
  const after = tail.lines.join("\n");
  const inOneLine = from.inLine === true && to.inLine === true && from.line === to.line && tail.lines.length > 0;
  if (from.byte >= to.byte) return join(before, after, from.inLine === true ? "" : "\n");
  if (!withMarker) return join(before, after, "\n");
  const marker = renderOmission(omissionBetween(from, to, end));
  return inOneLine ? `${before} ${marker} ${after}` : join(join(before, marker, "\n"), after, "\n");
}

function join(first: string, second: string, separator: string): string {
  return first === "" ? second : second === "" ? first : first + separator + second;
}

/** Selects so that the text surely fits: token counts of parts need not add up to that of the whole, nor cut lines' sizes. */
export function selectWithin<S extends Selection>(room: Room, select: (room: Room) => S): S | Selection {
  let smaller = room;
  for (let round = 0; round < ROUNDS; round++) {
    const selection = select(smaller);
    const { text } = selection;
    if (fitsRoom(text, room)) return selection;
    const shrink = (size: number, actual: number, limit: number): number =>
      actual > limit ? Math.floor(Math.min(size, actual) * 0.9) - 1 : size;
    smaller = {
      ...smaller,
      bytes: shrink(smaller.bytes, byteLength(text), room.bytes),
      chars: shrink(smaller.chars, text.length, room.chars),
      tokens: room.tokens === Infinity ? Infinity : shrink(smaller.tokens, room.countTokens(text), room.tokens),
    };
    if (Math.min(smaller.bytes, smaller.chars, smaller.tokens) <= 0) break;
  }
  return NOTHING;
}

/** Lines of the output in order, with what they cover of it. */
export interface Chosen {
  readonly lines: readonly string[];
  readonly pieces: readonly Piece[];
}

export interface PartOptions {
  /** A line longer than this room alone is cut; any other line is shown whole or not at all. */
  readonly whole: Room;
  /** Which cut lines show both ends. The output's last line does not when the other part shows its end. */
  readonly bothEnds: "all" | "all but the last" | "none";
  readonly reason: string;
}

/** As many lines from the start as fit the room. */
export function chooseHead(source: Source, room: Room, options: PartOptions): Chosen {
  const fit = new Fit(room);
  const lines: string[] = [];
  const pieces: Piece[] = [];
  let reached: Position = START;
  const flush = (): void => {
    const last = pieces.at(-1)?.end ?? START;
    if (reached.byte > last.byte) pieces.push({ start: last, end: reached, reason: options.reason, score: 0 });
  };
  for (const line of linesFromStart(source, room)) {
    if (line.whole && fit.take(line.cost)) {
      lines.push(line.text);
      reached = line.end;
      continue;
    }
    const tooLong = !line.whole || !new Fit(options.whole).holds(line.cost);
    if (!tooLong || fit.rest.lines < 1) break;
    flush();
    const overwritten = isOverwritten(line.raw);
    const long =
      options.bothEnds === "none" && !overwritten
        ? undefined
        : longLineFromStart(source, line, options.bothEnds !== "all but the last");
    const cut = long === undefined ? undefined : cutLongLine(long, fit.rest, source.end);
    if (cut !== undefined) {
      if (cut.pieces.length > 0) lines.push(cut.text);
      pieces.push(...cut.pieces);
      return { lines, pieces };
    }
    // What a terminal wrote over was never on the screen beside what came after.
    if (overwritten) return { lines, pieces };
    const beginning = fitBeginning(line.raw, fit.rest);
    if (beginning.cut > 0 && beginning.text !== "") {
      lines.push(beginning.text);
      const char = line.start.char + decode(line.raw.subarray(0, beginning.cut)).length;
      const end: Position = { line: line.start.line, byte: line.start.byte + beginning.cut, char, inLine: true };
      pieces.push({ start: line.start, end, reason: options.reason, score: 0 });
    }
    return { lines, pieces };
  }
  flush();
  return { lines, pieces };
}

/** Both ends of a line of which the head window has the beginning; undefined when its end is not known or not wanted. */
function longLineFromStart(source: Source, line: SourceLine, withLast: boolean): LongLine | undefined {
  const { start, raw: beginning } = line;
  const isLast = start.line === lineCountAt(source.end);
  if (isLast && !withLast) return undefined;
  if (line.whole) return { start, beginning, end: line.end, ending: beginning };
  if (isLast) {
    const ending = source.end.inLine === true ? source.tail : source.tail.subarray(0, -1);
    return { start, beginning, end: source.end, ending };
  }
  if (source.headLine === undefined) return undefined;
  const ending = new Uint8Array(beginning.length + source.headLine.ending.length);
  ending.set(beginning);
  ending.set(source.headLine.ending, beginning.length);
  return { start, beginning, end: source.headLine.end, ending };
}

/** As many lines from the end as fit the room, none before byte `from`. */
export function chooseTail(source: Source, room: Room, options: PartOptions & { readonly from: number }): Chosen {
  const fit = new Fit(room);
  const lines: string[] = [];
  const pieces: Piece[] = [];
  let reached: Position = source.end;
  const flush = (): void => {
    const last = pieces[0]?.start ?? source.end;
    if (reached.byte < last.byte) pieces.unshift({ start: reached, end: last, reason: options.reason, score: 0 });
  };
  for (const line of linesFromEnd(source, room)) {
    if (line.end.byte <= options.from) break;
    const overlap = Math.max(0, options.from - line.start.byte);
    if (overlap === 0 && line.whole && fit.take(line.cost)) {
      lines.unshift(line.text);
      reached = line.start;
      continue;
    }
    const tooLong = overlap > 0 || !line.whole || !new Fit(options.whole).holds(line.cost);
    if (!tooLong || fit.rest.lines < 1) break;
    flush();
    const long = options.bothEnds === "none" || overlap > 0 ? undefined : longLineFromEnd(source, line);
    const cut = long === undefined ? undefined : cutLongLine(long, fit.rest, source.end);
    if (cut !== undefined) {
      if (cut.pieces.length > 0) lines.unshift(cut.text);
      pieces.unshift(...cut.pieces);
      return { lines, pieces };
    }
    const raw = line.raw.subarray(overlap);
    const ending = fitEnding(raw, fit.rest);
    const kept = raw.subarray(ending.cut);
    if (kept.length > 0 && ending.text !== "") {
      lines.unshift(ending.text);
      const newline = line.end.inLine === true ? 0 : 1;
      const byte = line.end.byte - newline - kept.length;
      const char = line.end.char - newline - decode(kept).length;
      const start: Position = {
        line: line.start.line,
        byte,
        char,
        ...(byte > line.start.byte || !line.whole ? { inLine: true } : {}),
      };
      pieces.unshift({ start, end: line.end, reason: options.reason, score: 0 });
    }
    return { lines, pieces };
  }
  flush();
  return { lines, pieces };
}

/** Both ends of a line of which the tail window has the end; undefined when its beginning is not known. */
function longLineFromEnd(source: Source, line: SourceLine): LongLine | undefined {
  const { end, raw: ending } = line;
  if (line.whole) return { start: line.start, beginning: ending, end, ending };
  return source.tailLine === undefined ? undefined : { ...source.tailLine, end, ending };
}

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
