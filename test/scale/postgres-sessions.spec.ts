import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeSessionStore } from "../../src/agent/contract.ts";
import type { PostgresSession } from "../../src/agent/postgres/postgres-session.ts";
import { createPostgresSessions, type PostgresSessions } from "../../src/agent/postgres/postgres-sessions.ts";
import { servers, tell } from "./servers.ts";

const WORKER = path.join(import.meta.dirname, "session-worker.mjs");
const LEASE_MS = 700;

describe.skipIf(servers.postgres === undefined)("sessions in PostgreSQL", () => {
  const opened: PostgresSessions[] = [];
  afterAll(async () => {
    for (const store of opened) await store.close();
  });

  async function newDatabase(): Promise<string> {
    const name = `t${randomUUID().replaceAll("-", "")}`;
    const sql = postgres(servers.postgres ?? "", { max: 1 });
    await sql.unsafe(`create database ${name}`);
    await sql.end();
    return (servers.postgres ?? "").replace(/[^/]+$/, name);
  }

  async function newSessions(url: string): Promise<PostgresSessions> {
    const store = createPostgresSessions({ url, leaseMs: LEASE_MS });
    opened.push(store);
    await store.migrate();
    return store;
  }

  let shared = "";
  beforeAll(async () => {
    shared = await newDatabase();
  });

  describeSessionStore(
    "PostgreSQL",
    async () => {
      const store = await newSessions(shared);
      const sql = postgres(shared, { max: 1, onnotice: () => {} });
      await sql.unsafe("truncate spillway_sessions cascade");
      await sql.end();
      return {
        sessions: store,
        kill: async (session) => {
          (session as PostgresSession).abandon();
          await sleep(LEASE_MS + 100);
        },
      };
    },
    { describe, it, expect },
  );

  it("a live worker's lease is renewed for as long as it lives", async () => {
    const store = await newSessions(shared);
    const session = await store.create({ root: "/", model: "m", depth: 0 });
    await sleep(LEASE_MS * 2.5);
    await expect(store.resume(session.id)).rejects.toThrow(/is being written by .*process \d+/);
    await session.close();
    await (await store.resume(session.id)).close();
  });

  it("makes its tables once, however many ask, and says what is missing", async () => {
    const url = await newDatabase();
    const bare = createPostgresSessions({ url });
    opened.push(bare);
    await expect(bare.list()).rejects.toThrow(/spillway store init --sessions/);
    const versions = await Promise.all(Array.from({ length: 6 }, () => bare.migrate()));
    expect(new Set(versions.map(({ to }) => to))).toEqual(new Set([2]));
    expect(await bare.list()).toEqual([]);
    const sql = postgres(url, { max: 1 });
    await sql`insert into spillway_schema (version) values (99)`;
    await sql.end();
    const old = createPostgresSessions({ url });
    opened.push(old);
    await expect(old.list()).rejects.toThrow(/version 99; this version of Spillway knows 2/);
    const nowhere = createPostgresSessions({ url: "postgres://x@127.0.0.1:1/x" });
    await expect(nowhere.list()).rejects.toThrow(/The database cannot be used/);
  });

  it("keeps every row below 64 KB", async () => {
    const store = await newSessions(shared);
    const session = await store.create({ root: "/", model: "m", depth: 0 });
    await session.append({ type: "user", text: "漢".repeat(60_000) });
    await session.close();
    const sql = postgres(shared, { max: 1 });
    const [row] =
      await sql`select max(octet_length(text)) as most, count(*)::int as rows from spillway_events where session = ${session.id}`;
    await sql.end();
    expect(Number(row?.most)).toBeLessThan(64 * 1024);
    expect(row?.rows).toBeGreaterThan(3);
    expect((await store.read(session.id))[1]).toEqual(session.events[1]);
  });

  it("8 workers, killed at random: no event is lost, none is there twice, every session ends", async () => {
    const url = await newDatabase();
    const store = await newSessions(url);
    const count = servers.long ? 200 : 60;
    const steps = 5;
    for (let at = 0; at < count; at++) await (await store.create({ root: "/", model: "m", depth: 0 })).close();
    let random = 42;
    const next = () => {
      random = (random * 1_103_515_245 + 12_345) % 2 ** 31;
      return random / 2 ** 31;
    };
    const most = servers.long ? 80 : 16;
    let kills = 0;
    let done = false;
    const worker = async (number: number) => {
      while (!done) {
        const child = spawn(process.execPath, [WORKER, url, String(steps), String(LEASE_MS)], {
          stdio: ["ignore", "pipe", "inherit"],
        });
        const ended = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
        // Killed in the middle of a session, one of its first few.
        let left = 1 + Math.floor(next() * 4);
        child.stdout.on("data", (chunk: Buffer) => {
          left -= chunk.toString().split("step 3").length - 1;
          if (left > 0 || kills >= most) return;
          left = Number.POSITIVE_INFINITY;
          kills += 1;
          child.kill("SIGKILL");
        });
        const code = await ended;
        if (code === 0) return;
        if (code !== null) throw new Error(`worker ${number} ended with ${code}`);
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, number) => worker(number)));
    done = true;
    const summaries = await store.list();
    expect(summaries).toHaveLength(count);
    expect(summaries.filter(({ lastEnd }) => lastEnd !== "done")).toEqual([]);
    let resumed = 0;
    for (const { id } of summaries) {
      const events = await store.read(id);
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));
      const texts = events.flatMap((event) => (event.type === "user" ? event.text : []));
      expect(texts).toEqual(Array.from({ length: steps }, (_, at) => `step ${at + 1}`));
      expect(events.filter(({ type }) => type === "turn.end")).toHaveLength(1);
      resumed += events.filter(({ type }) => type === "session.resume").length - 1;
    }
    // How many there are depends on who is fast; that there are many does not.
    expect(kills).toBeGreaterThan(most / 4);
    expect(resumed).toBeGreaterThan(0);
    tell(
      `8 workers, ${count} sessions in PostgreSQL, ${kills} workers killed`,
      `no event lost, none twice, all ended; ${resumed} sessions taken over`,
    );
  });

  it("adds up the records of a fleet", async () => {
    const store = await newSessions(await newDatabase());
    await Promise.all([store.addRecords("/a", [{ one: 1 }, { two: '"\\' }]), store.addRecords("/b", [{ three: 3 }])]);
    expect((await store.readRecords()).map((record) => JSON.stringify(record)).sort()).toEqual(
      ['{"one":1}', '{"three":3}', '{"two":"\\"\\\\"}'].sort(),
    );
  });
});
