import { type Dirent, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { setImmediate as yieldToOthers } from "node:timers/promises";
import type { Ignore } from "ignore";
import ignore from "ignore";
import { findRipgrep, runRipgrep } from "../../process/ripgrep.ts";
import { ToolFailure } from "../../protocol/builder.ts";
import type { ToolRun } from "../registry/tool-run.ts";
import { DirectoryWitness, directoryPath, type SandboxedHandle } from "../sandbox/sandbox.ts";

export interface ListFilesOptions {
  /** Include names that start with a dot. @default false */
  readonly hidden?: boolean;
  /** Which paths are wanted. @default all */
  readonly accepts?: (path: string) => boolean;
  readonly onPath: (path: string) => void;
}

/** Why a listing is incomplete. */
export interface Shortcoming {
  /** Reasons to tell; none when the listing is complete. */
  readonly because: readonly string[];
  /** Fields for the envelope's data. */
  readonly data: { readonly fallback?: "javascript"; readonly failed_items?: readonly string[] };
}

const MAX_FAILED_ITEMS = 20;
/** A walk lets others run this often, so that it hears of an abort. */
const YIELD_MS = 50;

/** Hands on every file below a directory that no .gitignore leaves out (POSIX, relative to the directory). */
export async function listFiles(
  run: ToolRun,
  directory: SandboxedHandle,
  { hidden = false, accepts = () => true, onPath }: ListFilesOptions,
): Promise<Shortcoming> {
  const witness = new DirectoryWitness(directory);
  const take = (found: string): void => {
    if (accepts(found) && witness.has(found)) onPath(found);
  };
  const base = directoryPath(directory.handle, directory.real);
  const program = await findRipgrep(run.environment.ripgrep);
  if (program === null) {
    const above = directoriesAbove(run.sandbox.root, directory.relative);
    const failed: string[] = [];
    const onUnreadable = (folder: string) => {
      if (folder === "" || witness.has(folder)) failed.push(`${folder || "."}: cannot be read`);
    };
    let lastYield = performance.now();
    for (const found of walkFiles(base, { hidden, signal: run.signal, above, onUnreadable })) {
      take(found);
      if (performance.now() - lastYield < YIELD_MS) continue;
      await yieldToOthers();
      run.throwIfAborted();
      lastYield = performance.now();
    }
    run.throwIfAborted();
    return shortcoming(true, failed);
  }
  const names = splitAtNul(take);
  // One thread lists as fast as the caller looks at the paths; more only start later.
  const args = ["--files", "--threads=1", "--null", "--no-require-git", "--path-separator", "/", "--glob", "!.git"];
  if (hidden) args.push("--hidden");
  const end = await runRipgrep({ program, args, cwd: base, signal: run.signal }, names);
  names.end();
  run.throwIfAborted();
  if (end.exitCode === null)
    throw new ToolFailure("EXECUTION_ERROR", `ripgrep was ended by a signal. ${end.complaints}`);
  const isOurs = (line: string) => witness.has(line.slice(0, line.indexOf(": ")));
  return shortcoming(false, unreadable(end.complaints).filter(isOurs));
}

/** ripgrep's errors about unreadable paths; a file that vanished meanwhile is not an error. */
function unreadable(complaints: string): string[] {
  const lines = complaints.split("\n").filter((line) => /\(os error (?!2\))\d+\)$/.test(line));
  return lines.map((line) => line.replace(/^rg: (?:\.\/)?/, "").replace(/: IO error for operation on .*?: /, ": "));
}

function shortcoming(isFallback: boolean, failed: readonly string[]): Shortcoming {
  return {
    because: [
      ...(isFallback ? ["ripgrep is not available, so a slower JavaScript walk was used"] : []),
      ...(failed.length > 0 ? [`${failed.length} could not be listed, see failed_items`] : []),
    ],
    data: {
      ...(isFallback ? { fallback: "javascript" } : {}),
      ...(failed.length > 0 ? { failed_items: failed.slice(0, MAX_FAILED_ITEMS) } : {}),
    },
  };
}

/** The directories from the root down to, but without, a directory below it. */
function directoriesAbove(root: string, relative: string): { folder: string; way: string }[] {
  const parts = relative === "." ? [] : relative.split("/");
  return parts.map((_, depth) => ({
    folder: path.join(root, ...parts.slice(0, depth)),
    way: parts.slice(depth).join("/"),
  }));
}

/** Splits a stream of UTF-8 into texts that end with NUL; each chunk is decoded at once, which is faster than one by one. */
function splitAtNul(onText: (text: string) => void) {
  let rest: Buffer[] = [];
  const decode = (bytes: Buffer) => {
    for (const text of bytes.toString().split("\0")) onText(text);
  };
  return {
    push(chunk: Buffer): void {
      const end = chunk.lastIndexOf(0);
      if (end === -1) {
        rest.push(chunk);
        return;
      }
      decode(Buffer.concat([...rest, chunk.subarray(0, end)]));
      rest = end + 1 < chunk.length ? [chunk.subarray(end + 1)] : [];
    },
    end(): void {
      if (rest.length > 0) decode(Buffer.concat(rest));
    },
  };
}

interface WalkOptions {
  /** Include names that start with a dot. @default false */
  readonly hidden?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Called for each unreadable directory, with its path relative to the start. */
  readonly onUnreadable?: (folder: string) => void;
  /** Directories above the start whose .gitignore applies too, outermost first, each with the path down to the start. */
  readonly above?: readonly { readonly folder: string; readonly way: string }[];
}

interface Rules {
  /** Directory of the .gitignore, relative to the walk's start; "" for the start and above. */
  readonly base: string;
  /** Path from a directory above the start to the start, with a final slash; "" from the start on. */
  readonly way: string;
  readonly matcher: Ignore;
}

/** Regular files below a directory, POSIX and relative, without those that .gitignore excludes; follows no links. */
function* walkFiles(start: string, options: WalkOptions = {}): Generator<string> {
  const outer = (options.above ?? []).map(({ folder, way }) => ({
    base: "",
    way: `${way}/`,
    matcher: readRules(folder),
  }));
  yield* walk(start, "", outer, options);
}

function* walk(start: string, folder: string, outer: readonly Rules[], options: WalkOptions): Generator<string> {
  if (options.signal?.aborted) return;
  const entries = readEntries(path.join(start, folder), () => options.onUnreadable?.(folder));
  const rules = entries.some((entry) => entry.name === ".gitignore")
    ? [...outer, { base: folder, way: "", matcher: readRules(path.join(start, folder)) }]
    : outer;
  for (const entry of entries) {
    if (entry.name === ".git" || (entry.name.startsWith(".") && options.hidden !== true)) continue;
    const at = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (isIgnored(at, entry.isDirectory(), rules)) continue;
    if (entry.isFile()) yield at;
    else if (entry.isDirectory()) yield* walk(start, at, rules, options);
  }
}

function readEntries(folder: string, onUnreadable: () => void): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") onUnreadable();
    return [];
  }
}

function readRules(folder: string): Ignore {
  const matcher = ignore();
  try {
    matcher.add(readFileSync(path.join(folder, ".gitignore"), "utf8"));
  } catch {} // there is none, or it cannot be read
  return matcher;
}

/** The innermost .gitignore that has a say decides. */
function isIgnored(at: string, isDirectory: boolean, rules: readonly Rules[]): boolean {
  for (const { base, way, matcher } of rules.toReversed()) {
    const relative = way + (base === "" ? at : at.slice(base.length + 1));
    const verdict = matcher.test(isDirectory ? `${relative}/` : relative);
    if (verdict.ignored) return true;
    if (verdict.unignored) return false;
  }
  return false;
}
