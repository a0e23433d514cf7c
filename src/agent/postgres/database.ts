import { invalidArgument } from "../../errors.ts";

/** What is asked of a driver: a text with `$1`, `$2`, … and their values, all texts or numbers; rows come back. */
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

/** Connections of our own to an address; `postgres` must be installed beside Spillway. */
export async function connect(url: string, max: number): Promise<Database> {
  const postgres = await import("postgres").catch((cause) => {
    throw invalidArgument("Sessions in PostgreSQL need a driver: npm install postgres@3.", {
      cause,
    });
  });
  const sql = postgres.default(url, { max, onnotice: () => {}, connect_timeout: 30, idle_timeout: 60 });
  return { ...databaseOf(sql as unknown as PostgresSql), close: () => sql.end({ timeout: 5 }) };
}
