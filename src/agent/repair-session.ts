import { closeSync, constants, fdatasyncSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { isSpillwayError } from "../errors.ts";
import { damaged, openEvents, readEvents, type SessionDamage } from "./read-events.ts";
import { sessionFile } from "./session.ts";
import { lockSession } from "./session-lock.ts";

/** The result of a repair. */
export interface SessionRepair {
  /** The problem; undefined if there was none. */
  readonly damage?: SessionDamage | undefined;
  /** Events that the session has now. */
  readonly keptEvents: number;
  readonly droppedBytes: number;
  /** Where the dropped bytes are now; undefined when there were none. */
  readonly droppedTo?: string | undefined;
}

/** Cuts a damaged session before its first bad line and saves the rest next to it; fails if no line before is good. */
export function repairSession(root: string, id: string): SessionRepair {
  const file = sessionFile(root, id);
  const unlock = lockSession(dirname(file));
  let fd: number | undefined;
  try {
    fd = openEvents(file, "write");
    const { damage, events, endByte } = readGood(fd, file);
    const droppedBytes = fstatSync(fd).size - endByte;
    if (droppedBytes === 0) return { damage, keptEvents: events, droppedBytes };
    const droppedTo = moveAside(fd, endByte, dirname(file));
    ftruncateSync(fd, endByte);
    fdatasyncSync(fd);
    return { damage, keptEvents: events, droppedBytes, droppedTo };
  } finally {
    if (fd !== undefined) closeSync(fd);
    unlock();
  }
}

function readGood(fd: number, file: string): { damage?: SessionDamage; events: number; endByte: number } {
  let events = 0;
  let endByte = 0;
  try {
    for (const line of readEvents(fd, file)) {
      events++;
      endByte = line.endByte;
    }
    if (events === 0) throw damaged({ file, line: 0, problem: "holds no whole event" });
    return { events, endByte };
  } catch (error) {
    if (!isSpillwayError(error) || error.code !== "SESSION_DAMAGED" || events === 0) throw error;
    return { damage: error.details as unknown as SessionDamage, events, endByte };
  }
}

/** Copies everything after a byte into a new file of the folder; nothing is cut before the copy exists. */
function moveAside(fd: number, from: number, folder: string): string {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  const [target, out] = createNumbered((number) => join(folder, `dropped-${number}.jsonl`), flags);
  try {
    const chunk = Buffer.allocUnsafe(1 << 20);
    for (let position = from; ; ) {
      const got = readSync(fd, chunk, 0, chunk.length, position);
      if (got === 0) break;
      for (let done = 0; done < got; ) done += writeSync(out, chunk, done, got - done);
      position += got;
    }
    fdatasyncSync(out);
  } finally {
    closeSync(out);
  }
  return target;
}

function createNumbered(nameOf: (number: number) => string, flags: number): [path: string, fd: number] {
  for (let number = 1; ; number++) {
    try {
      return [nameOf(number), openSync(nameOf(number), flags, 0o600)];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}
