import { existsSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";

/** What marks the top folder of a project. */
const MARKS = ["spillway.yaml", ".git"];

/**
 * The nearest folder from `from` upwards that holds `spillway.yaml` or `.git`; `from` itself when there is none. The
 * search ends before the home folder, the top of the file system and any folder of another user.
 */
export function findRoot(from: string, home: string = homedir()): string {
  const ends = new Set([path.parse(from).root, home, realPath(home)]);
  const owner = process.getuid?.();
  for (let folder = from; !ends.has(folder); folder = path.dirname(folder)) {
    if (owner !== undefined && statSync(folder, { throwIfNoEntry: false })?.uid !== owner) break;
    if (MARKS.some((mark) => existsSync(path.join(folder, mark)))) return folder;
  }
  return from;
}

function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
