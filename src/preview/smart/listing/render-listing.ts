import type { HeldLine } from "../../lines/held-line.ts";
import { showLine } from "../../lines/held-line.ts";
import { renderFolders, topFolder } from "../../lines/top-folder.ts";
import { HEADING, OPEN } from "../../mark.ts";
import { formatCount } from "../../omission.ts";
import { makeSelection, type Piece } from "../../pieces.ts";
import type { Selection } from "../analyzer.ts";
import type { HeldEntry } from "./listing-ranking.ts";

const ROW_CHARS = 100;

/** The chosen entries below their folders, in the order of the listing, then what is left out, by folder. */
export function renderListing(
  chosen: readonly HeldEntry[],
  entries: number,
  folders: ReadonlyMap<string, number>,
  lineChars: number,
): Selection {
  const pieces: Piece[] = [];
  const shown = new Map<string, number>();
  const noun = entries === 1 ? "entry" : "entries";
  const text = [`${HEADING}listing: ${formatCount(entries)} ${noun}; ${formatCount(chosen.length)} shown]`];
  const show = (held: HeldLine, score: number): string => {
    const { text: line, regions } = showLine(held, lineChars);
    for (const { start, end } of regions) {
      const { line, byte, char, inLine } = start;
      pieces.push({ start: { line, byte, char, inLine }, end, reason: "entry", score });
    }
    return line;
  };
  for (const { heading, prefix, members } of groupByFolder(chosen)) {
    const single = members.length === 1 && heading === undefined && members[0]?.told !== true;
    if (heading !== undefined) text.push(show(heading, 0));
    else if (prefix !== undefined && !single) text.push(prefix === "" ? "./" : prefix);
    let row = "";
    for (const entry of members) {
      const folder = topFolder(entry.path);
      shown.set(folder, (shown.get(folder) ?? 0) + 1);
      if (entry.held === heading) continue;
      const line = show(entry.held, entry.score);
      if (prefix === undefined || single) {
        text.push(line);
        continue;
      }
      const alone = /[\s,]/.test(entry.name);
      if (row !== "" && (alone || row.length + entry.name.length > ROW_CHARS)) {
        text.push(row);
        row = "";
      }
      if (alone) text.push(` ${entry.name}`);
      else row += ` ${entry.name}`;
    }
    if (row !== "") text.push(row);
  }
  const left = renderFolders(folders, shown, 16);
  if (left !== undefined) text.push(`${OPEN} ${formatCount(entries - chosen.length)} more not shown: ${left} …`);
  return makeSelection(text.join("\n"), pieces);
}

interface Group {
  /** The line of the listing that names the folder. */
  readonly heading: HeldLine | undefined;
  /** What the names stand below; undefined for lines that stand as they are. */
  readonly prefix: string | undefined;
  readonly members: HeldEntry[];
}

function groupByFolder(chosen: readonly HeldEntry[]): Iterable<Group> {
  const groups = new Map<string, Group>();
  for (const entry of [...chosen].sort((a, b) => a.held.line - b.held.line)) {
    const { heading, prefix } = entry;
    const key = groupKey(entry);
    const group = groups.get(key) ?? { heading, prefix, members: [] };
    group.members.push(entry);
    groups.set(key, group);
  }
  return groups.values();
}

/** What entries that are shown together have in common. */
export function groupKey({ heading, prefix, held }: HeldEntry): string {
  return heading === undefined ? (prefix ?? `\n${held.line}`) : `${heading.line}\n${prefix ?? ""}`;
}
