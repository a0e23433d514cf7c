import { closeSync, constants, existsSync, lstatSync, openSync, type Stats } from "node:fs";
import { dirname, join, sep } from "node:path";
import { SpillwayError } from "../errors.ts";
import { isShared, pathBelow } from "../platform/folders.ts";
import { PLATFORM } from "../platform/platform.ts";
import { errorCode } from "./store-failure.ts";

/** True while a process with this id exists on this machine, also of another user. */
export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

const FOLDER_FLAGS = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0);
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
const DESCRIPTORS = "/proc/self/fd";

/** True where a folder can be reached by its descriptor, whatever its name means in the meantime. */
function holdsFolders(): boolean {
  return PLATFORM.hasProc && existsSync(DESCRIPTORS);
}

/**
 * Runs `use` on a folder whose path below `root` has no symbolic link; `use` gets a path that leads to exactly this
 * folder. On Linux that holds while names are exchanged; elsewhere the names are looked at before and after.
 */
export async function holdFolder<T>(root: string, folder: string, use: (path: string) => Promise<T>): Promise<T> {
  const steps = stepsTo(root, folder);
  if (!holdsFolders()) {
    refuseLinks(steps);
    const result = await use(folder);
    refuseLinks(steps);
    return result;
  }
  const descriptor = openFolder(steps);
  try {
    return await use(join(DESCRIPTORS, String(descriptor)));
  } finally {
    closeSync(descriptor);
  }
}

/** The same at once, for the end of a process. */
export function holdFolderNow(root: string, folder: string, use: (path: string) => void): void {
  const steps = stepsTo(root, folder);
  if (!holdsFolders()) {
    refuseLinks(steps);
    use(folder);
    refuseLinks(steps);
    return;
  }
  const descriptor = openFolder(steps);
  try {
    use(join(DESCRIPTORS, String(descriptor)));
  } finally {
    closeSync(descriptor);
  }
}

/** Throws `STORE_FAILED` for a link, and the system's error for a missing folder. */
function openFolder(steps: readonly string[]): number {
  let descriptor = openSync(dirname(steps[0] as string), FOLDER_FLAGS);
  for (const step of steps) {
    const outer = descriptor;
    try {
      const name = step.slice(step.lastIndexOf(sep) + 1);
      descriptor = openSync(join(DESCRIPTORS, String(outer), name), FOLDER_FLAGS | NO_FOLLOW);
    } catch (error) {
      if (lstatSync(step, { throwIfNoEntry: false })?.isSymbolicLink()) refuseLinks([step]);
      throw error;
    } finally {
      closeSync(outer);
    }
  }
  return descriptor;
}

/** Throws if one of these folders is a symbolic link or a file; missing folders are fine. */
export function refuseLinks(folders: readonly string[], what = "folder"): void {
  for (const path of folders) {
    const stats = statsOf(path);
    if (stats === undefined || stats.isDirectory()) continue;
    const kind = stats.isSymbolicLink() ? "a symbolic link, which is not followed" : "a file, not a folder";
    throw new SpillwayError("STORE_FAILED", `cannot use the ${what} ${folders.at(-1)}: ${path} is ${kind}`);
  }
}

/** Undefined also if a part of the path is a file: nothing exists there. */
function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (errorCode(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

/** True if other users can replace a folder between the root and this one, or files in it; missing folders are safe. */
export function leadsThroughShared(root: string, folder: string): boolean {
  return stepsTo(root, folder).some((step) => {
    const stats = statsOf(step);
    return stats !== undefined && isShared(stats);
  });
}

/** Every folder from below the root down to this one; only the folder itself if it is outside the root. */
export function stepsTo(root: string, folder: string): readonly string[] {
  const way = pathBelow(root, folder);
  if (way === undefined || way === "") return [folder];
  const parts = way.split("/");
  return parts.map((_, at) => join(root, ...parts.slice(0, at + 1)));
}
