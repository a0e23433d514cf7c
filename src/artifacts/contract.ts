import { createHash } from "node:crypto";
import type { ArtifactStore, CreateArtifact, Manifest } from "./types.ts";

/** The functions of a test runner that the suite needs; vitest, jest and node:test with an `expect` provide them. */
export interface ContractRunner {
  describe(name: string, body: () => void): unknown;
  it(name: string, body: () => Promise<void>): unknown;
  expect(actual: unknown): {
    toBe(expected: unknown): unknown;
    toEqual(expected: unknown): unknown;
    toMatchObject(expected: object): unknown;
  };
}

export interface ContractStoreOptions {
  /** The clock the store must follow for ids and retention. */
  readonly now: () => number;
}

/** Gives an empty store each time it is called. */
export type CreateContractStore = (options: ContractStoreOptions) => Promise<ArtifactStore> | ArtifactStore;

const DAY_MS = 24 * 60 * 60 * 1000;
const START = Date.UTC(2026, 0, 13, 15, 30, 45);
const encoder = new TextEncoder();

/** The contract of every artifact store. */
export function describeArtifactStore(name: string, create: CreateContractStore, runner: ContractRunner): void {
  const { describe, it, expect } = runner;
  const newStore = async () => {
    const clock = { now: START };
    const store = await create({ now: () => clock.now });
    return { store, clock };
  };

  describe(`${name} as an artifact store`, () => {
    it("gives back the bytes that were written, with a true manifest", async () => {
      const { store } = await newStore();
      const input = encoder.encode("one\ntwo\r\n漢字🙂\nlast");
      const manifest = await save(store, { tool: "Bash", callId: "call_1" }, [input.slice(0, 5), input.slice(5)]);
      expect(manifest).toMatchObject({
        schema: 1,
        tool: "Bash",
        callId: "call_1",
        bytes: input.length,
        lines: 4,
        sha256: createHash("sha256").update(input).digest("hex"),
        complete: true,
        createdAt: new Date(START).toISOString(),
      });
      expect(await readAll(store, manifest.id)).toEqual(Buffer.from(input));
      expect(await readAll(store, manifest.id, 4, 8)).toEqual(Buffer.from(input.slice(4, 8)));
      expect(await readAll(store, manifest.id, 4, 1_000_000)).toEqual(Buffer.from(input.slice(4)));
      expect(await readAll(store, manifest.id, -3, 2)).toEqual(Buffer.from(input.slice(0, 2)));
      expect((await store.verify(manifest.id)).ok).toBe(true);
    });

    it("keeps any bytes exactly: NUL, invalid UTF-8, nothing at all, and chunks reused by the caller", async () => {
      const { store } = await newStore();
      const odd = Uint8Array.from([0, 255, 254, 13, 10, 128, 10, 0xf0, 0x9f]);
      const manifest = await save(store, { tool: "x" }, [odd]);
      expect(await readAll(store, manifest.id)).toEqual(Buffer.from(odd));
      expect(manifest.lines).toBe(3);
      const empty = await save(store, { tool: "x" }, []);
      expect([empty.bytes, empty.lines]).toEqual([0, 0]);
      expect((await readAll(store, empty.id)).length).toBe(0);
      expect((await store.verify(empty.id)).ok).toBe(false);
      const writer = await store.create({ tool: "x" });
      const chunk = encoder.encode("aaaa");
      for (const letter of ["a", "b", "c"]) {
        chunk.fill(letter.charCodeAt(0));
        await writer.write(chunk);
      }
      await writer.finish({ complete: true });
      expect((await readAll(store, writer.id)).toString()).toBe("aaaabbbbcccc");
    });

    it("keeps an artifact of many chunks whole", async () => {
      const { store } = await newStore();
      const chunks = Array.from({ length: 300 }, (_, at) => encoder.encode(`line ${at} ${"x".repeat(5000)}\n`));
      const manifest = await save(store, { tool: "Bash" }, chunks);
      expect(manifest.lines).toBe(300);
      expect((await readAll(store, manifest.id)).equals(Buffer.concat(chunks))).toBe(true);
      const answer = await store.readLines(manifest.id, { offsetLine: 250, limit: 2 });
      expect(answer.text.slice(0, 8)).toBe("line 249");
      expect([answer.startLine, answer.endLine, answer.totalLines]).toEqual([250, 251, 300]);
    });

    it("never overwrites: the same request twice gives two artifacts", async () => {
      const { store } = await newStore();
      const request = { tool: "Bash", callId: "same" };
      const [first, second] = await Promise.all([
        save(store, request, [encoder.encode("1")]),
        save(store, request, [encoder.encode("2")]),
      ]);
      expect(first.id === second.id || first.name === second.name).toBe(false);
      expect((await readAll(store, first.id)).toString()).toBe("1");
      expect((await readAll(store, second.id)).toString()).toBe("2");
    });

    it("finds by id, name, path and call id, whatever the call id contains", async () => {
      const { store, clock } = await newStore();
      for (const callId of ["toolu_01AbC", "../../etc/passwd", "漢字", "a b:c*d", "x".repeat(400), "CON"]) {
        clock.now += 1000;
        const manifest = await save(store, { tool: "Read", callId }, [encoder.encode(callId)]);
        const path = (await store.find(manifest.id))?.path ?? "";
        for (const reference of [manifest.id, manifest.name, path, callId]) {
          const found = await store.find(reference);
          expect([reference, found?.id]).toEqual([reference, manifest.id]);
          expect(found?.manifest?.callId).toBe(callId);
        }
      }
      expect(await store.find("toolu_01")).toBe(undefined);
      expect(await store.find("nothing")).toBe(undefined);
      expect(await store.find("")).toBe(undefined);
    });

    it("finds the newest artifact of a call, and rather the main one than what stands beside it", async () => {
      const { store, clock } = await newStore();
      await save(store, { tool: "T", callId: "c" }, []);
      clock.now += 1000;
      const main = await save(store, { tool: "T", callId: "c", extension: "json" }, []);
      clock.now += 1000;
      const beside = await save(store, { tool: "T", callId: "c", relatedTo: main.id }, []);
      expect((await store.find("c"))?.id).toBe(main.id);
      expect(beside.relatedTo).toBe(main.id);
      expect(main.name.endsWith(".json")).toBe(true);
    });

    it("lists oldest first, unfinished ones included", async () => {
      const { store, clock } = await newStore();
      const first = await save(store, { tool: "A" }, [encoder.encode("a\n")]);
      clock.now += 5000;
      const open = await store.create({ tool: "B", callId: "b" });
      clock.now += 5000;
      const last = await save(store, { tool: "C" }, []);
      const listed: (Manifest & { path: string })[] = [];
      for await (const manifest of store.list()) listed.push(manifest);
      expect(listed.map(({ id }) => id)).toEqual([first.id, open.id, last.id]);
      expect(listed.map(({ complete }) => complete)).toEqual([true, false, true]);
      expect(listed[1]).toMatchObject({ tool: "B", callId: "b" });
      expect((await store.verify(open.id)).ok).toBe(false);
      await open.write(encoder.encode("x"));
      await open.finish({ complete: true });
      expect((await store.verify(open.id)).ok).toBe(true);
    });

    it("records why an artifact was cut short", async () => {
      const { store } = await newStore();
      const writer = await store.create({ tool: "Bash" });
      await writer.write(encoder.encode("half"));
      const manifest = await writer.finish({ complete: false, reason: "timeout after 5 s" });
      expect(manifest).toMatchObject({ complete: false, reason: "timeout after 5 s", bytes: 4 });
      expect((await store.verify(writer.id)).ok).toBe(true);
    });

    it("removes every trace of a discarded or removed artifact", async () => {
      const { store } = await newStore();
      const writer = await store.create({ tool: "Bash" });
      await writer.write(encoder.encode("x"));
      await writer.discard();
      expect(await store.find(writer.id)).toBe(undefined);
      const manifest = await save(store, { tool: "Bash" }, [encoder.encode("x")]);
      expect(await store.remove(manifest.id)).toBe(true);
      expect(await store.remove(manifest.id)).toBe(false);
      expect(await store.find(manifest.id)).toBe(undefined);
      expect(await codeOf(readAll(store, manifest.id))).toBe("ARTIFACT_NOT_FOUND");
      expect(await codeOf(store.verify(manifest.id))).toBe("ARTIFACT_NOT_FOUND");
    });

    it("takes nothing after the end", async () => {
      const { store } = await newStore();
      const writer = await store.create({ tool: "Bash" });
      await writer.finish({ complete: true });
      expect(await codeOf(Promise.resolve(writer.write(encoder.encode("x"))))).toBe("INVALID_ARGUMENT");
    });

    it("pages by lines, also past the end and through one long line", async () => {
      const { store } = await newStore();
      const text = `first\r\n${"é".repeat(100)}\n\nlast`;
      const { id, bytes } = await save(store, { tool: "x" }, [encoder.encode(text)]);
      expect((await store.readLines(id, { offsetLine: 1, limit: 1 })).text).toBe("first\r\n");
      expect((await store.readLines(id, { offsetLine: 3, limit: 9 })).text).toBe("\nlast");
      const cut = await store.readLines(id, { offsetLine: 2, limit: 1, maxBytes: 51 });
      expect(cut).toMatchObject({ text: "é".repeat(25), lineCut: true, startByte: 7, endByte: 57, endLine: 2 });
      const past = await store.readLines(id, { offsetLine: 9, limit: 1 });
      expect(past).toMatchObject({ text: "", startLine: 9, endLine: 8, totalLines: 4, totalBytes: bytes });
      expect(await codeOf(store.readLines(id, { offsetLine: 0, limit: 1 }))).toBe("INVALID_ARGUMENT");
    });

    it("cleans up by age: never what is being written or pinned", async () => {
      const { store, clock } = await newStore();
      const expired = await save(store, { tool: "A" }, [encoder.encode("12345")]);
      const held = await save(store, { tool: "B" }, []);
      const open = await store.create({ tool: "C" });
      await store.pin("session", [held.id]);
      clock.now += 8 * DAY_MS;
      const fresh = await save(store, { tool: "D" }, []);
      const report = await store.cleanup({ retentionDays: 7 });
      expect(report).toMatchObject({ removed: [expired.id], freedBytes: 5 });
      expect(await idsOf(store)).toEqual([held.id, open.id, fresh.id]);
      await open.finish({ complete: true });
      await store.unpin("session");
      expect([...(await store.cleanup({ retentionDays: 7 })).removed].sort()).toEqual([held.id, open.id].sort());
      expect((await store.cleanup({ now: START + 30 * DAY_MS })).removed).toEqual([fresh.id]);
    });

    it("cleans up by quota, the oldest first; a new pin replaces the owner's earlier ones", async () => {
      const { store, clock } = await newStore();
      const ids: string[] = [];
      for (let at = 0; at < 4; at++) {
        clock.now += 1000;
        ids.push((await save(store, { tool: "A" }, [new Uint8Array(1000)])).id);
      }
      await store.pin("session", [ids[1] as string]);
      await store.pin("session", [ids[0] as string]);
      const report = await store.cleanup({ quotaBytes: 2000 });
      expect(report).toEqual({ removed: [ids[1], ids[2]], freedBytes: 2000, keptBytes: 2000 });
      expect(await idsOf(store)).toEqual([ids[0], ids[3]]);
    });
  });
}

async function save(store: ArtifactStore, request: CreateArtifact, chunks: readonly Uint8Array[]): Promise<Manifest> {
  const writer = await store.create(request);
  for (const chunk of chunks) await writer.write(chunk);
  return writer.finish({ complete: true });
}

async function readAll(store: ArtifactStore, id: string, startByte?: number, endByte = 0): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  const range = startByte === undefined ? undefined : { startByte, endByte };
  for await (const chunk of store.read(id, range)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function idsOf(store: ArtifactStore): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of store.list()) ids.push(id);
  return ids;
}

async function codeOf(operation: Promise<unknown>): Promise<unknown> {
  return operation.then(
    () => "it did not fail",
    (error: { code?: unknown }) => error.code,
  );
}
