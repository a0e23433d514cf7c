import { closeSync, fstatSync, readSync } from "node:fs";
import { openBelow } from "../sandbox/open-below.ts";

/** Larger files are generated more often than written. */
const MAX_FILE_BYTES = 512 * 1024;

/** A source file's content; undefined when it is gone, too large, or a link that was put in its place. */
export function readSource(location: string, root: string): Buffer | undefined {
  const fd = openBelow(location, root);
  if (fd === undefined) return undefined;
  try {
    const { size } = fstatSync(fd);
    if (size > MAX_FILE_BYTES) return undefined;
    const buffer = Buffer.allocUnsafe(size);
    return buffer.subarray(0, readSync(fd, buffer, 0, size, 0));
  } catch {
    return undefined;
  } finally {
    closeSync(fd);
  }
}
