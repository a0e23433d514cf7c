import type { SessionEvent, SessionFact } from "./events.ts";
import type { OpenSession, SessionStore } from "./session-store.ts";

/** The functions of a test runner that the suite needs; vitest, jest and node:test with an `expect` provide them. */
export interface SessionContractRunner {
  describe(name: string, body: () => void): unknown;
  it(name: string, body: () => Promise<void>): unknown;
  expect(actual: unknown): {
    toBe(expected: unknown): unknown;
    toEqual(expected: unknown): unknown;
    toMatchObject(expected: object): unknown;
  };
}

/** An empty store, and a way to make one of its sessions look as if its worker was killed. */
export interface ContractSessions {
  readonly sessions: SessionStore;
  /** Resolves once another worker may take the session; the killed one may still try to write. */
  kill(session: OpenSession): Promise<void>;
}

const START = { root: "/work", model: "openai/test", depth: 0 };
const user = (text: string): SessionFact => ({ type: "user", text });

/** The contract of every session store. */
export function describeSessionStore(
  name: string,
  create: () => Promise<ContractSessions> | ContractSessions,
  runner: SessionContractRunner,
): void {
  const { describe, it, expect } = runner;

  describe(`${name} as a session store`, () => {
    it("numbers events without gaps and gives them back as recorded", async () => {
      const { sessions } = await create();
      const session = await sessions.create(START);
      const added = await session.append(user("one"), user("two"));
      expect(added.map(({ seq }) => seq)).toEqual([2, 3]);
      await session.append({ type: "turn.end", reason: "done" });
      const events = await sessions.read(session.id);
      expect(events.map(({ v, seq, type }) => [v, seq, type])).toEqual([
        [1, 1, "session.start"],
        [1, 2, "user"],
        [1, 3, "user"],
        [1, 4, "turn.end"],
      ]);
      expect(session.events).toEqual(events);
      expect(session.start).toMatchObject({ session: session.id, model: "openai/test" });
      await session.close();
    });

    it("keeps any text, however long or odd", async () => {
      const { sessions } = await create();
      const session = await sessions.create(START);
      const text = `\u0000 "quoted" \\back\\ {braces}, 漢字🙂 ${"x".repeat(150_000)} \ud800 end`;
      await session.append(user(text), user(""));
      await session.close();
      const [, first, second] = await sessions.read(session.id);
      expect(first).toEqual(session.events[1]);
      expect((first as { text: string }).text).toBe(text);
      expect((second as { text: string }).text).toBe("");
    });

    it("records all of an append or nothing", async () => {
      const { sessions } = await create();
      const session = await sessions.create(START);
      const impossible = { type: "user", text: 1n } as unknown as SessionFact;
      expect(await fails(async () => session.append(user("fine"), impossible))).toBe(true);
      await session.append(user("next"));
      const events = await sessions.read(session.id);
      expect(events.map(({ seq }) => seq)).toEqual([1, 2]);
      expect((events[1] as { text: string }).text).toBe("next");
      await session.close();
    });

    it("keeps the order of appends that nobody waited for", async () => {
      const { sessions } = await create();
      const session = await sessions.create(START);
      await Promise.all(Array.from({ length: 20 }, async (_, at) => session.append(user(`${at}`), user(`${at}b`))));
      await session.close();
      const events = (await sessions.read(session.id)).slice(1);
      expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 40 }, (_, at) => at + 2));
      expect(events.map((event) => (event as { text: string }).text)).toEqual(
        Array.from({ length: 40 }, (_, at) => `${Math.floor(at / 2)}${at % 2 === 0 ? "" : "b"}`),
      );
    });

    it("gives a session to one worker at a time, and goes on where it was left", async () => {
      const { sessions } = await create();
      const first = await sessions.create(START);
      await first.append(user("one"));
      expect(await codeOf(sessions.resume(first.id))).toBe("SESSION_BUSY");
      await first.close();
      const heard: SessionEvent[] = [];
      const second = await sessions.resume(first.id, (event) => heard.push(event));
      await second.append(user("two"));
      await second.close();
      const types = (await sessions.read(first.id)).map(({ type }) => type);
      expect(types).toEqual(["session.start", "user", "session.resume", "user"]);
      expect(heard.map(({ seq }) => seq)).toEqual([3, 4]);
      expect(await codeOf(sessions.resume("ses_none"))).toBe("SESSION_NOT_FOUND");
      expect(await codeOf(sessions.read("ses_none"))).toBe("SESSION_NOT_FOUND");
    });

    it("removes a session that is discarded, and nothing of one that another worker has taken", async () => {
      const { sessions, kill } = await create();
      const first = await sessions.create(START);
      if (first.discard === undefined) return first.close();
      await first.discard();
      expect(await codeOf(sessions.read(first.id))).toBe("SESSION_NOT_FOUND");
      const lost = await sessions.create(START);
      await kill(lost);
      const taken = await sessions.resume(lost.id);
      await Promise.resolve(lost.discard?.()).catch(() => undefined);
      await taken.append(user("still here"));
      await taken.close();
      expect((await sessions.read(lost.id)).at(-1)).toMatchObject({ text: "still here" });
    });

    it("gives the session of a killed worker to another, and takes nothing more from the first", async () => {
      const { sessions, kill } = await create();
      const first = await sessions.create(START);
      await first.append(user("one"));
      await kill(first);
      const second = await sessions.resume(first.id);
      await second.append(user("two"));
      expect(await codeOf(Promise.resolve().then(() => first.append(user("too late"))))).toBe("SESSION_BUSY");
      await second.append(user("three"));
      await second.close();
      const texts = (await sessions.read(first.id)).flatMap((event) => (event.type === "user" ? event.text : []));
      expect(texts).toEqual(["one", "two", "three"]);
      await Promise.resolve(first.close()).catch(() => undefined);
    });

    it("of many who want the session of a killed worker one gets it", async () => {
      const { sessions, kill } = await create();
      const first = await sessions.create(START);
      await kill(first);
      const tries = await Promise.allSettled(Array.from({ length: 8 }, () => sessions.resume(first.id)));
      const taken = tries.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
      expect(taken.length).toBe(1);
      await taken[0]?.close();
      await Promise.resolve(first.close()).catch(() => undefined);
    });

    it("lists the newest first, with how they ended", async () => {
      const { sessions } = await create();
      const old = await sessions.create({ ...START, agent: "explore", parent: { session: "ses_x", callId: "c" } });
      await old.append(user("the first prompt"), { type: "turn.end", reason: "done" });
      await old.close();
      const young = await sessions.create(START);
      await young.append(user("p".repeat(500)));
      const [first, second] = await sessions.list();
      expect(first).toMatchObject({ id: young.id, events: 2, model: "openai/test" });
      expect([first?.lastEnd, first?.writer === undefined, first?.prompt.length]).toEqual([undefined, false, 120]);
      expect(second).toMatchObject({ id: old.id, prompt: "the first prompt", lastEnd: "done", agent: "explore" });
      expect([second?.writer, second?.parent]).toEqual([undefined, { session: "ses_x", callId: "c" }]);
      await young.close();
    });

    it("lets others follow a session while it is written", async () => {
      const { sessions } = await create();
      const session = await sessions.create(START);
      const seen: number[] = [];
      const follower = (async () => {
        for await (const { seq, type } of sessions.tail(session.id, { afterSeq: 1, pollMs: 10 })) {
          seen.push(seq);
          if (type === "turn.end") return;
        }
      })();
      for (let at = 0; at < 5; at++) await session.append(user(String(at)));
      await session.append({ type: "turn.end", reason: "done" });
      await follower;
      expect(seen).toEqual([2, 3, 4, 5, 6, 7]);
      await session.close();
    });
  });
}

async function codeOf(operation: Promise<unknown>): Promise<unknown> {
  return operation.then(
    () => "it did not fail",
    (error: { code?: unknown }) => error.code,
  );
}

async function fails(operation: () => Promise<unknown>): Promise<boolean> {
  return operation().then(
    () => false,
    () => true,
  );
}
