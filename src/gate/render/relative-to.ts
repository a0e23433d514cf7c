import { isAbsolute } from "node:path";
import { pathBelow } from "../../platform/path-below.ts";

/** Below the root: relative to it, POSIX. Elsewhere, and for an address such as s3://bucket/name: as it is. */
export function relativeTo(root: string, location: string): string {
  return isAbsolute(location) ? pathBelow(root, location) || location : location;
}
