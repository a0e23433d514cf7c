import { closeSync, constants, openSync, readdirSync, readlinkSync, realpathSync, type Stats } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readlink, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { remember } from "../../bytes/remember.ts";
import { pathBelow } from "../../platform/folders.ts";
import { PLATFORM } from "../../platform/platform.ts";
import { ToolFailure } from "../../protocol/builder.ts";

const FLAGS = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);
/** Number of directories whose entries are cached: walks often return to the previous ones. */
const REMEMBERED = 64;

/**
 * Checks whether a name found by a walk is below the directory. A walk uses paths, so that a link which is
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

/** A path that was found to lie below the root, all links followed. */
export interface SandboxedPath {
  /** Absolute, without any link. */
  readonly real: string;
  /** Relative to the root, POSIX; "." for the root itself. */
  readonly relative: string;
}

/** An opened file or directory that was found to lie below the root after it was opened. */
export interface SandboxedHandle extends SandboxedPath {
  readonly handle: FileHandle;
  readonly stats: Stats;
}

const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
// Opening a named pipe must not wait for its other end.
const NON_BLOCK = constants.O_NONBLOCK ?? 0;
const DIRECTORY = constants.O_DIRECTORY ?? 0;
const MAX_LINKS = 40;

/** Lets paths through only when they end below the root. */
export class Sandbox {
  /** The root, absolute and without links. */
  readonly root: string;
  readonly #givenRoot: string;

  private constructor(root: string, givenRoot: string) {
    this.root = root;
    this.#givenRoot = givenRoot;
  }

  static async create(root: string): Promise<Sandbox> {
    return new Sandbox(await realpath(root), path.resolve(root));
  }

  /** Resolves a path, which need not exist; fails with ACCESS_DENIED when it ends outside the root. */
  async resolve(given: string): Promise<SandboxedPath> {
    if (given.includes("\0")) throw new ToolFailure("INVALID_PARAM", "A path cannot hold a NUL character.");
    const absolute = path.resolve(this.root, given);
    const lexical = [this.root, this.#givenRoot].some((folder) => pathBelow(folder, absolute) !== undefined);
    if (!lexical) throw denied(given);
    const real = await followLinks(absolute, given);
    if (pathBelow(this.root, real) === undefined) throw denied(given);
    return { real, relative: this.relative(real) };
  }

  /** A path relative to the root, POSIX. */
  relative(real: string): string {
    const below = pathBelow(this.root, real);
    return below === "" ? "." : (below ?? real);
  }

  /** Opens a regular file for reading. */
  async openFile(given: string): Promise<SandboxedHandle> {
    const opened = await this.open(given);
    if (opened.stats.isFile()) return opened;
    await opened.handle.close();
    throw notAFile(opened.relative, opened.stats);
  }

  /** Opens a directory. Its entries are reached through `directoryPath`, which no renaming can redirect. */
  async openDirectory(given: string): Promise<SandboxedHandle> {
    const opened = await this.open(given);
    if (opened.stats.isDirectory()) return opened;
    await opened.handle.close();
    throw new ToolFailure("INVALID_PARAM", `${opened.relative} is a ${kindOf(opened.stats)}, not a directory.`, {
      next: `Use Read ${JSON.stringify({ path: opened.relative })} for a file, or give its directory.`,
    });
  }

  /** Opens any file except those that could block or act when opened: a pipe, a socket, a device. */
  async open(given: string): Promise<SandboxedHandle> {
    const target = await this.resolve(given);
    const found = await lstat(target.real).catch((error) => {
      throw notFound(error, target.relative);
    });
    if (!found.isFile() && !found.isDirectory() && !found.isSymbolicLink()) throw notAFile(target.relative, found);
    const handle = await openNoFollow(target.real, constants.O_RDONLY | NON_BLOCK, given);
    try {
      return { ...(await this.check(handle, target.real, given)), handle, stats: await handle.stat() };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Opens the directory `relative` below the root, creating missing parts, one component at a time. */
  async openOrCreateDirectory(target: SandboxedPath): Promise<FileHandle> {
    let handle = await openNoFollow(this.root, constants.O_RDONLY | DIRECTORY, ".");
    for (const name of target.relative.split("/").filter((part) => part !== "" && part !== ".")) {
      try {
        const here = await this.check(handle, this.root, target.relative);
        const next = await makeDirectoryAt(directoryPath(handle, here.real), name);
        await handle.close();
        handle = next;
      } catch (error) {
        await handle.close();
        throw error;
      }
    }
    await this.check(handle, target.real, target.relative);
    return handle;
  }

  /**
   * Verifies that an open descriptor is below the root, even if its path has changed since it was resolved. Linux
   * names the file behind a descriptor; elsewhere the path is resolved again and must lead to the same file.
   */
  async check(handle: FileHandle, expected: string, given: string): Promise<SandboxedPath> {
    const real = PLATFORM.hasProc
      ? await readlink(`/proc/self/fd/${handle.fd}`)
      : await sameFile(handle, expected, given);
    if (pathBelow(this.root, real) === undefined) throw denied(given);
    return { real, relative: this.relative(real) };
  }
}

/**
 * The path through which a directory's entries are safe to reach: through its descriptor if possible. As a
 * child's working directory it leads there too, since the child changes to it while it still has our descriptors.
 */
export function directoryPath(handle: FileHandle, real: string): string {
  return PLATFORM.hasProc ? `/proc/self/fd/${handle.fd}` : real;
}

/** A path with forward slashes. */
export function toPosix(native: string): string {
  return path.sep === "/" ? native : native.split(path.sep).join("/");
}

/** NOT_FOUND with the next step, or any other error unchanged. */
function notFound(error: unknown, relative: string): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (code !== "ENOENT" && code !== "ENOTDIR") return error;
  const name = path.posix.basename(relative).replace(/[[\]{}()*?!\\]/g, "?");
  return new ToolFailure("NOT_FOUND", `There is no ${relative}.`, {
    next: `Look for it with Glob ${JSON.stringify({ pattern: `**/${name}` })} or LS {"path":"."}.`,
    cause: error,
  });
}

async function followLinks(absolute: string, given: string, links = 0): Promise<string> {
  try {
    return await realpath(absolute);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ELOOP" || links > MAX_LINKS) throw new ToolFailure("INVALID_PARAM", `${given} is a link to itself.`);
    if (code !== "ENOENT" && code !== "ENOTDIR") throw error;
    const parent = path.dirname(absolute);
    if (parent === absolute) return absolute;
    const realParent = await followLinks(parent, given, links);
    // A link with a missing target still tells where a write would go.
    const link = await readlink(absolute).catch(() => undefined);
    if (link === undefined) return path.join(realParent, path.basename(absolute));
    return followLinks(path.resolve(realParent, link), given, links + 1);
  }
}

async function openNoFollow(real: string, flags: number, given: string): Promise<FileHandle> {
  try {
    return await open(real, flags | NO_FOLLOW);
  } catch (error) {
    // The path was resolved, so a link here was put there since.
    if ((error as NodeJS.ErrnoException).code === "ELOOP") throw denied(given);
    throw error;
  }
}

/** Opens the directory `name` in `base`, made when it is missing; never follows a link. */
async function makeDirectoryAt(base: string, name: string): Promise<FileHandle> {
  const location = path.join(base, name);
  await mkdir(location).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  return open(location, constants.O_RDONLY | DIRECTORY | NO_FOLLOW).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOTDIR") throw error;
    throw new ToolFailure("INVALID_PARAM", `${name} is not a directory, so nothing can be put into it.`, {
      next: 'Give another path; LS {"path":"."} shows what is there.',
      cause: error,
    });
  });
}

async function sameFile(handle: FileHandle, expected: string, given: string): Promise<string> {
  const real = await realpath(expected);
  const [opened, now] = await Promise.all([handle.stat(), stat(real)]);
  if (opened.dev !== now.dev || opened.ino !== now.ino) throw denied(given);
  return real;
}

function denied(given: string): ToolFailure {
  return new ToolFailure("ACCESS_DENIED", `${given} leads outside the root.`, {
    next: 'Give a path below the root; LS {"path":"."} shows what is there.',
  });
}

function notAFile(relative: string, stats: Stats): ToolFailure {
  if (stats.isDirectory()) {
    return new ToolFailure("IS_DIRECTORY", `${relative} is a directory.`, {
      next: `See what is in it with LS ${JSON.stringify({ path: relative })}.`,
    });
  }
  return new ToolFailure("INVALID_PARAM", `${relative} is a ${kindOf(stats)}, not a regular file.`, {
    next: "Give the path of a regular file.",
  });
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return "directory";
  if (stats.isFIFO()) return "named pipe";
  if (stats.isSocket()) return "socket";
  if (stats.isCharacterDevice() || stats.isBlockDevice()) return "device";
  return stats.isSymbolicLink() ? "symbolic link" : "file";
}
