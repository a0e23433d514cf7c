import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync } from "node:fs";
import { pathBelow } from "../../artifacts/path-below.ts";

/** Larger files are generated more often than written. */
const MAX_FILE_BYTES = 512 * 1024;

/** A source file's content; undefined when it is gone, too large, or a link that was put in its place. */
export function readSource(location: string, root: string): Buffer | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(location, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    if (process.platform === "linux" && pathBelow(root, readlinkSync(`/proc/self/fd/${fd}`)) === undefined)
      return undefined;
    const stats = fstatSync(fd);
    if (!stats.isFile() || stats.size > MAX_FILE_BYTES) return undefined;
    const buffer = Buffer.allocUnsafe(stats.size);
    return buffer.subarray(0, readSync(fd, buffer, 0, stats.size, 0));
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
