import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeSessionStore } from "../../src/agent/contract.ts";
import type { PostgresSession } from "../../src/agent/postgres/postgres-session.ts";
import { createPostgresSessions, type PostgresSessionsOptions } from "../../src/agent/postgres/postgres-sessions.ts";
import type { OpenSession } from "../../src/agent/session-store.ts";
import { PROJECT } from "../support/build.ts";
import { servers } from "./servers.ts";

/** Installed by `run.mjs`. */
const PG = path.join(PROJECT, "bench/scale/peers/node_modules/pg/lib/index.js");

const LEASE_MS = 700;
const EMPTY = "truncate spillway_sessions cascade";

type Pool = NonNullable<PostgresSessionsOptions["pool"]> & { end(): Promise<void> };

const pools: Readonly<Record<string, (url: string) => Promise<Pool>>> = {
  postgres: async (url) => postgres(url, { max: 4, onnotice: () => {} }) as unknown as Pool,
  pg: async (url) => {
    const { default: pg } = (await import(pathToFileURL(PG).href)) as {
      readonly default: { readonly Pool: new (options: { readonly connectionString: string }) => Pool };
    };
    return new pg.Pool({ connectionString: url });
  },
};

describe.skipIf(servers.postgres === undefined || !existsSync(PG)).each(Object.keys(pools))(
  "sessions over a pool of %s that the caller has",
  (driver) => {
    let pool: Pool;
    beforeAll(async () => {
      const name = `p${randomUUID().replaceAll("-", "")}`;
      const sql = postgres(servers.postgres ?? "", { max: 1 });
      await sql.unsafe(`create database ${name}`);
      await sql.end();
      pool = await pools[driver]!((servers.postgres ?? "").replace(/[^/]+$/, name));
      await createPostgresSessions({ pool }).migrate();
    });
    afterAll(() => pool.end());

    describeSessionStore(
      driver,
      async () => {
        await ("unsafe" in pool ? pool.unsafe(EMPTY) : pool.query(EMPTY));
        const sessions = createPostgresSessions({ pool, leaseMs: LEASE_MS });
        const kill = async (session: OpenSession) => {
          (session as PostgresSession).abandon();
          await sleep(LEASE_MS + 100);
        };
        return { sessions, kill };
      },
      { describe, it, expect },
    );

    it("leaves the pool to its owner, and adds up records", async () => {
      const store = createPostgresSessions({ pool });
      await store.addRecords("/a", [{ one: 1 }, { two: '"\\' }]);
      await store.close();
      const again = createPostgresSessions({ pool });
      expect((await again.readRecords()).map((record) => JSON.stringify(record)).sort()).toEqual(
        ['{"one":1}', '{"two":"\\"\\\\"}'].sort(),
      );
    });
  },
);
