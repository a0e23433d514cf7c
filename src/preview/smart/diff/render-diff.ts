import { formatCount, formatLineRange, formatPlural } from "../../omission.ts";
import { lineCountAt } from "../../pieces.ts";
import type { Position, Selection } from "../analyzer.ts";
import { gapMarker, type HeldLine, PieceList, showLine } from "../lines/held-line.ts";
import type { DiffFile, DiffHunk } from "./diff-blocks.ts";
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
  const pieces = new PieceList();
  const text: string[] = [`[diff: ${formatPlural(totals.files, "file")}, ${changes(totals)}]`];
  const listed = new Set<DiffFile>();
  let shownLine = 0;
  let hunk: DiffHunk | undefined;
  const show = (line: HeldLine, reason: string, score: number): void => {
    if (line.line <= shownLine) return;
    if (shownLine > 0 && line.line > shownLine + 1) text.push(gapMarker(shownLine + 1, line.line - 1));
    const shown = showLine(line, lineChars);
    text.push(shown.text);
    pieces.add(shown, reason, score);
    shownLine = line.line;
  };
  const open = (file: DiffFile): void => {
    if (listed.has(file)) return;
    listed.add(file);
    const change = file.change === "" ? "" : `${file.change}, `;
    text.push(`diff ${file.path} (${change}${changes(file)}) ${formatLineRange(file.startLine, file.endLine)}`);
    shownLine = 0;
  };
  for (const candidate of [...chosen].sort((a, b) => firstLine(a) - firstLine(b) || order(a) - order(b))) {
    if (candidate.kind === "message") {
      hunk = undefined;
      for (const line of candidate.lines) show(line, "message", candidate.value);
    } else if (candidate.kind === "file") {
      open(candidate.file);
    } else {
      const { block } = candidate;
      open(block.hunk.file);
      if (hunk !== block.hunk) show(block.hunk.header, "hunk", candidate.value);
      hunk = block.hunk;
      for (const line of block.lines) show(line, "change", candidate.value);
    }
  }
  const shown = [...listed];
  if (shown.length < totals.files) {
    const added = totals.added - shown.reduce((sum, file) => sum + file.added, 0);
    const removed = totals.removed - shown.reduce((sum, file) => sum + file.removed, 0);
    text.push(`… ${formatPlural(totals.files - shown.length, "more file")}, ${changes({ added, removed })} …`);
  } else if (shownLine > 0 && shownLine < lineCountAt(total)) {
    text.push(gapMarker(shownLine + 1, lineCountAt(total)));
  }
  return { text: text.join("\n"), pieces: pieces.pieces };
}

function changes({ added, removed }: { readonly added: number; readonly removed: number }): string {
  return `+${formatCount(added)} −${formatCount(removed)}`;
}

function firstLine(candidate: DiffCandidate): number {
  if (candidate.kind === "file") return candidate.file.startLine;
  return (candidate.kind === "block" ? candidate.block.lines : candidate.lines)[0]?.line ?? 0;
}

function order(candidate: DiffCandidate): number {
  return candidate.kind === "block" ? 1 : 0;
}
