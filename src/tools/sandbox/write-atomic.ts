import { randomBytes } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readlinkSync, realpathSync } from "node:fs";
import { open, rename, unlink } from "node:fs/promises";
import path from "node:path";
import { pathBelow } from "../../platform/folders.ts";
import { PLATFORM } from "../../platform/platform.ts";
import { directoryPath, type Sandbox, type SandboxedPath } from "./sandbox.ts";

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

/** New files; the process's umask takes its part. */
const NEW_FILE_MODE = 0o666;

export interface WriteOptions {
  /** Mode of the file that is replaced; it is kept. @default a new file's */
  readonly mode?: number | undefined;
  /** Called right before the new content takes the old one's place; throws to leave the file as it is. */
  readonly confirm?: (() => Promise<void>) | undefined;
}

/**
 * Replaces a file whole or not at all. Everything happens through the descriptor of its directory, so that a directory
 * swapped for a link meanwhile leads nowhere.
 */
export async function writeAtomic(
  sandbox: Sandbox,
  target: SandboxedPath,
  content: Uint8Array,
  options: WriteOptions = {},
): Promise<void> {
  try {
    await replaceFile(sandbox, target, content, options);
  } catch (error) {
    // The path of a descriptor or of the temporary file says nothing to a reader.
    if (isSystemError(error)) error.path = target.real;
    throw error;
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error;
}

async function replaceFile(
  sandbox: Sandbox,
  target: SandboxedPath,
  content: Uint8Array,
  options: WriteOptions,
): Promise<void> {
  const folder = { real: path.dirname(target.real), relative: path.posix.dirname(target.relative) };
  const directory = await sandbox.openOrCreateDirectory(folder);
  try {
    const base = directoryPath(directory, folder.real);
    const name = path.basename(target.real);
    const temporary = path.join(base, `.${name.slice(0, 200)}.${randomBytes(6).toString("hex")}.tmp`);
    try {
      await writeNew(temporary, content, options.mode);
      await options.confirm?.();
      await rename(temporary, path.join(base, name));
    } catch (error) {
      await unlink(temporary).catch(() => {});
      throw error;
    }
    await directory.sync().catch(() => {}); // not every file system can
  } finally {
    await directory.close();
  }
}

async function writeNew(location: string, content: Uint8Array, mode: number | undefined): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  const handle = await open(location, flags, NEW_FILE_MODE);
  try {
    await handle.writeFile(content);
    if (mode !== undefined) await handle.chmod(mode & 0o7777);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
