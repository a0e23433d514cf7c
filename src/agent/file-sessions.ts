import { setTimeout as sleep } from "node:timers/promises";
import { kinds } from "../limits/options.ts";
import type { SessionEvent } from "./events.ts";
import { listSessions } from "./list-sessions.ts";
import { createSession, readSession, resumeSession } from "./session.ts";
import type { SessionStore, TailOptions } from "./session-store.ts";

const POLL_MS = 500;

/** Sessions as files below a root, `.agents/sessions/<id>/events.jsonl`. */
export function createFileSessions(root: string): SessionStore {
  kinds.text(root, "The root for createFileSessions()");
  const read = async (id: string) => readSession(root, id);
  return {
    create: async ({ root: _, ...start }, onEvent) => createSession(root, start, onEvent),
    resume: async (id, onEvent) => resumeSession(root, id, onEvent),
    read,
    tail: (id, options) => tailByReading(read, id, options),
    list: async () => listSessions(root),
  };
}

/** Follows a session by reading it again; `read` may skip events before a number. */
export async function* tailByReading(
  read: (id: string, afterSeq: number) => Promise<readonly SessionEvent[]>,
  id: string,
  { afterSeq = 0, pollMs = POLL_MS, signal }: TailOptions = {},
): AsyncIterable<SessionEvent> {
  let last = afterSeq;
  while (signal?.aborted !== true) {
    for (const event of await read(id, last)) {
      if (event.seq <= last) continue;
      last = event.seq;
      yield event;
    }
    await sleep(pollMs, undefined, { signal }).catch(() => undefined);
  }
}
