import { structuredPatch } from "diff";
import { indentLines } from "./confirm.ts";
import type { FileChange } from "./plan.ts";

/** Lines of a file of ours are not shown one by one. */
const MOST_LINES = 60;

/** The lines of a file that change, as a diff without context: the rest of a settings file may hold secrets. */
export function diffOf({ before = "", after = "" }: FileChange): string {
  const { hunks } = structuredPatch("", "", before, after, "", "", { context: 0 });
  const lines = hunks
    .flatMap((hunk) => hunk.lines)
    .filter((line) => !line.startsWith("\\"))
    .map((line) => line.trimEnd());
  if (lines.length <= MOST_LINES) return indentLines(lines.join("\n"), "    ");
  const added = lines.filter((line) => line.startsWith("+")).length;
  return `    ${added} lines added, ${lines.length - added} removed`;
}

/** What to put into files by hand, for people whose files another tool manages. */
export function byHand(changes: readonly FileChange[], short: (text: string) => string): string {
  const parts = changes.map(({ file, alone, after, what }) => {
    const text = alone ?? after;
    return text === undefined
      ? `Remove ${short(file)}.`
      : `Add to ${short(file)} (${what}):\n\n${indentLines(text.trimEnd(), "  ")}`;
  });
  return parts.join("\n\n");
}
