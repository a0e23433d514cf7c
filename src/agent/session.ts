import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { createArtifactId } from "../artifacts/artifact-name.ts";
import { refuseLinks, stepsTo } from "../artifacts/hold-folder.ts";
import { writeIgnoreFile } from "../artifacts/write-ignore-file.ts";
import { SpillwayError } from "../errors.ts";
import { kinds } from "../limits/options.ts";
import { SESSION_SCHEMA, type SessionEvent, type SessionFact, type SessionStart, serializeEvent } from "./events.ts";
import { damaged, openEvents, readEvents } from "./read-events.ts";
import { lockSession } from "./session-lock.ts";
import type { EventListener } from "./session-store.ts";

export const SESSIONS_DIR = ".agents/sessions";

/** Name of a session's file until it holds its first event. */
const BEGINNING = "events.beginning";

/** A session open for writing; the events are those in the file, in order. */
export interface Session {
  readonly id: string;
  /** Absolute path of `events.jsonl`. */
  readonly path: string;
  readonly start: SessionStart;
  readonly events: readonly SessionEvent[];
  /** Writes the events before it returns, all or none of them. */
  append(...facts: readonly SessionFact[]): readonly SessionEvent[];
  /** Gives the session free for other processes. */
  close(): void;
  /** Closes the session and removes its folder, unless another process has taken it. */
  discard(): void;
}

/** Starts a new session below `root`. */
export function createSession(
  root: string,
  start: Omit<SessionStart, "type" | "session" | "root">,
  onEvent?: EventListener,
): Session {
  const parent = join(root, SESSIONS_DIR);
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  refuseLinks(stepsTo(root, parent));
  writeIgnoreFile(parent, "*\n");
  const id = `ses_${createArtifactId()}`;
  const dir = join(parent, id);
  mkdirSync(dir, { mode: 0o700 });
  const session = openSession(dir, id, "create", onEvent);
  return beginOrClose(session, () => {
    session.append({ type: "session.start", session: id, root, ...start });
    // Only now is it a session: whoever is killed before leaves none, not a damaged one.
    renameSync(join(dir, BEGINNING), session.path);
  });
}

/** Opens an existing session to go on with it; a line torn by a crash is removed. */
export function resumeSession(root: string, id: string, onEvent?: EventListener): Session {
  const dir = dirname(sessionFile(root, id));
  refuseLinks(stepsTo(root, dir));
  return openSession(dir, id, "resume", onEvent);
}

/** Reads a session without taking it; a line that is being written is left out. */
export function readSession(root: string, id: string): SessionEvent[] {
  const file = sessionFile(root, id);
  const fd = openEvents(file, "read");
  try {
    return [...readEvents(fd, file)].map((line) => line.event);
  } finally {
    closeSync(fd);
  }
}

function openSession(dir: string, id: string, mode: "create" | "resume", onEvent?: EventListener): Session {
  const unlock = lockSession(dir);
  const path = join(dir, "events.jsonl");
  const events: SessionEvent[] = [];
  let length = 0;
  let fd = -1;
  try {
    fd = mode === "resume" ? openEvents(path, "write") : openSync(join(dir, BEGINNING), "wx+", 0o600);
    for (const line of readEvents(fd, path)) {
      events.push(line.event);
      length = line.endByte;
    }
  } catch (error) {
    if (fd >= 0) closeSync(fd);
    unlock();
    throw error;
  }
  const torn = fstatSync(fd).size - length;
  if (torn > 0) ftruncateSync(fd, length);

  const session: Session = {
    id,
    path,
    events,
    get start() {
      const first = events[0];
      if (first?.type !== "session.start") throw damaged({ file: path, line: 1, problem: "is not session.start" });
      return first;
    },
    append(...facts) {
      const at = new Date().toISOString();
      const added = facts.map((fact, index) =>
        serializeEvent({ v: SESSION_SCHEMA, seq: events.length + index + 1, at, ...fact }),
      );
      const bytes = Buffer.concat(added.map((one) => one.bytes));
      // A process that was wrongly declared dead must not overwrite later events.
      if (fstatSync(fd).size !== length) {
        throw new SpillwayError(
          "SESSION_BUSY",
          "This session was taken over by another process; nothing more is written.",
          {
            details: { path },
          },
        );
      }
      try {
        for (let done = 0; done < bytes.length; ) {
          done += writeSync(fd, bytes, done, bytes.length - done, length + done);
        }
      } catch (error) {
        ftruncateSync(fd, length);
        throw new SpillwayError("STORE_FAILED", `The session cannot be written: ${(error as Error).message}`, {
          details: { path },
          cause: error,
        });
      }
      length += bytes.length;
      const recorded = added.map((one) => one.event);
      events.push(...recorded);
      if (facts.some((fact) => fact.type === "turn.end")) fdatasyncSync(fd);
      for (const event of recorded) onEvent?.(event, id);
      return recorded;
    },
    close() {
      closeSync(fd);
      unlock();
    },
    discard() {
      const taken = fstatSync(fd).size !== length;
      session.close();
      if (!taken) rmSync(dir, { recursive: true, force: true });
    },
  };
  if (mode === "create") return session;
  return beginOrClose(session, () => session.append({ type: "session.resume", recoveredBytes: torn }));
}

/** The session once it has begun; releases the lock if it cannot begin. */
function beginOrClose(session: Session, begin: () => void): Session {
  try {
    begin();
    return session;
  } catch (error) {
    session.close();
    throw error;
  }
}

/** The file of a session that is there, whatever is in it. */
export function sessionFile(root: string, id: string): string {
  kinds.text(root, "The root of a session");
  kinds.text(id, "The id of a session");
  const file = join(root, SESSIONS_DIR, id, "events.jsonl");
  if (!/^[\w-]+$/.test(id) || lstatSync(file, { throwIfNoEntry: false }) === undefined) {
    throw new SpillwayError("SESSION_NOT_FOUND", `There is no session ${id}. "spillway sessions list" shows them all.`);
  }
  return file;
}
