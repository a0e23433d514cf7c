import { spawn } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { SpillwayError } from "../../errors.ts";
import { HIT_TEXT_CHARS, type Hit } from "./hit.ts";

const LINE_CHARS = 4096;
const STDERR_CHARS = 2000;
let found: Promise<string | undefined> | undefined;

/** The ripgrep that ships with the package; undefined where there is none for this platform. */
export function ripgrepPath(): Promise<string | undefined> {
  found ??= import("@vscode/ripgrep")
    .then(async ({ rgPath }) => {
      await access(rgPath, constants.X_OK);
      return rgPath;
    })
    .catch(() => undefined);
  return found;
}

export interface RipgrepRequest {
  readonly patterns: readonly string[];
  readonly fixedStrings: boolean;
  readonly ignoreCase: boolean;
  /** What to search, seen from `cwd`; "." for the folder itself. */
  readonly target: string;
  readonly cwd: string;
  /** Searches what `.gitignore` hides too. @default false */
  readonly noIgnore?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Every match of the patterns, in batches as ripgrep finds them. Rejects for a pattern that it does not accept. */
export async function* ripgrepHits(rgPath: string, request: RipgrepRequest): AsyncIterable<readonly Hit[]> {
  const folder = request.target === ".";
  const args = [
    "--no-config",
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
  for await (const lines of ripgrepLines(rgPath, args, request.cwd, request.signal)) {
    yield lines.flatMap((line) => parseHit(line, folder) ?? []);
  }
}

async function* ripgrepLines(
  rgPath: string,
  args: readonly string[],
  cwd: string,
  signal?: AbortSignal,
): AsyncIterable<string[]> {
  const child = spawn(rgPath, args, { cwd, stdio: ["ignore", "pipe", "pipe"], ...(signal ? { signal } : {}) });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    if (stderr.length < STDERR_CHARS) stderr += text;
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  ended.catch(() => {});
  try {
    let rest = "";
    // One character per byte: nothing is split, and long matches are cut before they are decoded.
    for await (const chunk of child.stdout.setEncoding("latin1") as AsyncIterable<string>) {
      const lines = (rest + chunk).split("\n");
      rest = (lines.pop() as string).slice(0, LINE_CHARS);
      yield lines;
    }
    const code = await ended;
    if (code !== 0 && code !== 1) throw ripgrepFailed(stderr, code);
  } finally {
    child.kill();
  }
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

function ripgrepFailed(stderr: string, code: number | null): SpillwayError {
  const reason = stderr.trim().replaceAll(/\s*\n\s*/g, " ") || `ripgrep ended with ${code ?? "a signal"}`;
  return new SpillwayError("INVALID_ARGUMENT", `the pattern cannot be searched: ${reason}`);
}

function fromLatin1(text: string): string {
  return /^[\x00-\x7f]*$/.test(text) ? text : Buffer.from(text, "latin1").toString("utf8");
}
