import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../../src/artifacts/memory-store.ts";
import { createSpillway } from "../../src/gate/spillway.ts";
import type { Kept } from "../../src/gate/types.ts";
import { temporaryFolder } from "../support/folder.ts";

const root = temporaryFolder("keep");
const spillway = createSpillway({ root, env: {}, config: false });
const artifactOf = ({ storage }: Kept) => ("artifact" in storage ? storage.artifact : expect.unreachable(storage.lost));

describe("keep", () => {
  it("saves what is within the limits too, byte for byte, and counts nothing", async () => {
    const kept = await spillway.keep("two\nlines 🌊", { tool: "Note", callId: "c1" });
    const { id, path, name } = artifactOf(kept);
    expect(readFileSync(path, "utf8")).toBe("two\nlines 🌊");
    expect(name).toMatch(/_Note_c1_.*\.txt$/);
    expect(kept.size).toEqual({ lines: 2, bytes: 14, chars: 12 });
    expect((await spillway.store.verify(id)).ok).toBe(true);
    expect(spillway.stats()).toEqual({});
  });

  it("saves a value as JSON beside the artifact it belongs to", async () => {
    const { id } = artifactOf(await spillway.keep("text"));
    const { path, id: second } = artifactOf(await spillway.keep({ value: { a: [1] } }, { relatedTo: id }));
    expect(path).toMatch(/\.json$/);
    expect(readFileSync(path, "utf8")).toBe('{\n  "a": [\n    1\n  ]\n}');
    expect((await spillway.store.find(second))?.manifest).toMatchObject({ relatedTo: id, complete: true });
  });

  it("streams, and says of a source that breaks off why it is not whole", async () => {
    async function* source() {
      yield "first ";
      yield Buffer.from("second");
      throw new Error("the line went dead");
    }
    const { id, path } = artifactOf(await spillway.keep(source()));
    expect(readFileSync(path, "utf8")).toBe("first second");
    const manifest = (await spillway.store.find(id))?.manifest;
    expect(manifest).toMatchObject({ complete: false, reason: expect.stringContaining("the line went dead") });
  });

  it("takes the caller's word that it is a part only", async () => {
    const { id } = artifactOf(await spillway.keep("some", { cutShort: "the rest is elsewhere" }));
    const manifest = (await spillway.store.find(id))?.manifest;
    expect(manifest).toMatchObject({ complete: false, reason: "the rest is elsewhere" });
  });

  it("says what was lost when the store fails", async () => {
    const store = createMemoryStore();
    store.create = () => Promise.reject(new Error("no space left"));
    const { storage, size } = await createSpillway({ root, env: {}, store }).keep("text");
    expect(storage).toEqual({ lost: "no space left" });
    expect(size.bytes).toBe(4);
  });

  it("refuses what is no output, and options it does not know", async () => {
    await expect(spillway.keep(5 as never)).rejects.toThrow("must be a string");
    await expect(spillway.keep("x", { name: "y" } as never)).rejects.toThrow(/name/);
  });
});

describe("keep of texts that come in parts", () => {
  it("keeps a character whose halves are in two of them", async () => {
    async function* source() {
      yield "wave \ud83c";
      yield "\udf0a, and \ud83c";
    }
    const { path } = artifactOf(await spillway.keep(source()));
    expect(readFileSync(path, "utf8")).toBe("wave 🌊, and \ufffd");
  });
});
