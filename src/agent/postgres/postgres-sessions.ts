import { hostname } from "node:os";
import { createArtifactId } from "../../artifacts/artifact-name.ts";
import { invalidArgument, SpillwayError } from "../../errors.ts";
import { checkOptions, kinds } from "../../limits/options.ts";
import { type EndReason, SESSION_SCHEMA, type SessionEvent } from "../events.ts";
import { tailByReading } from "../file-sessions.ts";
import { PROMPT_CHARS, type SessionSummary } from "../list-sessions.ts";
import type { SessionStore } from "../session-store.ts";
import { migrate, requireSchema } from "./migrations.ts";
import { PostgresSession } from "./postgres-session.ts";

/** The required driver: a text with `$1`, `$2`, … and their values, all texts or numbers; returns rows. */
export interface Database {
  query(text: string, values?: readonly (string | number | null)[]): Promise<readonly Row[]>;
  /** Runs statements as one transaction, or none of them. */
  script(text: string): Promise<void>;
  close(): Promise<void>;
}

export type Row = Readonly<Record<string, unknown>>;

/** A pool of `postgres` (its `sql`), or of `pg`. */
export type PostgresPool = PostgresSql | PgPool;

interface PostgresSql {
  unsafe(text: string, values?: never[], options?: { prepare?: boolean }): PromiseLike<readonly unknown[]>;
}

interface PgPool {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

/** A pool of the caller's; it stays the caller's to end. */
export function databaseOf(pool: PostgresPool): Database {
  if ("unsafe" in pool && typeof pool.unsafe === "function") {
    return {
      query: async (text, values = []) => (await pool.unsafe(text, [...values] as never[], { prepare: true })) as Row[],
      script: async (text) => void (await pool.unsafe(text)),
      close: async () => {},
    };
  }
  const { query } = pool as PgPool;
  const ask = query.bind(pool);
  return {
    query: async (text, values = []) => (await ask(text, [...values])).rows as Row[],
    script: async (text) => void (await ask(text)),
    close: async () => {},
  };
}

/** Our own connections to an address; `postgres` must be installed next to Spillway. */
export async function connect(url: string, max: number): Promise<Database> {
  const postgres = await import("postgres").catch((cause) => {
    throw invalidArgument("Sessions in PostgreSQL need a driver: npm install postgres@3.", {
      cause,
    });
  });
  const sql = postgres.default(url, { max, onnotice: () => {}, connect_timeout: 30, idle_timeout: 60 });
  return { ...databaseOf(sql as unknown as PostgresSql), close: () => sql.end({ timeout: 5 }) };
}

export interface PostgresSessionsOptions {
  /** `postgres://user@host/database`; needs the package `postgres`. */
  readonly url?: string | undefined;
  /** Instead: a `sql` of `postgres`, or a `Pool` of `pg`; it stays yours to end. */
  readonly pool?: PostgresPool | undefined;
  /** A worker that died loses its session after so long. @default 30000 */
  readonly leaseMs?: number | undefined;
  /** Connections to `url`. @default 4 */
  readonly maxConnections?: number | undefined;
  /** Who has a session, for those who list them. @default host name and process id */
  readonly holder?: string | undefined;
}

/** Sessions in PostgreSQL. */
export interface PostgresSessions extends SessionStore {
  /** Makes the tables, or brings them up to date; gives the versions before and after. */
  migrate(): Promise<{ readonly from: number; readonly to: number }>;
  /** Adds truncation records and counters of a root, for `spillway stats`. */
  addRecords(root: string, records: readonly object[]): Promise<void>;
  /** All records, oldest first. */
  readRecords(): Promise<readonly object[]>;
  close(): Promise<void>;
}

const CHECKS = {
  url: kinds.text,
  pool: kinds.any,
  leaseMs: kinds.above0,
  maxConnections: kinds.above0,
  holder: kinds.text,
} satisfies Record<keyof PostgresSessionsOptions, unknown>;

const TAKE = `update spillway_sessions set
  fence = fence + 1, holder = $2, lease_until = now() + $3::int * interval '1 millisecond'
where id = $1 and (lease_until is null or lease_until < now())
returning fence::text as fence`;

const READ = "select seq, text from spillway_events where session = $1 and seq > $2::int order by seq, part";

const LIST = `select id, model, agent, parent, prompt, last_end, last_seq, created_at, updated_at,
  case when lease_until > now() then holder end as writer
from spillway_sessions order by id desc`;

/** Keeps sessions in PostgreSQL, each with one worker at a time: by a lease, which a worker that dies loses. */
export function createPostgresSessions(options: PostgresSessionsOptions): PostgresSessions {
  checkOptions(options, CHECKS, "createPostgresSessions()");
  const { url, pool, leaseMs = 30_000, holder = `${hostname()} (process ${process.pid})` } = options;
  if ((url === undefined) === (pool === undefined))
    throw invalidArgument("createPostgresSessions() needs either a url or a pool.");
  let opened: Promise<Database> | undefined;
  let checked: Promise<void> | undefined;
  const open = () => {
    opened ??=
      pool === undefined ? connect(url as string, options.maxConnections ?? 4) : Promise.resolve(databaseOf(pool));
    return opened;
  };
  const ready = async () => {
    const database = await open();
    checked ??= requireSchema(database);
    await checked.catch((error: unknown) => {
      checked = undefined;
      throw failed(error);
    });
    return database;
  };
  const read = async (id: string, afterSeq = 0): Promise<SessionEvent[]> => {
    const events = parseRows(id, await (await ready()).query(READ, [id, afterSeq]));
    if (events.length === 0 && afterSeq === 0) throw notFound(id);
    return events;
  };

  return {
    async create(start, onEvent) {
      const database = await ready();
      const id = `ses_${createArtifactId()}`;
      const [row] = await database.query(
        `insert into spillway_sessions (id, root, model, agent, parent, holder, fence, lease_until)
         values ($1, $2, $3, $4, $5, $6, 1, now() + $7::int * interval '1 millisecond') returning fence::text as fence`,
        [
          id,
          start.root,
          start.model,
          start.agent ?? null,
          start.parent ? JSON.stringify(start.parent) : null,
          holder,
          leaseMs,
        ],
      );
      const session = new PostgresSession(database, { id, fence: String(row?.fence), leaseMs }, [], onEvent);
      await session.append({ type: "session.start", session: id, ...start });
      return session;
    },
    async resume(id, onEvent) {
      const database = await ready();
      const [taken] = await database.query(TAKE, [id, holder, leaseMs]);
      if (taken === undefined) throw await busyOrMissing(database, id);
      const events = await read(id);
      const session = new PostgresSession(database, { id, fence: String(taken.fence), leaseMs }, events, onEvent);
      await session.append({ type: "session.resume", recoveredBytes: 0 });
      return session;
    },
    read: (id) => read(id),
    tail: (id, tailOptions) => tailByReading(read, id, tailOptions),
    async list() {
      return (await (await ready()).query(LIST)).map(summaryOf);
    },
    migrate: async () => migrate(await open()).catch((error: unknown) => Promise.reject(failed(error))),
    async addRecords(root, records) {
      if (records.length === 0) return;
      const texts = records.map((record) => `"${JSON.stringify(record).replaceAll(/[\\"]/g, "\\$&")}"`);
      await (await ready()).query(
        "insert into spillway_records (root, record) select $1, record from unnest($2::text::text[]) as record",
        [root, `{${texts.join(",")}}`],
      );
    },
    async readRecords() {
      const rows = await (await ready()).query("select record from spillway_records order by id");
      return rows.map(({ record }) => JSON.parse(String(record)) as object);
    },
    async close() {
      await (await opened)?.close();
    },
  };
}

function parseRows(id: string, rows: readonly Readonly<Record<string, unknown>>[]): SessionEvent[] {
  const texts = new Map<number, string>();
  for (const { seq, text } of rows) texts.set(Number(seq), (texts.get(Number(seq)) ?? "") + String(text));
  return [...texts.values()].map((text) => {
    const event = JSON.parse(text) as SessionEvent;
    if (event.v === SESSION_SCHEMA) return event;
    throw new SpillwayError(
      "SESSION_DAMAGED",
      `Event ${event.seq} of ${id} has schema version ${event.v}, this version reads ${SESSION_SCHEMA}.`,
    );
  });
}

function summaryOf(row: Readonly<Record<string, unknown>>): SessionSummary {
  const prompt = String(row.prompt);
  return {
    id: String(row.id),
    startedAt: new Date(row.created_at as string).toISOString(),
    updatedAt: new Date(row.updated_at as string).toISOString(),
    model: String(row.model),
    agent: (row.agent as string | null) ?? undefined,
    parent: row.parent === null ? undefined : (JSON.parse(String(row.parent)) as SessionSummary["parent"]),
    prompt: prompt.length > PROMPT_CHARS ? `${prompt.slice(0, PROMPT_CHARS - 1)}…` : prompt,
    events: Number(row.last_seq),
    lastEnd: (row.last_end as EndReason | null) ?? undefined,
    writer: (row.writer as string | null) ?? undefined,
  };
}

async function busyOrMissing(database: Database, id: string): Promise<SpillwayError> {
  const [row] = await database.query(
    "select holder, ceil(extract(epoch from lease_until - now()))::int as seconds from spillway_sessions where id = $1",
    [id],
  );
  if (row === undefined) return notFound(id);
  return new SpillwayError(
    "SESSION_BUSY",
    `Session ${id} is being written by ${row.holder}; if that worker died, it is free in ${row.seconds} s.`,
    { details: { holder: row.holder } },
  );
}

function notFound(id: string): SpillwayError {
  return new SpillwayError("SESSION_NOT_FOUND", `There is no session ${id} in the database.`);
}

function failed(error: unknown): unknown {
  if (error instanceof SpillwayError) return error;
  const { message, code } = error as { message?: string; code?: string };
  return new SpillwayError("STORE_FAILED", `The database cannot be used: ${message || code || String(error)}`, {
    cause: error,
  });
}
