import { LineDrawing } from "../../lines/line-drawing.ts";
import { renderFolders, topFolder } from "../../lines/top-folder.ts";
import { HEADING, OPEN } from "../../mark.ts";
import { formatCount, formatLineRange, formatPlural } from "../../omission.ts";
import type { Selection } from "../analyzer.ts";
import type { HeldHit, HitFile } from "./grep-ranking.ts";

/** Counts of all results. */
interface GrepTotals {
  readonly matches: number;
  readonly files: number;
  /** Matches by the first folders of their paths. */
  readonly folders: ReadonlyMap<string, number>;
}

/** The chosen lines in the order of the results; counts stand where matches of a file are left out. */
export function renderGrep(chosen: readonly HeldHit[], totals: GrepTotals, lineChars: number): Selection {
  const drawing = new LineDrawing({ lineChars });
  const ordered = [...chosen].sort((a, b) => a.held.line - b.held.line);
  const shown = ordered.filter((hit) => hit.match).length;
  const noun = totals.matches === 1 ? "match" : "matches";
  const found = `${formatCount(totals.matches)} ${noun} in ${formatPlural(totals.files, "file")}`;
  drawing.note(`${HEADING}search results: ${found}; ${formatCount(shown)} shown]`);
  const shownFolders = new Map<string, number>();
  const shownOfFile = new Map<HitFile, number>();
  for (const hit of ordered) if (hit.match) shownOfFile.set(hit.file, (shownOfFile.get(hit.file) ?? 0) + 1);
  ordered.forEach((hit, index) => {
    if (hit.heading !== undefined) drawing.show(hit.heading, "heading", hit.score);
    drawing.show(hit.held, hit.match ? "match" : "context", hit.score);
    if (hit.match) shownFolders.set(topFolder(hit.file.path), (shownFolders.get(topFolder(hit.file.path)) ?? 0) + 1);
    const next = ordered[index + 1];
    if (next !== undefined && next.file !== hit.file) {
      const rest = restOf(hit.file, shownOfFile);
      if (rest !== undefined) drawing.note(`${OPEN} ${rest} …`);
    }
  });
  const last = ordered.at(-1);
  const rest = last === undefined ? undefined : restOf(last.file, shownOfFile);
  const left = renderFolders(totals.folders, shownFolders, 12);
  const closing = [rest, left === undefined ? undefined : `not shown: ${left}`].filter((part) => part !== undefined);
  if (closing.length > 0) drawing.note(`${OPEN} ${closing.join("; ")} …`);
  return drawing.finish();
}

/** "7 more of it: lines 12-60", which are lines of the results. */
function restOf(file: HitFile, shown: ReadonlyMap<HitFile, number>): string | undefined {
  const left = file.matches - (shown.get(file) ?? 0);
  if (left <= 0) return undefined;
  return `${formatCount(left)} more of it: ${formatLineRange(file.firstLine, file.lastLine)}`;
}
