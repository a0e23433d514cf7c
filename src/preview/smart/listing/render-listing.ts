import { LineDrawing } from "../../lines/line-drawing.ts";
import { renderFolders, topFolder } from "../../lines/top-folder.ts";
import { HEADING, OPEN } from "../../mark.ts";
import { formatCount } from "../../omission.ts";
import type { Selection } from "../analyzer.ts";
import type { HeldEntry } from "./listing-ranking.ts";

/** The chosen entries in the order of the listing, then what is left out, by folder. */
export function renderListing(
  chosen: readonly HeldEntry[],
  entries: number,
  folders: ReadonlyMap<string, number>,
  lineChars: number,
): Selection {
  const drawing = new LineDrawing({ lineChars });
  const shown = new Map<string, number>();
  const noun = entries === 1 ? "entry" : "entries";
  drawing.note(`${HEADING}listing: ${formatCount(entries)} ${noun}; ${formatCount(chosen.length)} shown]`);
  for (const entry of [...chosen].sort((a, b) => a.held.line - b.held.line)) {
    drawing.show(entry.held, "entry", entry.score);
    const folder = topFolder(entry.path);
    shown.set(folder, (shown.get(folder) ?? 0) + 1);
  }
  const left = renderFolders(folders, shown, 16);
  if (left !== undefined) drawing.note(`${OPEN} ${formatCount(entries - chosen.length)} more not shown: ${left} …`);
  return drawing.finish();
}
