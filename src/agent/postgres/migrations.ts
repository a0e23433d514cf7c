import { SpillwayError } from "../../errors.ts";
import type { Database } from "./postgres-sessions.ts";

/** Each runs once, in this order; a new one is added at the end and none is ever changed. */
const MIGRATIONS = [
  `create table spillway_sessions (
     id text primary key,
     root text not null,
     model text not null,
     agent text,
     parent text,
     prompt text not null default '',
     last_end text,
     last_seq integer not null default 0,
     created_at timestamptz not null default now(),
     updated_at timestamptz not null default now(),
     holder text,
     fence bigint not null default 0,
     lease_until timestamptz
   );
   create index spillway_sessions_by_time on spillway_sessions (id desc);
   create table spillway_events (
     session text not null references spillway_sessions on delete cascade,
     seq integer not null,
     part integer not null,
     text text not null,
     primary key (session, seq, part)
   );`,
  `create table spillway_records (
     id bigint generated always as identity primary key,
     at timestamptz not null default now(),
     root text not null,
     record text not null
   );`,
];

/** The version that this code works with. */
export const SCHEMA_VERSION: number = MIGRATIONS.length;

/** Any number will do, as long as everybody takes the same. */
const LOCK = 7_205_118;

/** Brings the tables up to date, one caller at a time; gives the versions before and after. */
export async function migrate(database: Database): Promise<{ readonly from: number; readonly to: number }> {
  const from = await schemaVersion(database);
  if (from > SCHEMA_VERSION) throw tooNew(from);
  if (from === SCHEMA_VERSION) return { from, to: from };
  const steps = MIGRATIONS.map(
    (migration, at) => `if current < ${at + 1} then
      ${migration}
      insert into spillway_schema (version) values (${at + 1});
    end if;`,
  );
  await database.script(`do $do$ declare current integer; begin
    perform pg_advisory_xact_lock(${LOCK});
    create table if not exists spillway_schema (version integer primary key, applied_at timestamptz not null default now());
    select coalesce(max(version), 0) into current from spillway_schema;
    ${steps.join("\n")}
  end $do$;`);
  return { from, to: await schemaVersion(database) };
}

/** Throws unless the tables are of the version that this code works with. */
export async function requireSchema(database: Database): Promise<void> {
  const version = await schemaVersion(database);
  if (version > SCHEMA_VERSION) throw tooNew(version);
  if (version === SCHEMA_VERSION) return;
  const state = version === 0 ? "has no tables of Spillway's yet" : `has tables of version ${version}`;
  throw new SpillwayError(
    "STORE_FAILED",
    `The database ${state}; "spillway store init --sessions postgres://…" makes those of version ${SCHEMA_VERSION}.`,
  );
}

async function schemaVersion(database: Database): Promise<number> {
  const [there] = await database.query("select to_regclass('spillway_schema') is not null as there");
  if (there?.there !== true) return 0;
  const [row] = await database.query("select coalesce(max(version), 0)::int as version from spillway_schema");
  return Number(row?.version ?? 0);
}

function tooNew(version: number): SpillwayError {
  return new SpillwayError(
    "STORE_FAILED",
    `The database has tables of version ${version}; this version of Spillway knows ${SCHEMA_VERSION}.`,
  );
}
