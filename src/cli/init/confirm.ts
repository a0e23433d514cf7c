import { createInterface } from "node:readline/promises";
import { structuredPatch } from "diff";
import { invalidArgument } from "../../errors.ts";
import type { FileChange } from "./plan.ts";

/** Asks on the terminal. Without a terminal it throws, because nothing is done unasked. */
export async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw invalidArgument(`${question}? There is no terminal to ask on; use --yes to go ahead.`);
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question}? [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}

/** Indents each line that is not empty. */
export function indentLines(text: string, indent: string): string {
  return text.replaceAll(/^(?=.)/gm, indent);
}

/** Tells the user what was done, or would be. */
export function say(message: string): void {
  process.stdout.write(`${message}\n`);
}

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
