import { decode } from "../bytes/utf8.ts";
import { cutLongLine, fitEnding, type LongLine } from "./cut-line.ts";
import { Fit } from "./fit.ts";
import type { Chosen, PartOptions } from "./head.ts";
import type { Piece, Position, Room } from "./pieces.ts";
import { linesFromEnd, type Source, type SourceLine } from "./source.ts";

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
    const long = options.bothEnds === "none" || overlap > 0 ? undefined : wholeLongLine(source, line);
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
function wholeLongLine(source: Source, line: SourceLine): LongLine | undefined {
  const { end, raw: ending } = line;
  if (line.whole) return { start: line.start, beginning: ending, end, ending };
  return source.tailLine === undefined ? undefined : { ...source.tailLine, end, ending };
}
