import { type Dirent, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ignore, { type Ignore } from "ignore";

export interface WalkOptions {
  /** Include names that start with a dot. @default false */
  readonly hidden?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Told of each directory whose entries cannot be read, relative to the start. */
  readonly onUnreadable?: (folder: string) => void;
  /** Directories above the start whose .gitignore counts too, outermost first, each with its way down to the start. */
  readonly above?: readonly { readonly folder: string; readonly way: string }[];
}

interface Rules {
  /** Directory of the .gitignore, relative to the walk's start; "" for the start and above. */
  readonly base: string;
  /** Way from a directory above the start to the start, with a final slash; "" from the start on. */
  readonly way: string;
  readonly matcher: Ignore;
}

/** Regular files below a directory, POSIX and relative to it, without what .gitignore files leave out; no link is followed. */
export function* walkFiles(start: string, options: WalkOptions = {}): Generator<string> {
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
