import { formatCount } from "../../omission.ts";
import type { Selection } from "../analyzer.ts";
import { PieceList, showLine } from "../lines/held-line.ts";
import { renderFolders, topFolder } from "../lines/top-folder.ts";
import type { HeldEntry } from "./listing-ranking.ts";

/** The chosen entries in the order of the listing, then what is left out, by folder. */
export function renderListing(
  chosen: readonly HeldEntry[],
  entries: number,
  folders: ReadonlyMap<string, number>,
  lineChars: number,
): Selection {
  const pieces = new PieceList();
  const shown = new Map<string, number>();
  const noun = entries === 1 ? "entry" : "entries";
  const text = [`[listing: ${formatCount(entries)} ${noun}; ${formatCount(chosen.length)} shown]`];
  for (const entry of [...chosen].sort((a, b) => a.held.line - b.held.line)) {
    const line = showLine(entry.held, lineChars);
    text.push(line.text);
    pieces.add(line, "entry", entry.score);
    const folder = topFolder(entry.path);
    shown.set(folder, (shown.get(folder) ?? 0) + 1);
  }
  const left = renderFolders(folders, shown, 16);
  if (left !== undefined) text.push(`… ${formatCount(entries - chosen.length)} more not shown: ${left} …`);
  return { text: text.join("\n"), pieces: pieces.pieces };
}
