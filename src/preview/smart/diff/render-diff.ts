import { LineDrawing, shortGapMarker } from "../../lines/line-drawing.ts";
import { HEADING, OPEN, OPEN_SHORT } from "../../mark.ts";
import { formatCount, formatLineRange, formatPlural } from "../../omission.ts";
import { lineCountAt } from "../../pieces.ts";
import type { Position, Selection } from "../analyzer.ts";
import type { DiffFile } from "./diff-blocks.ts";
import type { DiffCandidate } from "./diff-ranking.ts";

/** Counts of the whole diff. */
interface DiffTotals {
  readonly files: number;
  readonly added: number;
  readonly removed: number;
  readonly hunks: number;
}

/** The chosen parts in the order of the diff, each file under a line of its own with its counts. */
export function renderDiff(
  chosen: readonly DiffCandidate[],
  totals: DiffTotals,
  lineChars: number,
  total: Position,
): Selection {
  const drawing = new LineDrawing({ lineChars, marker: shortGapMarker });
  drawing.note(
    `${HEADING}diff: ${formatPlural(totals.files, "file")}, ${changes(totals)}; "${OPEN_SHORT} 3-9 …" stands for lines left out]`,
  );
  const listed = new Set<DiffFile>();
  const open = (file: DiffFile, from?: number): void => {
    if (listed.has(file)) return;
    listed.add(file);
    const change = file.change === "" ? "" : `${file.change}, `;
    const range = formatLineRange(file.startLine, file.endLine);
    drawing.note(`diff ${file.path} (${change}${changes(file)}) ${range}`, from);
  };
  for (const candidate of [...chosen].sort((a, b) => firstLine(a) - firstLine(b) || order(a) - order(b))) {
    if (candidate.kind === "message") {
      for (const line of candidate.lines) drawing.show(line, "message", candidate.value);
    } else if (candidate.kind === "file") {
      open(candidate.file);
    } else {
      const { hunk, headed, lines } = candidate;
      open(hunk.file, headed ? undefined : hunk.file.startLine);
      if (headed) drawing.show(hunk.header, "hunk", candidate.value);
      for (const line of lines) drawing.show(line, "change", candidate.value);
    }
  }
  const shown = [...listed];
  if (shown.length < totals.files) {
    const added = totals.added - shown.reduce((sum, file) => sum + file.added, 0);
    const removed = totals.removed - shown.reduce((sum, file) => sum + file.removed, 0);
    drawing.note(`${OPEN} ${formatPlural(totals.files - shown.length, "more file")}, ${changes({ added, removed })} …`);
  } else if (drawing.last > 0 && drawing.last < lineCountAt(total)) {
    drawing.note(shortGapMarker(drawing.last + 1, lineCountAt(total)));
  }
  return drawing.finish();
}

function changes({ added, removed }: { readonly added: number; readonly removed: number }): string {
  return `+${formatCount(added)} −${formatCount(removed)}`;
}

function firstLine(candidate: DiffCandidate): number {
  if (candidate.kind === "file") return candidate.file.startLine;
  return candidate.lines[0]?.line ?? 0;
}

function order(candidate: DiffCandidate): number {
  return candidate.kind === "change" ? 1 : 0;
}
