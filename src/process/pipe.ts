import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, rmdirSync, unlinkSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PLATFORM } from "../platform/platform.ts";
import { openPipeReader } from "./pipe-reader.ts";

/** A pipe of the operating system: `writeFd` for a child's two output streams, `reader` for us. */
export interface Pipe {
  readonly reader: Socket;
  readonly writeFd: number;
  /** Closes our copy of the writing end, so that the reader ends when the children's copies are closed. */
  closeWriter(): void;
}

/**
 * Opens a pipe through an unlinked FIFO; undefined where none can be made or read (on Windows, under Bun, without a temporary folder). Node's own stdio pipes are socket
 * pairs, which cannot serve two streams of a child in arrival order and cannot be opened as /dev/stderr.
 */
export function openPipe(): Pipe | undefined {
  if (!PLATFORM.readsPipes) return undefined;
  let folder = "";
  let readFd: number | undefined;
  try {
    folder = mkdtempSync(join(tmpdir(), "spillway-pipe-"));
    const path = join(folder, "pipe");
    execFileSync("mkfifo", ["-m", "600", path], { stdio: "ignore" });
    readFd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const writeFd = openSync(path, constants.O_WRONLY);
    let open = true;
    const closeWriter = () => {
      if (open) closeSync(writeFd);
      open = false;
    };
    return { reader: openPipeReader(readFd), writeFd, closeWriter };
  } catch {
    if (readFd !== undefined) closeSync(readFd);
    return undefined;
  } finally {
    if (folder !== "") removeBoth(join(folder, "pipe"), folder);
  }
}

/** Two plain calls: a recursive removal would load more code than all of the above. */
function removeBoth(path: string, folder: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Missing if it could not be created.
  }
  rmdirSync(folder);
}
