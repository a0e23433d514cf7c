import { formatCount, formatPlural } from "../../omission.ts";
import type { Selection } from "../analyzer.ts";
import { type HeldLine, PieceList, showLine } from "../lines/held-line.ts";
import { renderFolders, topFolder } from "../lines/top-folder.ts";
import type { HeldHit, HitFile } from "./grep-ranking.ts";

/** Counts of all results. */
interface GrepTotals {
  readonly matches: number;
  readonly files: number;
  /** Matches by the first folders of their paths. */
  readonly folders: ReadonlyMap<string, number>;
}

/** The chosen lines in the order of the results; counts stand where matches of a file are left out. */
export function renderGrep(
  chosen: readonly HeldHit[],
  headings: ReadonlyMap<HitFile, HeldLine>,
  totals: GrepTotals,
  lineChars: number,
): Selection {
  const pieces = new PieceList();
  const ordered = [...chosen].sort((a, b) => a.held.line - b.held.line);
  const shown = ordered.filter((hit) => hit.match).length;
  const noun = totals.matches === 1 ? "match" : "matches";
  const found = `${formatCount(totals.matches)} ${noun} in ${formatPlural(totals.files, "file")}`;
  const text = [`[search results: ${found}; ${formatCount(shown)} shown]`];
  const shownFolders = new Map<string, number>();
  const shownOfFile = new Map<HitFile, number>();
  for (const hit of ordered) if (hit.match) shownOfFile.set(hit.file, (shownOfFile.get(hit.file) ?? 0) + 1);
  ordered.forEach((hit, index) => {
    const before = ordered[index - 1];
    const heading = before?.file === hit.file ? undefined : headings.get(hit.file);
    // Rows of another file may stand between a heading and its rows; what was passed is not gone back to.
    if (heading !== undefined && heading.line > (before?.held.line ?? 0)) {
      const line = showLine(heading, lineChars);
      text.push(line.text);
      pieces.add(line, "heading", hit.score);
    }
    const line = showLine(hit.held, lineChars);
    text.push(line.text);
    pieces.add(line, hit.match ? "match" : "context", hit.score);
    if (hit.match) shownFolders.set(topFolder(hit.file.path), (shownFolders.get(topFolder(hit.file.path)) ?? 0) + 1);
    if (ordered[index + 1]?.file !== hit.file) {
      const left = hit.file.matches - (shownOfFile.get(hit.file) ?? 0);
      if (left > 0) text.push(`… ${formatCount(left)} more …`);
    }
  });
  const left = renderFolders(totals.folders, shownFolders, 12);
  if (left !== undefined) text.push(`… not shown: ${left} …`);
  return { text: text.join("\n"), pieces: pieces.pieces };
}
