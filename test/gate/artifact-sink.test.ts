import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../../src/artifacts/memory-store.ts";
import type { ArtifactStore } from "../../src/artifacts/types.ts";
import { ArtifactSink } from "../../src/gate/artifact-sink.ts";

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
    return {
      ...writer,
      write: (chunk) => (++writes < 2 ? writer.write(chunk) : ask("write")),
      finish: () => ask("finish"),
      discard: () => ask("discard"),
    };
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
