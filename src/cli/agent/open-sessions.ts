import type { Command } from "commander";
import type { DamagedSession, SessionSummary } from "../../agent/list-sessions.ts";
import type { PostgresSessions } from "../../agent/postgres/postgres-sessions.ts";
import type { SessionStore } from "../../agent/session-store.ts";
import { readConfiguration } from "../../limits/configuration.ts";
import { parseSessionsUrl } from "../../limits/project-config.ts";
import { type RootOptions, resolveRoot } from "../options.ts";

export interface SessionsFlags extends RootOptions {
  readonly sessions?: string;
}

export function addSessionsOption(command: Command): Command {
  return command.option(
    "--sessions <url>",
    "keep sessions in this PostgreSQL database, postgres://… (default: $SPILLWAY_SESSIONS, else files below the root)",
  );
}

/** Where sessions are, and all of them, readable or not. */
export interface OpenSessions {
  readonly store: SessionStore;
  list(): Promise<readonly (SessionSummary | DamagedSession)[]>;
  close(): Promise<void>;
}

/** The sessions that flags, environment or the user's configuration name; files below the root when none does. */
export async function openSessions(flags: SessionsFlags): Promise<OpenSessions> {
  const { root } = resolveRoot(flags);
  const database = await openDatabase(flags);
  if (database !== undefined) return { store: database, list: () => database.list(), close: () => database.close() };
  const { createFileSessions } = await import("../../agent/file-sessions.ts");
  const { inspectSessions } = await import("../../agent/list-sessions.ts");
  return { store: createFileSessions(root), list: async () => inspectSessions(root), close: async () => {} };
}

/** The database for sessions; undefined when none is configured. */
export async function openDatabase(flags: SessionsFlags): Promise<PostgresSessions | undefined> {
  const { root, config } = resolveRoot(flags);
  const url = flags.sessions ?? (process.env.SPILLWAY_SESSIONS || (await readConfiguration(root, config)).sessions);
  if (url === undefined) return undefined;
  parseSessionsUrl(url, "--sessions");
  const { createPostgresSessions } = await import("../../agent/postgres/postgres-sessions.ts");
  const seconds = Number(process.env.SPILLWAY_LEASE_SECONDS);
  return createPostgresSessions({ url, ...(seconds > 0 && { leaseMs: seconds * 1000 }) });
}
