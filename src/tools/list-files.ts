import path from "node:path";
import { ToolFailure } from "../protocol/tool-failure.ts";
import { findRipgrep, runRipgrep, splitAtNul } from "./ripgrep.ts";
import { directoryPath, type SandboxedHandle } from "./sandbox.ts";
import type { ToolRun } from "./tool-run.ts";
import { walkFiles } from "./walk.ts";

export interface ListFilesOptions {
  /** Include names that start with a dot. @default false */
  readonly hidden?: boolean;
  readonly onPath: (path: string) => void;
}

/** In what way a listing is less than asked for. */
export interface Shortcoming {
  /** Reasons to tell; none when the listing is complete. */
  readonly because: readonly string[];
  /** What belongs into the envelope's data. */
  readonly data: { readonly fallback?: "javascript"; readonly failed_items?: readonly string[] };
}

const MAX_FAILED_ITEMS = 20;

/** Hands on every file below a directory that no .gitignore leaves out (POSIX, relative to the directory). */
export async function listFiles(
  run: ToolRun,
  directory: SandboxedHandle,
  { hidden = false, onPath }: ListFilesOptions,
): Promise<Shortcoming> {
  const base = directoryPath(directory.handle, directory.real);
  const program = await findRipgrep(run);
  if (program === null) {
    const above = directoriesAbove(run.sandbox.root, directory.relative);
    const failed: string[] = [];
    const onUnreadable = (folder: string) => failed.push(`${folder || "."}: cannot be read`);
    for (const found of walkFiles(base, { hidden, signal: run.signal, above, onUnreadable })) onPath(found);
    return shortcoming(true, failed);
  }
  const names = splitAtNul(onPath);
  // One thread lists as fast as the caller looks at the paths; more only start later.
  const args = ["--files", "--threads=1", "--null", "--no-require-git", "--path-separator", "/", "--glob", "!.git"];
  if (hidden) args.push("--hidden");
  const onChunk = (chunk: Buffer) => names.push(chunk);
  const end = await runRipgrep({ program, args, cwd: base, signal: run.signal, onChunk });
  names.end();
  if (run.signal?.aborted) throw new ToolFailure("EXECUTION_ERROR", "The call was aborted.");
  if (end.exitCode === null)
    throw new ToolFailure("EXECUTION_ERROR", `ripgrep was ended by a signal. ${end.complaints}`);
  return shortcoming(false, unreadable(end.complaints));
}

/** Of ripgrep's complaints those about what it could not read; a file that vanished meanwhile is none. */
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
