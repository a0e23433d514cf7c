import { existsSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isSpillwayError } from "../errors.ts";
import { kinds } from "../limits/options.ts";
import type { EndReason, SessionEvent, SessionStart } from "./events.ts";
import { damaged, type SessionDamage } from "./read-events.ts";
import { readSession, SESSIONS_DIR, sessionFile } from "./session.ts";
import { sessionHolder } from "./session-lock.ts";

export interface SessionSummary {
  readonly id: string;
  readonly startedAt: string;
  readonly updatedAt: string;
  readonly model: string;
  readonly agent?: string | undefined;
  readonly parent?: SessionStart["parent"];
  /** Beginning of the first prompt. */
  readonly prompt: string;
  readonly events: number;
  /** How the newest turn ended; absent when it has not. */
  readonly lastEnd?: EndReason | undefined;
  /** Process, or worker, that writes it now. */
  readonly writer?: number | string | undefined;
}

/** Characters of a prompt that a summary shows. */
export const PROMPT_CHARS = 120;

/** An unreadable session and its problem. */
export interface DamagedSession {
  readonly id: string;
  readonly damaged: SessionDamage;
}

/** Every readable session below `root`, newest first; `listDamagedSessions` has the others. */
export function listSessions(root: string): SessionSummary[] {
  kinds.text(root, "The root for listSessions()");
  return inspectSessions(root).filter((found) => !("damaged" in found)) as SessionSummary[];
}

/** Every session below `root` that cannot be read, newest first. */
export function listDamagedSessions(root: string): DamagedSession[] {
  kinds.text(root, "The root for listDamagedSessions()");
  return inspectSessions(root).filter((found) => "damaged" in found);
}

/** Every session, readable or not, newest first. */
export function inspectSessions(root: string): (SessionSummary | DamagedSession)[] {
  return sessionIds(root).map((id) => inspect(root, id));
}

function sessionIds(root: string): string[] {
  const parent = join(root, SESSIONS_DIR);
  if (!existsSync(parent)) return [];
  return readdirSync(parent, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .filter((id) => lstatSync(join(parent, id, "events.jsonl"), { throwIfNoEntry: false }) !== undefined)
    .sort()
    .reverse();
}

/** How the newest turn ended; undefined when it has not. */
export function lastEnd(events: readonly SessionEvent[]): EndReason | undefined {
  const last = events.findLast((event) => event.type === "turn.end" || event.type === "user");
  return last?.type === "turn.end" ? last.reason : undefined;
}

function inspect(root: string, id: string): SessionSummary | DamagedSession {
  try {
    return summarize(root, id, readSession(root, id));
  } catch (error) {
    if (isSpillwayError(error) && error.code === "SESSION_DAMAGED")
      return { id, damaged: error.details as unknown as SessionDamage };
    const file = join(root, SESSIONS_DIR, id, "events.jsonl");
    return { id, damaged: { file, line: 0, problem: `cannot be read: ${(error as Error).message}` } };
  }
}

function summarize(root: string, id: string, events: readonly SessionEvent[]): SessionSummary {
  const start = events[0];
  if (start?.type !== "session.start")
    throw damaged({ file: sessionFile(root, id), line: 0, problem: "holds no whole event" });
  const prompt = events.find((event) => event.type === "user")?.text ?? "";
  return {
    id,
    startedAt: start.at,
    updatedAt: events.at(-1)?.at ?? start.at,
    model: start.model,
    agent: start.agent,
    parent: start.parent,
    prompt: prompt.length > PROMPT_CHARS ? `${prompt.slice(0, PROMPT_CHARS - 1)}…` : prompt,
    events: events.length,
    lastEnd: lastEnd(events),
    writer: sessionHolder(join(root, SESSIONS_DIR, id)),
  };
}
