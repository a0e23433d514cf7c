import { pathBelow } from "../../artifacts/path-below.ts";

/** Below the root: relative to it, POSIX. Elsewhere: as it is. */
export function relativeTo(root: string, location: string): string {
  return pathBelow(root, location) || location;
}
