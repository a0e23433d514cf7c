import type { SessionEvent, SessionFact, SessionStart } from "./events.ts";
import type { SessionSummary } from "./list-sessions.ts";

/** Hears of every event once it is recorded. */
export type EventListener = (event: SessionEvent, session: string) => void;

/** The first data of a new session. */
export type NewSession = Omit<SessionStart, "type" | "session">;

/** A session open for exclusive writing; `events` are those recorded, in order. */
export interface OpenSession {
  readonly id: string;
  /** Where it is kept, for people. */
  readonly path: string;
  readonly start: SessionStart;
  readonly events: readonly SessionEvent[];
  /**
   * Records the events, numbered on from the last, all or none of them. Rejects with SESSION_BUSY when somebody else has
   * taken the session since, and records nothing then.
   */
  append(...facts: readonly SessionFact[]): readonly SessionEvent[] | Promise<readonly SessionEvent[]>;
  /** Gives the session free for others. */
  close(): void | Promise<void>;
  /** Instead of `close`: removes an unneeded session. Optional; without it such a session is kept. */
  discard?(): void | Promise<void>;
}

export interface TailOptions {
  /** Events after this number. @default 0 */
  readonly afterSeq?: number | undefined;
  /** How often to look for new ones. @default 500 */
  readonly pollMs?: number | undefined;
  /** Ends the tail. */
  readonly signal?: AbortSignal | undefined;
}

/** A store of sessions. The suite in `spillway/agent/contract` tests an implementation. */
export interface SessionStore {
  /** Starts a session and takes it. */
  create(start: NewSession, onEvent?: EventListener): Promise<OpenSession>;
  /**
   * Takes a session to go on with it and records that. Rejects with SESSION_BUSY while a live worker has it, with
   * SESSION_NOT_FOUND if it does not exist.
   */
  resume(id: string, onEvent?: EventListener): Promise<OpenSession>;
  /** Reads a session without taking it. */
  read(id: string): Promise<readonly SessionEvent[]>;
  /** Streams the events of a session until the signal or the reader ends it. */
  tail(id: string, options?: TailOptions): AsyncIterable<SessionEvent>;
  /** Newest first. */
  list(): Promise<readonly SessionSummary[]>;
  /** Ends connections that the store opened. */
  close?(): Promise<void>;
}
