import { gapMarker, shortGapMarker, showLine } from "../lines/held-line.ts";
import { HEADING, OPEN_SHORT } from "../mark.ts";
import { formatPlural } from "../omission.ts";
import { lineCountAt, makeSelection, type Piece, type Position, type Selection } from "../pieces.ts";
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
  const marker = headed ? shortGapMarker : gapMarker;
  const explained = `${HEADING}source: ${formatPlural(last, "line")}; "${OPEN_SHORT} 3-9 …" stands for lines left out]`;
  const text = headed ? [explained] : [];
  const pieces: Piece[] = [];
  let next = 1;
  const shown = chosen.flatMap(({ lines, score }) => lines.map(({ line, reason }) => ({ ...line, reason, score })));
  shown.sort((a, b) => a.held.line - b.held.line);
  for (const { held, reason, score } of shown) {
    if (held.line > next) text.push(marker(next, held.line - 1));
    const { text: drawn, regions } = showLine(held, lineChars);
    text.push(drawn);
    for (const { start, end } of regions) {
      const { line, byte, char, inLine } = start;
      pieces.push({ start: { line, byte, char, inLine }, end, reason, score });
    }
    next = held.line + 1;
  }
  if (next <= last) text.push(marker(next, last));
  return makeSelection(text.join("\n"), pieces);
}
