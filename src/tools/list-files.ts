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

/**
 * Hands on every file below a directory that no .gitignore leaves out (POSIX, relative to the directory). Gives the
 * name of the fallback when ripgrep is missing.
 */
export async function listFiles(
  run: ToolRun,
  directory: SandboxedHandle,
  { hidden = false, onPath }: ListFilesOptions,
): Promise<"javascript" | undefined> {
  const base = directoryPath(directory.handle, directory.real);
  const program = await findRipgrep(run);
  if (program === null) {
    const above = directoriesAbove(run.sandbox.root, directory.relative);
    for (const found of walkFiles(base, { hidden, signal: run.signal, above })) onPath(found);
    return "javascript";
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
  return undefined;
}

/** The directories from the root down to, but without, a directory below it. */
function directoriesAbove(root: string, relative: string): { folder: string; way: string }[] {
  const parts = relative === "." ? [] : relative.split("/");
  return parts.map((_, depth) => ({
    folder: path.join(root, ...parts.slice(0, depth)),
    way: parts.slice(depth).join("/"),
  }));
}
