import { closeSync, constants, fstatSync, openSync, readlinkSync, realpathSync } from "node:fs";
import { pathBelow } from "../../platform/path-below.ts";
import { PLATFORM } from "../../platform/platform.ts";

const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** A descriptor of the regular file at `location`, to be closed; undefined when it is gone, a link, or not below the root. */
export function openBelow(location: string, root: string): number | undefined {
  let fd: number;
  try {
    fd = openSync(location, FLAGS);
  } catch {
    return undefined;
  }
  try {
    const real = PLATFORM.hasProc ? readlinkSync(`/proc/self/fd/${fd}`) : realpathSync(location);
    if (pathBelow(root, real) !== undefined && fstatSync(fd).isFile()) return fd;
  } catch {}
  closeSync(fd);
  return undefined;
}
