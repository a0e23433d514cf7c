import { ToolFailure } from "../protocol/tool-failure.ts";
import type { GrepCollector } from "./grep-collector.ts";
import { runRipgrep, splitRecords } from "./ripgrep.ts";

/** Longest line that is shown whole, in bytes; of a longer one the part around the match. */
export const GREP_LINE_BYTES = 1000;

export interface RipgrepSearch {
  readonly program: string;
  readonly pattern: string;
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly showContext: number;
  readonly filterArgs: readonly string[];
  readonly accepts: (file: string) => boolean;
  /** Working directory of the search. */
  readonly cwd: string;
  /** What to search, relative to `cwd` or absolute. */
  readonly target: string;
  /** An open file to share with ripgrep, when `target` is `SHARED_FILE`. */
  readonly sharedFd?: number | undefined;
  /** True for the artifact folder, which .gitignore leaves out; it was named, so it is searched. */
  readonly everything: boolean;
  /** Turns a path as ripgrep prints it into one relative to the root. */
  readonly nameOf: (printed: string) => string;
  readonly signal: AbortSignal;
}

/** Searches with ripgrep; gives the items that it could not search. */
export async function searchWithRipgrep(search: RipgrepSearch, collector: GrepCollector): Promise<string[]> {
  const flags = [
    "--engine=auto",
    ...(search.ignoreCase ? ["--ignore-case"] : []),
    ...(search.multiline ? ["--multiline", "--multiline-dotall"] : []),
  ];
  const args = [
    ...flags,
    "--line-number",
    "--column",
    "--byte-offset",
    "--null",
    "--no-heading",
    "--with-filename",
    "--color=never",
    "--path-separator=/",
    "--no-require-git",
    `--max-columns=${GREP_LINE_BYTES}`,
    "--max-columns-preview",
    `--context=${search.showContext}`,
    ...(search.everything ? ["--no-ignore"] : []),
    ...search.filterArgs,
    `--regexp=${search.pattern}`,
    "--",
    search.target,
  ];
  const records = splitRecords(10, recordReader(search, collector));
  const { program, cwd, signal, sharedFd } = search;
  const end = await runRipgrep({ program, args, cwd, signal, sharedFd, onChunk: (chunk) => records.push(chunk) });
  records.end();
  if (end.exitCode !== 2) return [];
  if (collector.totalMatches === 0) {
    const probe = await runRipgrep({
      program,
      args: [...flags, `--regexp=${search.pattern}`, "-"],
      cwd,
      input: "",
      signal,
    });
    if (probe.exitCode === 2) {
      throw new ToolFailure("INVALID_PARAM", `The pattern is not a valid regular expression: ${probe.complaints}`, {
        next: "Correct the pattern; write \\( for a literal parenthesis.",
      });
    }
  }
  return end.complaints.split("\n").filter((line) => line !== "");
}

const COLON = 0x3a;
const ZERO = 0x30;

/** Reads lines such as `path NUL line:column:offset:text` (a match) and `path NUL line-offset-text` (context). */
function recordReader(search: RipgrepSearch, collector: GrepCollector): (record: Buffer) => void {
  let printed: Buffer | undefined;
  let accepted = false;
  let entry: ReturnType<GrepCollector["begin"]>;
  return (record) => {
    const pathEnd = record.indexOf(0);
    if (pathEnd === -1) return; // a separator of groups, or a notice about a binary file
    if (printed === undefined || printed.length !== pathEnd || printed.compare(record, 0, pathEnd) !== 0) {
      printed = Buffer.from(record.subarray(0, pathEnd));
      const file = search.nameOf(printed.toString());
      accepted = search.accepts(file);
      entry = accepted ? collector.begin(file) : undefined;
      if (accepted) collector.totalFiles++;
    }
    if (!accepted) return;
    const [line, lineEnd] = readNumber(record, pathEnd + 1);
    const isMatch = record[lineEnd] === COLON;
    if (isMatch) collector.totalMatches++;
    if (entry === undefined) return;
    if (!isMatch) {
      const [, offsetEnd] = readNumber(record, lineEnd + 1);
      collector.addContext(entry, line, lineText(record, offsetEnd + 1));
      return;
    }
    const [column, columnEnd] = readNumber(record, lineEnd + 1);
    const [offset, offsetEnd] = readNumber(record, columnEnd + 1);
    collector.add(entry, { line, matchByte: offset + column - 1, text: lineText(record, offsetEnd + 1) });
  };
}

function readNumber(bytes: Buffer, start: number): [value: number, end: number] {
  let value = 0;
  let at = start;
  for (; at < bytes.length; at++) {
    const digit = (bytes[at] as number) - ZERO;
    if (digit < 0 || digit > 9) break;
    value = value * 10 + digit;
  }
  return [value, at];
}

function lineText(record: Buffer, start: number): string {
  const end = record.at(-1) === 13 ? record.length - 1 : record.length;
  return record.toString("utf8", start, end);
}
