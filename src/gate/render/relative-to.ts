import path from "node:path";

/** Below the root: relative to it, POSIX. Elsewhere: as it is. */
export function relativeTo(root: string, location: string): string {
  const relative = path.relative(root, location);
  const outside = relative === "" || relative.split(path.sep)[0] === ".." || path.isAbsolute(relative);
  return outside ? location : relative.split(path.sep).join("/");
}
