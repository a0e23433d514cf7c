import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isSpillwayError } from "../errors.ts";
import type { EndReason, SessionEvent, SessionStart } from "./events.ts";
import { readSession, SESSIONS_DIR } from "./session.ts";
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
  /** Process that writes it now. */
  readonly writer?: number | undefined;
}

const PROMPT_CHARS = 120;

/** Every readable session below `root`, newest first; damaged ones are left out and named by `readSession`. */
export function listSessions(root: string): SessionSummary[] {
  const parent = join(root, SESSIONS_DIR);
  if (!existsSync(parent)) return [];
  return readdirSync(parent)
    .filter((id) => existsSync(join(parent, id, "events.jsonl")))
    .sort()
    .reverse()
    .flatMap((id) => summarize(root, id) ?? []);
}

/** How the newest turn ended; undefined when it has not. */
export function lastEnd(events: readonly SessionEvent[]): EndReason | undefined {
  const last = events.findLast((event) => event.type === "turn.end" || event.type === "user");
  return last?.type === "turn.end" ? last.reason : undefined;
}

function summarize(root: string, id: string): SessionSummary | undefined {
  let events: SessionEvent[];
  try {
    events = readSession(root, id);
  } catch (error) {
    if (isSpillwayError(error)) return undefined;
    throw error;
  }
  const start = events[0];
  if (start?.type !== "session.start") return undefined;
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
