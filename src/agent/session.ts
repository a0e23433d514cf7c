import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { createArtifactId } from "../artifacts/artifact-id.ts";
import { SpillwayError } from "../errors.ts";
import { SESSION_SCHEMA, type SessionEvent, type SessionFact, type SessionStart } from "./events.ts";
import { serializeEvent } from "./serialize-event.ts";
import { lockSession } from "./session-lock.ts";

export const SESSIONS_DIR = ".agents/sessions";

/** A session open for writing; the events are what the file holds, in order. */
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
}

/** Hears of every event once it is written. */
export type EventListener = (event: SessionEvent, session: string) => void;

/** Starts a new session below `root`. */
export function createSession(
  root: string,
  start: Omit<SessionStart, "type" | "session" | "root">,
  onEvent?: EventListener,
): Session {
  const parent = join(root, SESSIONS_DIR);
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  const ignore = join(parent, ".gitignore");
  if (!existsSync(ignore)) writeFileSync(ignore, "*\n", { mode: 0o600 });
  const id = `ses_${createArtifactId()}`;
  const dir = join(parent, id);
  mkdirSync(dir, { mode: 0o700 });
  const session = openSession(dir, id, "create", onEvent);
  session.append({ type: "session.start", session: id, root, ...start });
  return session;
}

/** Opens an existing session to go on with it; a line torn by a crash is removed. */
export function resumeSession(root: string, id: string, onEvent?: EventListener): Session {
  return openSession(sessionDir(root, id), id, "resume", onEvent);
}

/** Reads a session without taking it; a line that is being written is left out. */
export function readSession(root: string, id: string): SessionEvent[] {
  const fd = openSync(join(sessionDir(root, id), "events.jsonl"), "r");
  try {
    return [...readEvents(fd)].map((line) => line.event);
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
    fd = openSync(path, mode === "resume" ? "r+" : "wx+", 0o600);
    for (const line of readEvents(fd)) {
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
      if (first?.type !== "session.start") throw damaged(path, "its first line is not session.start");
      return first;
    },
    append(...facts) {
      const at = new Date().toISOString();
      const added = facts.map((fact, index) =>
        serializeEvent({ v: SESSION_SCHEMA, seq: events.length + index + 1, at, ...fact }),
      );
      const bytes = Buffer.concat(added.map((one) => one.bytes));
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
  };
  if (mode === "resume") session.append({ type: "session.resume", recoveredBytes: torn });
  return session;
}

/** Whole lines with the byte where each ends. A last line without newline is torn and not given. */
function* readEvents(fd: number): Generator<{ event: SessionEvent; endByte: number }> {
  const chunk = Buffer.allocUnsafe(1 << 20);
  let rest = Buffer.alloc(0);
  let endByte = 0;
  let line = 0;
  for (let position = 0; ; ) {
    const got = readSync(fd, chunk, 0, chunk.length, position);
    if (got === 0) return;
    position += got;
    rest = Buffer.concat([rest, chunk.subarray(0, got)]);
    let start = 0;
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10, start)) {
      endByte += end + 1 - start;
      yield { event: parseEvent(rest.toString("utf8", start, end), ++line), endByte };
      start = end + 1;
    }
    rest = rest.subarray(start);
  }
}

function parseEvent(text: string, line: number): SessionEvent {
  let event: SessionEvent;
  try {
    event = JSON.parse(text) as SessionEvent;
  } catch (cause) {
    throw damaged("events.jsonl", `line ${line} is not JSON`, cause);
  }
  if (event.v !== SESSION_SCHEMA) {
    throw damaged("events.jsonl", `line ${line} has schema version ${event.v}, this version reads ${SESSION_SCHEMA}`);
  }
  return event;
}

function damaged(path: string, problem: string, cause?: unknown): SpillwayError {
  return new SpillwayError("SESSION_DAMAGED", `${path} cannot be read: ${problem}.`, { cause });
}

function sessionDir(root: string, id: string): string {
  const dir = join(root, SESSIONS_DIR, id);
  if (!/^[\w-]+$/.test(id) || !existsSync(join(dir, "events.jsonl"))) {
    throw new SpillwayError("SESSION_NOT_FOUND", `There is no session ${id}. "spillway sessions list" shows them all.`);
  }
  return dir;
}
