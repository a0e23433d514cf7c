import { closeSync } from "node:fs";
import { type RipgrepSink, runRipgrep, sharedFile } from "../../process/ripgrep.ts";
import type { FileWitness, GrepCollector } from "./collector.ts";
import { GREP_LINE_BYTES } from "./collector.ts";
import { readEvents } from "./read-events.ts";
import { invalidPattern, SearchedFile } from "./searched-file.ts";

/** A search, independent of the searcher. */
export interface GrepSearch {
  readonly pattern: string;
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly showContext: number;
  readonly signal: AbortSignal;
}

export interface RipgrepSearch extends GrepSearch {
  readonly program: string;
  readonly filterArgs: readonly string[];
  readonly accepts: (file: string) => boolean;
  /** Working directory of the search. */
  readonly cwd: string;
  /** Paths to search, relative to `cwd` or absolute. */
  readonly targets: readonly string[];
  /** Open files to share with ripgrep, which `targets` names as `sharedFile(at)`. */
  readonly sharedFds?: readonly number[] | undefined;
  /** Verifies matches found by path; matches in a shared descriptor need no check. */
  readonly witness?: FileWitness | undefined;
  /** Whether a name in ripgrep's errors is below the searched directory. */
  readonly hasName?: ((printed: string) => boolean) | undefined;
  /** True for the artifact folder, which .gitignore leaves out; it was named, so it is searched. */
  readonly everything: boolean;
  /** Turns a path as ripgrep prints it into one relative to the root. */
  readonly nameOf: (printed: string) => string;
}

/** Collects the matches from ripgrep's output. */
export interface RipgrepOutput extends RipgrepSink {
  readonly file: Pick<SearchedFile, "failed" | "unsure">;
}

/** With multiline, ripgrep holds a file whole; larger ones are searched only when they are named. */
const MULTILINE_FILE_BYTES = 256 << 20;

/** Files that are searched by one process when each has to be handed over open. */
const DESCRIPTORS_AT_ONCE = 64;
/** ripgrep's suffix for lines that are too long. */
const CUT_MARK = / \[\.\.\. (?:\d+ more match(?:es)?|omitted end of long (?:matching )?line)\]$/;

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
    ...(search.multiline && search.sharedFds === undefined ? [`--max-filesize=${MULTILINE_FILE_BYTES}`] : []),
    "--path-separator=/",
    "--no-require-git",
    `--context=${search.showContext}`,
    ...(search.everything ? ["--no-ignore"] : []),
    ...search.filterArgs,
    `--regexp=${search.pattern}`,
    "--",
    ...search.targets,
  ];
  const output = search.multiline ? readEvents(search, collector) : readLines(search, collector);
  const { program, cwd, signal, sharedFds } = search;
  const end = await runRipgrep({ program, args, cwd, signal, sharedFds }, output).finally(() => search.witness?.end());
  const failed = [...output.file.failed, ...(await searchAgain(search, output.file.unsure, collector))];
  if (end.exitCode !== 2) return failed;
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
      throw invalidPattern(reason);
    }
  }
  const complaints = end.complaints.split("\n").filter((line) => line !== "");
  return [...failed, ...complaints.filter((line) => isAboutOurs(search, line))];
}

/** An error names the path that ripgrep reached, possibly through a link. */
function isAboutOurs({ hasName }: RipgrepSearch, complaint: string): boolean {
  const [, name] = /^rg: (?:\.\/)?(.*?): /.exec(complaint) ?? [];
  return hasName === undefined || (name !== undefined && (name === "." || hasName(name)));
}

/** Searches files by descriptor: the file behind one does not change. */
async function searchAgain(
  search: RipgrepSearch,
  files: readonly string[],
  collector: GrepCollector,
): Promise<readonly string[]> {
  const { witness } = search;
  if (witness === undefined || files.length === 0) return [];
  const failed: string[] = [];
  for (let at = 0; at < files.length && !search.signal.aborted; at += DESCRIPTORS_AT_ONCE) {
    const opened = files.slice(at, at + DESCRIPTORS_AT_ONCE).flatMap((file) => {
      const fd = witness.open(file);
      if (fd === undefined && file.includes(REPLACEMENT)) failed.push(`${file}: its name is not UTF-8`);
      return fd === undefined ? [] : [{ file, fd }];
    });
    if (opened.length === 0) continue;
    const names = new Map(opened.map(({ file }, index) => [sharedFile(index), file]));
    const again = {
      ...search,
      // The child has other descriptors than we have, and a directory that is named by one would not be found.
      cwd: "/",
      filterArgs: [],
      targets: [...names.keys()],
      sharedFds: opened.map(({ fd }) => fd),
      witness: undefined,
      hasName: undefined,
      nameOf: (printed: string) => names.get(printed) ?? printed,
    };
    try {
      failed.push(...(await searchWithRipgrep(again, collector)));
    } finally {
      for (const { fd } of opened) closeSync(fd);
    }
  }
  return failed;
}

/** Replaces bytes of a name that are not valid text. */
const REPLACEMENT = "\ufffd";
const COLON = 0x3a;
const ZERO = 0x30;
const CARRIAGE_RETURN = 0x0d;

function readLines(search: RipgrepSearch, collector: GrepCollector): RipgrepOutput {
  const file = new SearchedFile(search, collector);
  const read = lineReader(search, collector, file);
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
  return { file, push };
}

/** Reads lines such as `path NUL line:column:offset:text` (a match) and `path NUL line-offset-text` (context). */
function lineReader({ witness, showContext }: RipgrepSearch, collector: GrepCollector, file: SearchedFile) {
  const countOnly = showContext === 0;
  let printed: string | undefined;
  /** The lines that a path with newlines in it began with. */
  let head = "";
  return (text: string, start: number, end: number): void => {
    const pathEnd = text.indexOf("\0", start);
    if (pathEnd === -1 || pathEnd >= end) {
      head = beginOfPath(head, text.slice(start, end));
      return;
    }
    if (
      head !== "" ||
      printed === undefined ||
      pathEnd - start !== printed.length ||
      !text.startsWith(printed, start)
    ) {
      const path = head + text.slice(start, pathEnd);
      head = "";
      if (path !== printed) file.open(utf8(path));
      printed = path;
    }
    if (!file.accepted) return;
    if (file.begun && file.entry === undefined && countOnly) {
      collector.totalMatches++;
      return;
    }
    const [line, lineEnd] = readNumber(text, pathEnd + 1);
    const isMatch = text.charCodeAt(lineEnd) === COLON;
    const [column, columnEnd] = isMatch ? readNumber(text, lineEnd + 1) : [0, lineEnd];
    const [offset, offsetEnd] = readNumber(text, columnEnd + 1);
    const textEnd = text.charCodeAt(end - 1) === CARRIAGE_RETURN ? end - 1 : end;
    const shown = text.slice(offsetEnd + 1, textEnd);
    if (witness !== undefined && (!file.begun || file.entry !== undefined) && !confirms(witness, offset, shown))
      file.doubt();
    if (!file.accepted) return;
    file.begin();
    const { entry } = file;
    if (isMatch) collector.totalMatches++;
    if (entry === undefined) return;
    if (isMatch) collector.add(entry, { line, matchByte: offset + column - 1, text: utf8(shown) });
    else collector.addContext(entry, line, utf8(shown));
  };
}

/** A line without the end of a path: a separator of groups, a notice about a binary file, or a part of the path. */
function beginOfPath(head: string, line: string): string {
  const isPath = line.startsWith("./") ? !BINARY_NOTICE.test(line) : head !== "";
  return isPath ? `${head}${line}\n` : "";
}

const BINARY_NOTICE = /: binary file matches \(found /;

/** Whether the file has this line, given as one character per byte, or the beginning of it that is shown. */
function confirms(witness: FileWitness, offset: number, shown: string): boolean {
  const bytes = (text: string) => Buffer.from(text, "latin1");
  if (witness.confirms(offset, bytes(shown))) return true;
  return CUT_MARK.test(shown) && witness.confirms(offset, bytes(shown.replace(CUT_MARK, "")));
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
