import { ToolFailure } from "../protocol/tool-failure.ts";
import type { GrepCollector } from "./grep-collector.ts";
import { readEvents } from "./grep-events.ts";
import { GREP_LINE_BYTES } from "./grep-text.ts";
import { runRipgrep } from "./ripgrep.ts";

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

/** Takes what ripgrep prints, in any chunks. */
export interface RipgrepOutput {
  readonly push: (chunk: Buffer) => void;
  /** What was found but cannot be shown. */
  readonly failed: readonly string[];
}

/** With multiline, ripgrep holds a file whole; larger ones are searched only when they are named. */
const MULTILINE_FILE_BYTES = 256 << 20;

const LINE_FLAGS = [
  "--line-number",
  "--column",
  "--byte-offset",
  "--null",
  "--no-heading",
  "--with-filename",
  "--color=never",
  `--max-columns=${GREP_LINE_BYTES}`,
  "--max-columns-preview",
];

/** Searches with ripgrep; gives the items that it could not search. */
export async function searchWithRipgrep(search: RipgrepSearch, collector: GrepCollector): Promise<string[]> {
  const flags = [
    "--engine=auto",
    "--crlf",
    ...(search.ignoreCase ? ["--ignore-case"] : []),
    ...(search.multiline ? ["--multiline", "--multiline-dotall"] : []),
  ];
  const args = [
    ...flags,
    ...(search.multiline ? ["--json"] : LINE_FLAGS),
    ...(search.multiline && search.sharedFd === undefined ? [`--max-filesize=${MULTILINE_FILE_BYTES}`] : []),
    "--path-separator=/",
    "--no-require-git",
    `--context=${search.showContext}`,
    ...(search.everything ? ["--no-ignore"] : []),
    ...search.filterArgs,
    `--regexp=${search.pattern}`,
    "--",
    search.target,
  ];
  const output = search.multiline ? readEvents(search, collector) : readLines(search, collector);
  const { program, cwd, signal, sharedFd } = search;
  const end = await runRipgrep({ program, args, cwd, signal, sharedFd, onChunk: output.push });
  if (end.exitCode !== 2) return [...output.failed];
  if (collector.totalMatches === 0) {
    const probe = await runRipgrep({
      program,
      args: [...flags, `--regexp=${search.pattern}`, "-"],
      cwd,
      input: "",
      signal,
    });
    if (probe.exitCode === 2) {
      const [, reason = probe.complaints] = /^error: (.+)$/m.exec(probe.complaints) ?? [];
      throw new ToolFailure("INVALID_PARAM", `The pattern is not a valid regular expression: ${reason}.`, {
        next: "Correct the pattern; write \\( for a literal parenthesis.",
      });
    }
  }
  return [...output.failed, ...end.complaints.split("\n").filter((line) => line !== "")];
}

const COLON = 0x3a;
const ZERO = 0x30;
const CARRIAGE_RETURN = 0x0d;

function readLines(search: RipgrepSearch, collector: GrepCollector): RipgrepOutput {
  const read = lineReader(search, collector);
  let rest = "";
  // One character per byte: splitting a string is several times faster than splitting a buffer.
  const push = (chunk: Buffer) => {
    const text = rest + chunk.toString("latin1");
    let start = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
      read(text, start, end);
      start = end + 1;
    }
    rest = text.slice(start);
  };
  return { push, failed: [] };
}

/** Reads lines such as `path NUL line:column:offset:text` (a match) and `path NUL line-offset-text` (context). */
function lineReader(search: RipgrepSearch, collector: GrepCollector) {
  const countOnly = search.showContext === 0;
  let printed: string | undefined;
  let accepted = false;
  let entry: ReturnType<GrepCollector["begin"]>;
  return (text: string, start: number, end: number): void => {
    const pathEnd = text.indexOf("\0", start);
    if (pathEnd === -1 || pathEnd >= end) return; // a separator of groups, or a notice about a binary file
    if (printed === undefined || pathEnd - start !== printed.length || !text.startsWith(printed, start)) {
      printed = text.slice(start, pathEnd);
      const file = search.nameOf(utf8(printed));
      accepted = search.accepts(file);
      entry = accepted ? collector.begin(file) : undefined;
      if (accepted) collector.totalFiles++;
    }
    if (!accepted) return;
    if (entry === undefined && countOnly) {
      collector.totalMatches++;
      return;
    }
    const [line, lineEnd] = readNumber(text, pathEnd + 1);
    const isMatch = text.charCodeAt(lineEnd) === COLON;
    if (isMatch) collector.totalMatches++;
    if (entry === undefined) return;
    const textEnd = text.charCodeAt(end - 1) === CARRIAGE_RETURN ? end - 1 : end;
    if (!isMatch) {
      const [, offsetEnd] = readNumber(text, lineEnd + 1);
      collector.addContext(entry, line, utf8(text.slice(offsetEnd + 1, textEnd)));
      return;
    }
    const [column, columnEnd] = readNumber(text, lineEnd + 1);
    const [offset, offsetEnd] = readNumber(text, columnEnd + 1);
    const matchByte = offset + column - 1;
    collector.add(entry, { line, matchByte, text: utf8(text.slice(offsetEnd + 1, textEnd)) });
  };
}

function readNumber(text: string, start: number): [value: number, end: number] {
  let value = 0;
  let at = start;
  for (; at < text.length; at++) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9) break;
    value = value * 10 + digit;
  }
  return [value, at];
}

function utf8(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString();
}
