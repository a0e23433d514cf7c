import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../../src/artifacts/memory-store.ts";
import type { ArtifactStore, ArtifactWriter } from "../../src/artifacts/types.ts";
import { ArtifactSink } from "../../src/gate/artifact-sink.ts";
import { changedWriter } from "../support/changed-writer.ts";

const never = (): Promise<never> => new Promise(() => {});
const bytes = (length: number): Uint8Array => new Uint8Array(length).fill(97);

/** A store that falls silent at its second write, and all that it was asked for since. */
function silentStore(): { store: ArtifactStore; asked: string[] } {
  const inner = createMemoryStore();
  const asked: string[] = [];
  const create: ArtifactStore["create"] = async (request) => {
    const writer = await inner.create(request);
    let writes = 0;
    const ask = (what: string): Promise<never> => {
      asked.push(what);
      return never();
    };
    return changedWriter(writer, {
      write: (chunk) => (++writes < 2 ? writer.write(chunk) : ask("write")),
      finish: () => ask("finish"),
      discard: () => ask("discard"),
    });
  };
  return { store: { ...inner, create }, asked };
}

describe("a store that was silent once", () => {
  it("is asked for nothing more", async () => {
    const { store, asked } = silentStore();
    const sink = new ArtifactSink(store, 20);
    await sink.open({ tool: "x" }, [bytes(10)]);
    await sink.write(bytes(10));
    expect(asked).toEqual(["write"]);
    expect(sink.write(bytes(10))).toBeUndefined();
    const storage = await sink.close({ complete: true });
    expect(storage).toEqual({ lost: "the store did not answer within 0.02 s" });
    await sink.discard();
    expect(asked).toEqual(["write"]);
  });

  it("at its end is not asked to keep a part or to forget it", async () => {
    const { store, asked } = silentStore();
    const sink = new ArtifactSink(store, 20);
    await sink.open({ tool: "x" }, [bytes(10)]);
    expect(await sink.close({ complete: true })).toEqual({ lost: "the store did not answer within 0.02 s" });
    expect(asked).toEqual(["finish"]);
  });
});

/** A store whose writer does as told. */
function storeOf(over: (writer: ArtifactWriter) => Partial<ArtifactWriter>): ArtifactStore {
  const inner = createMemoryStore();
  const create: ArtifactStore["create"] = async (request) => {
    const writer = await inner.create(request);
    return changedWriter(writer, over(writer));
  };
  return { ...inner, create };
}

describe("a store that fails", () => {
  it("is quoted with what it said first, when several writes fail", async () => {
    let count = 0;
    const store = storeOf(() => ({
      write: () => Promise.reject(new Error(`failure ${++count}`)),
      finish: () => Promise.reject(new Error("cannot finish")),
    }));
    const sink = new ArtifactSink(store, 1000);
    await sink.open({ tool: "x" }, []);
    await Promise.all([sink.write(bytes(1)), sink.write(bytes(1))]);
    expect(await sink.close({ complete: true })).toEqual({ lost: "failure 1" });
  });

  it.each([0, 1])("after %i bytes says what of it was kept, if anything", async (kept) => {
    let writes = 0;
    const store = storeOf((writer) => ({
      write: (chunk) => (++writes > 1 ? Promise.reject(new Error("disk full")) : writer.write(chunk)),
    }));
    const sink = new ArtifactSink(store, 1000);
    await sink.open({ tool: "x" }, [bytes(kept)]);
    await sink.write(bytes(10));
    const storage = await sink.close({ complete: true });
    expect("lost" in storage && storage.lost).toMatch(
      kept === 0 ? /^disk full$/ : /^disk full; only the first 1 byte is in \S/,
    );
  });
});

describe("a store that opens too late", () => {
  it("is told to discard what nobody will write", async () => {
    const inner = createMemoryStore();
    let open = (): void => {};
    const opening = new Promise<void>((resolve) => {
      open = resolve;
    });
    const discarded = new Promise<void>((resolve) => {
      const create: ArtifactStore["create"] = async (request) => {
        await opening;
        const writer = await inner.create(request);
        return changedWriter(writer, { discard: () => writer.discard().then(resolve) });
      };
      const sink = new ArtifactSink({ ...inner, create }, 5);
      void sink.open({ tool: "x" }, [bytes(10)]).then(open);
    });
    await discarded;
    for await (const { id } of inner.list()) expect.unreachable(id);
  });
});

describe("a store that may stay silent for ever", () => {
  it.each([Infinity, 2 ** 31])("is waited for (%d ms)", async (timeoutMs) => {
    const inner = createMemoryStore();
    const create: ArtifactStore["create"] = async (request) => {
      await sleep(20);
      return inner.create(request);
    };
    const sink = new ArtifactSink({ create }, timeoutMs);
    await sink.open({ tool: "x" }, [bytes(10)]);
    expect(await sink.close({ complete: true })).toMatchObject({ artifact: { path: expect.any(String) } });
  });
});
