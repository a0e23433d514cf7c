import { decode } from "../bytes/utf8.ts";
import { cutLongLine, fitBeginning, isOverwritten, type LongLine } from "./cut-line.ts";
import { Fit } from "./fit.ts";
import { lineCountAt, type Piece, type Position, type Room, START } from "./pieces.ts";
import { linesFromStart, type Source, type SourceLine } from "./source.ts";

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
        : wholeLongLine(source, line, options.bothEnds !== "all but the last");
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
function wholeLongLine(source: Source, line: SourceLine, withLast: boolean): LongLine | undefined {
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
