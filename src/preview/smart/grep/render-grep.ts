import { showLine } from "../../lines/held-line.ts";
import { renderFolders, topFolder } from "../../lines/top-folder.ts";
import { HEADING, OPEN, OPEN_SHORT } from "../../mark.ts";
import { formatCount, formatLineRange, formatPlural } from "../../omission.ts";
import { makeSelection, type Piece } from "../../pieces.ts";
import type { Selection } from "../analyzer.ts";
import type { HeldHit, HitFile } from "./grep-ranking.ts";

/** Counts of all results. */
interface GrepTotals {
  readonly matches: number;
  readonly files: number;
  /** Matches by the first folders of their paths. */
  readonly folders: ReadonlyMap<string, number>;
  /** Lines that answer the question; these stand as the results have them. */
  readonly answered: ReadonlySet<number>;
}

/** Hits that stand below one name of their file. */
interface FileGroup {
  readonly file: HitFile;
  readonly heading: HeldHit["heading"];
  readonly hits: HeldHit[];
}

/** The chosen lines in the order of the results, each file named once; counts stand where matches of a file are left out. */
export function renderGrep(chosen: readonly HeldHit[], totals: GrepTotals, lineChars: number): Selection {
  const pieces: Piece[] = [];
  const text: string[] = [];
  const show = (held: HeldHit["held"], reason: string, score: number): string => {
    const { text: line, regions } = showLine(held, lineChars);
    for (const { start, end } of regions) {
      const { line, byte, char, inLine } = start;
      pieces.push({ start: { line, byte, char, inLine }, end, reason, score });
    }
    return line;
  };
  const shown = chosen.filter((hit) => hit.match).length;
  const noun = totals.matches === 1 ? "match" : "matches";
  const found = `${formatCount(totals.matches)} ${noun} in ${formatPlural(totals.files, "file")}`;
  text.push(`${HEADING}search results: ${found}; ${formatCount(shown)} shown]`);
  const shownFolders = new Map<string, number>();
  const shownOfFile = new Map<HitFile, number>();
  for (const { match, file } of chosen) {
    if (!match) continue;
    shownOfFile.set(file, (shownOfFile.get(file) ?? 0) + 1);
    shownFolders.set(topFolder(file.path), (shownFolders.get(topFolder(file.path)) ?? 0) + 1);
  }
  const counted = new Set<HitFile>();
  for (const { file, heading, hits } of groupByFile(chosen)) {
    const left = counted.has(file) ? 0 : file.matches - (shownOfFile.get(file) ?? 0);
    counted.add(file);
    const rest =
      left > 0 ? ` ${OPEN_SHORT} ${formatCount(left)} more: ${formatLineRange(file.firstLine, file.lastLine)} …` : "";
    const named = heading === undefined && file.path !== "" && (hits.length > 1 || left > 0);
    if (heading !== undefined) text.push(show(heading, "heading", hits[0]?.score ?? 0) + rest);
    else if (rest !== "" || (named && hits.every(isNumbered))) text.push(file.path + rest);
    for (const hit of hits) {
      const line = show(hit.held, hit.match ? "match" : "context", hit.score);
      const bare = named && isNumbered(hit) && !totals.answered.has(hit.held.line) && line.startsWith(file.path);
      text.push(bare ? line.slice(file.path.length + 1) : line);
    }
  }
  const left = renderFolders(totals.folders, shownFolders, 12);
  if (left !== undefined) text.push(`${OPEN} not shown: ${left} …`);
  return makeSelection(text.join("\n"), pieces);
}

function isNumbered({ number }: HeldHit): boolean {
  return number > 0;
}

function groupByFile(chosen: readonly HeldHit[]): FileGroup[] {
  const groups: FileGroup[] = [];
  for (const hit of [...chosen].sort((a, b) => a.held.line - b.held.line)) {
    const last = groups.at(-1);
    if (last !== undefined && last.file === hit.file && last.heading === hit.heading) last.hits.push(hit);
    else groups.push({ file: hit.file, heading: hit.heading, hits: [hit] });
  }
  return groups;
}
