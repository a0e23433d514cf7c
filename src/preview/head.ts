import { cutLongLine, fitBeginning } from "./cut-line.ts";
import { Fit } from "./fit.ts";
import { lineCountAt, type Piece, type Position, type Room, START } from "./pieces.ts";
import { decode } from "./raw-lines.ts";
import { linesFromStart, type Source, type SourceLine } from "./source.ts";

/** Lines of the output in order, with what they cover of it. */
export interface Chosen {
  readonly lines: readonly string[];
  readonly pieces: readonly Piece[];
}

export interface PartOptions {
  /** A line longer than this room alone is cut; any other line is shown whole or not at all. */
  readonly whole: Room;
  /** Show the end of a cut line too. */
  readonly bothEnds: boolean;
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
    const ending = endingOf(source, line);
    const cut =
      options.bothEnds && ending !== undefined
        ? cutLongLine(
            { ...line, end: line.whole ? line.end : source.end, beginning: line.raw, ending },
            fit.rest,
            source.end,
          )
        : undefined;
    if (cut !== undefined) {
      lines.push(cut.text);
      pieces.push(...cut.pieces);
      return { lines, pieces };
    }
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

/** The end of a line of which the head window has the beginning: known when it is whole, or the output's last line. */
function endingOf(source: Source, line: SourceLine): Uint8Array | undefined {
  if (line.whole) return line.raw;
  const { tail, end } = source;
  if (line.start.line !== lineCountAt(end)) return undefined;
  return end.inLine === true ? tail : tail.subarray(0, -1);
}
