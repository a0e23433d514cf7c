import { gapMarker, shortGapMarker } from "../lines/held-line.ts";
import { LineDrawing } from "../lines/line-drawing.ts";
import { HEADING, OPEN_SHORT } from "../mark.ts";
import { formatPlural } from "../omission.ts";
import { lineCountAt, type Position, type Selection } from "../pieces.ts";
import type { Choice } from "./choose-lines.ts";

interface DrawOptions {
  readonly total: Position;
  /** Characters of a line that are shown at most. */
  readonly lineChars: number;
  /** True where many gaps are likely: then a heading explains the short markers that stand for them. */
  readonly headed: boolean;
}

/** The chosen lines in order, and a marker with the range for every gap. */
export function drawLines(chosen: readonly Choice[], { total, lineChars, headed }: DrawOptions): Selection {
  const last = lineCountAt(total);
  const drawing = new LineDrawing({ lineChars, marker: headed ? shortGapMarker : gapMarker });
  if (headed)
    drawing.note(
      `${HEADING}source: ${formatPlural(last, "line")}; "${OPEN_SHORT} 3-9 …" stands for lines left out]`,
      1,
    );
  for (const { lines, score } of chosen) for (const { line, reason } of lines) drawing.show(line.held, reason, score);
  return drawing.finish(last);
}
