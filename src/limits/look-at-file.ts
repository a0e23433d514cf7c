import { type Stats, statSync } from "node:fs";

/** What is known of a regular file; undefined for anything else, and for what cannot be looked at. */
export function lookAtFile(location: string): Stats | undefined {
  try {
    const stats = statSync(location, { throwIfNoEntry: false });
    return stats?.isFile() === true ? stats : undefined;
  } catch {
    return undefined;
  }
}
