import { type RipgrepEnd, streamRipgrep } from "../../process/ripgrep.ts";
import { wrongPattern } from "./bounded-regex.ts";

/** One place where a pattern matches. */
export interface Hit {
  /** Relative to the folder that was searched; empty when one file was. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly startByte: number;
  /** The matched text, at most 200 characters. */
  readonly text: string;
}

export const HIT_TEXT_CHARS = 200;

const LINE_CHARS = 4096;
export interface RipgrepRequest {
  readonly patterns: readonly string[];
  readonly fixedStrings: boolean;
  readonly ignoreCase: boolean;
  /** Paths to search, relative to `cwd`; "." is the folder itself. */
  readonly target: string;
  readonly cwd: string;
  /** Searches what `.gitignore` hides too. @default false */
  readonly noIgnore?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Every match of the patterns, in batches as ripgrep finds them. Rejects for a pattern that it does not accept. */
export async function* ripgrepHits(program: string, request: RipgrepRequest): AsyncIterable<readonly Hit[]> {
  const folder = request.target === ".";
  const args = [
    "--only-matching",
    "--byte-offset",
    "--line-number",
    "--no-heading",
    "--color=never",
    "--no-messages",
    ...(folder ? ["--null", "--with-filename", "--no-require-git"] : ["--text", "--encoding=none", "--no-filename"]),
    ...(request.noIgnore === true ? ["--no-ignore"] : []),
    ...(request.ignoreCase ? ["--ignore-case"] : ["--case-sensitive"]),
    ...(request.fixedStrings ? ["--fixed-strings"] : []),
    ...request.patterns.flatMap((pattern) => ["--regexp", pattern]),
    "--",
    folder ? "." : request.target,
  ];
  for await (const lines of ripgrepLines(program, args, request.cwd, request.signal)) {
    yield lines.flatMap((line) => parseHit(line, folder) ?? []);
  }
}

async function* ripgrepLines(
  program: string,
  args: readonly string[],
  cwd: string,
  signal?: AbortSignal,
): AsyncIterable<string[]> {
  const output = streamRipgrep({ program, args, cwd, signal });
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await output.next();
      if (done === true) return checkEnd(value, signal);
      // One character per byte: nothing is split, and long matches are cut before they are decoded.
      const lines = (rest + value.toString("latin1")).split("\n");
      rest = (lines.pop() as string).slice(0, LINE_CHARS);
      yield lines;
    }
  } finally {
    await output.return({ exitCode: null, complaints: "" });
  }
}

function checkEnd({ exitCode, complaints }: RipgrepEnd, signal: AbortSignal | undefined): void {
  signal?.throwIfAborted();
  if (exitCode === 0 || exitCode === 1) return;
  const reason = complaints.replaceAll(/\s*\n\s*/g, " ") || `ripgrep ended with ${exitCode ?? "a signal"}`;
  throw wrongPattern(/.*\berror: (.*?)(?: Consider enabling .*)?$/.exec(reason)?.[1] ?? reason);
}

function parseHit(line: string, folder: boolean): Hit | undefined {
  const pathEnd = folder ? line.indexOf("\0") : -1;
  const lineEnd = line.indexOf(":", pathEnd + 1);
  const byteEnd = line.indexOf(":", lineEnd + 1);
  const lineNumber = Number(line.slice(pathEnd + 1, lineEnd));
  const startByte = Number(line.slice(lineEnd + 1, byteEnd));
  if (byteEnd === -1 || !Number.isSafeInteger(lineNumber) || !Number.isSafeInteger(startByte)) return undefined;
  const path = folder ? fromLatin1(line.slice(0, pathEnd)).replace(/^\.[\\/]/, "") : "";
  return { path, line: lineNumber, startByte, text: fromLatin1(line.slice(byteEnd + 1, byteEnd + 1 + HIT_TEXT_CHARS)) };
}

function fromLatin1(text: string): string {
  return /^[\x00-\x7f]*$/.test(text) ? text : Buffer.from(text, "latin1").toString("utf8");
}
