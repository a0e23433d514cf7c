import { closeSync, constants, openSync, readdirSync, readlinkSync, realpathSync } from "node:fs";
import path from "node:path";
import { remember } from "../../bytes/remember.ts";
import { PLATFORM } from "../../platform/platform.ts";
import { directoryPath, type SandboxedHandle } from "./sandbox.ts";

const FLAGS = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);
/** Directories whose entries are remembered: walks come back to the ones they have just left. */
const REMEMBERED = 64;

/**
 * Says of a name that a walk has found whether it stands below the directory. A walk goes by paths, so that a link which is
 * swapped in for a directory leads it elsewhere; here each directory is opened, and counts only when it is the one its path
 * says, without any link.
 */
export class DirectoryWitness {
  readonly #directory: SandboxedHandle;
  readonly #base: string;
  readonly #entries = new Map<string, ReadonlySet<string>>();

  constructor(directory: SandboxedHandle) {
    this.#directory = directory;
    this.#base = directoryPath(directory.handle, directory.real);
  }

  /** `name` is POSIX and relative to the directory. */
  has(name: string): boolean {
    const end = name.lastIndexOf("/");
    return this.#entriesOf(end === -1 ? "" : name.slice(0, end)).has(name.slice(end + 1));
  }

  #entriesOf(folder: string): ReadonlySet<string> {
    const known = this.#entries.get(folder);
    if (known !== undefined) return known;
    const entries = new Set(this.#readEntries(folder));
    remember(this.#entries, folder, entries, REMEMBERED);
    return entries;
  }

  #readEntries(folder: string): readonly string[] {
    const location = path.join(this.#base, folder);
    if (!PLATFORM.hasProc) return this.#readByPath(folder, location);
    let fd: number | undefined;
    try {
      // The directory itself is open already, and a link of /proc is its name.
      fd = openSync(folder === "" ? `${location}/.` : location, FLAGS);
      const own = `/proc/self/fd/${fd}`;
      if (readlinkSync(own) !== path.join(readlinkSync(this.#base), folder)) return [];
      return readdirSync(own);
    } catch {
      return [];
    } finally {
      if (fd !== undefined) closeSync(fd);
    }
  }

  #readByPath(folder: string, location: string): readonly string[] {
    try {
      const entries = readdirSync(location);
      return realpathSync(location) === path.join(this.#directory.real, folder) ? entries : [];
    } catch {
      return [];
    }
  }
}
