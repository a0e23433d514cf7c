import { formatPatch, structuredPatch } from "diff";

/** A longer diff is left out; the file itself can be read. */
const DIFF_MAX_LINES = 400;
const DIFF_MAX_CHARS = 16_000;
/** Texts that differ in more lines than this are not compared. */
const MAX_EDIT_LENGTH = 4000;
/** Nor are those whose comparison would hold up everything else. */
const COMPARE_MS = 500;

export interface TextDiff {
  /** Unified diff; undefined when it would be too long. */
  readonly patch: string | undefined;
  readonly added: number;
  readonly removed: number;
}

/** What a change does to a text, as a unified diff and in numbers. */
export function diffText(path: string, before: string, after: string): TextDiff {
  const options = { context: 3, maxEditLength: MAX_EDIT_LENGTH, timeout: COMPARE_MS };
  const structured = structuredPatch(path, path, before, after, undefined, undefined, options);
  if (structured === undefined) return { patch: undefined, added: countLines(after), removed: countLines(before) };
  const lines = structured.hunks.flatMap((hunk) => hunk.lines);
  const added = lines.filter((line) => line.startsWith("+")).length;
  const removed = lines.filter((line) => line.startsWith("-")).length;
  const chars = lines.reduce((sum, line) => sum + line.length + 1, 0);
  if (lines.length > DIFF_MAX_LINES || chars > DIFF_MAX_CHARS) return { patch: undefined, added, removed };
  return { patch: formatPatch(structured).replace(/^Index: .*?\n=+\n/s, ""), added, removed };
}

function countLines(text: string): number {
  return text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}
