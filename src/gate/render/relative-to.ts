import { pathBelow } from "../../artifacts/path-below.ts";

/** Below the root: relative to it, POSIX. Elsewhere: as it is. */
export function relativeTo(root: string, location: string): string {
  // An address such as s3://bucket/name is no path, though it would pass for one.
  return location.startsWith("s3://") ? location : pathBelow(root, location) || location;
}
