import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../../src/artifacts/memory-store.ts";
import type { ArtifactStore, Manifest } from "../../src/artifacts/types.ts";
import { renderHint } from "../../src/gate/render/hint-text.ts";
import { createSpillway } from "../../src/gate/spillway.ts";
import type { BoundedResult, Governed, SpillwayOptions } from "../../src/gate/types.ts";
import { STRATEGIES } from "../../src/limits/types.ts";
import { temporaryFolder } from "../support/folder.ts";
import { chunked, cuts, outputBytes } from "../support/text.ts";

const root = temporaryFolder("govern");
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`).join("\n");

function gate(options: SpillwayOptions = {}) {
  return createSpillway({ root, env: {}, config: false, ...options });
}

function bounded(governed: Governed): BoundedResult {
  if (governed.kind !== "bounded") expect.unreachable("the output was within limits");
  return governed;
}

async function stored(store: ArtifactStore, governed: Governed): Promise<Buffer> {
  const { storage } = bounded(governed);
  if (!("artifact" in storage)) expect.unreachable(storage.lost);
  const chunks: Uint8Array[] = [];
  for await (const chunk of store.read(storage.artifact.id)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function onlyManifest(store: ArtifactStore): Promise<Manifest> {
  for await (const manifest of store.list()) return manifest;
  expect.unreachable("nothing was stored");
}

async function* chunks<T>(...parts: readonly T[]): AsyncGenerator<T> {
  yield* parts;
}

describe("an output within limits", () => {
  it.each(["", "one line", "a\nb\n", "lone \ud800 half", "\u001b[31mred\u001b[0m\r\n"])(
    "comes back untouched: %j",
    async (text) => {
      const governed = await gate().govern(text);
      expect(governed).toMatchObject({ kind: "whole", text });
      expect(existsSync(join(root, ".agents"))).toBe(false);
    },
  );

  it("keeps bytes that are not text", async () => {
    const bytes = Uint8Array.from([0, 0xff, 0xfe, 10, 0xe6, 0xbc]);
    const governed = await gate().govern(bytes);
    expect(governed).toMatchObject({ kind: "whole", size: { lines: 2, bytes: 6 } });
    expect(governed.kind === "whole" && Buffer.from(governed.bytes ?? [])).toEqual(Buffer.from(bytes));
  });

  it("counts 2,000 lines as 2,000, with and without a final newline", async () => {
    expect((await gate().govern(numbered(2000))).kind).toBe("whole");
    expect((await gate().govern(`${numbered(2000)}\n`)).kind).toBe("whole");
    expect((await gate({ store: createMemoryStore() }).govern(numbered(2001))).kind).toBe("bounded");
  });

  it("gives a structured value back as it was", async () => {
    const value = { list: [1, 2], text: "x" };
    const governed = await gate().govern({ value });
    expect(governed).toMatchObject({ kind: "whole", text: JSON.stringify(value, null, 2) });
    expect(governed.kind === "whole" && governed.value).toBe(value);
  });
});

describe("an output over a limit", () => {
  it("is stored byte for byte and previewed the same, in whatever chunks it comes", async () => {
    const limits = fc.record({
      maxLines: fc.integer({ min: 1, max: 30 }),
      maxBytes: fc.integer({ min: 1, max: 600 }),
      strategy: fc.constantFrom(...STRATEGIES),
    });
    await fc.assert(
      fc.asyncProperty(outputBytes, cuts, limits, async (bytes, cuts, limits) => {
        const store = createMemoryStore();
        const spillway = gate({ store, ...limits });
        const streamed = await spillway.govern(chunks(...chunked(bytes, cuts)));
        const atOnce = await spillway.govern(bytes);
        expect(streamed.kind).toBe(atOnce.kind);
        if (streamed.kind === "whole") {
          expect(Buffer.from(streamed.bytes ?? [])).toEqual(Buffer.from(bytes));
          return;
        }
        expect(streamed.preview).toEqual(bounded(atOnce).preview);
        expect(await stored(store, streamed)).toEqual(Buffer.from(bytes));
        expect(await stored(store, atOnce)).toEqual(Buffer.from(bytes));
      }),
      { numRuns: 150 },
    );
  });

  it("is the same as a string and as string chunks that split surrogate pairs", async () => {
    const store = createMemoryStore();
    const text = "😀漢é".repeat(200);
    const spillway = gate({ store, maxBytes: 500 });
    const split = Array.from({ length: text.length }, (_, index) => text[index] ?? "");
    for (const output of [text, chunks(...split), Readable.from(split)]) {
      expect((await stored(store, await spillway.govern(output))).toString()).toBe(text);
    }
  });

  it("ends with a replacement character when the last half of a pair never comes", async () => {
    expect(await gate().govern(chunks("a\ud83d"))).toMatchObject({ kind: "whole", text: "a\ufffd" });
  });

  it("comes from a web stream, a node stream, bytes", async () => {
    const store = createMemoryStore();
    const spillway = gate({ store, maxLines: 10 });
    const bytes = Buffer.from(numbered(100));
    const web = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(bytes.subarray(0, 77));
        controller.enqueue(bytes.subarray(77));
        controller.close();
      },
    });
    for (const output of [web, Readable.from([bytes.subarray(0, 5), bytes.subarray(5)]), bytes])
      expect(await stored(store, await spillway.govern(output))).toEqual(bytes);
  });

  it("stores a structured value as pretty JSON, circles, big numbers and functions too", async () => {
    const store = createMemoryStore();
    const spillway = gate({ store, maxLines: 2 });
    const circular: Record<string, unknown> = { list: [1, 2, 3], big: 12n, gone: undefined };
    circular.self = circular;
    const governed = await spillway.govern({ value: circular }, { tool: "Db" });
    expect(JSON.parse((await stored(store, governed)).toString())).toEqual({
      list: [1, 2, 3],
      big: "12",
      self: "[circular]",
    });
    expect(bounded(governed).storage).toMatchObject({ artifact: { name: expect.stringMatching(/_Db_.*\.json$/) } });
    const shared = { a: 1 };
    expect(await gate().govern({ value: [shared, shared] })).toMatchObject({
      text: JSON.stringify([shared, shared], null, 2),
    });
    expect(await gate().govern({ value: undefined })).toMatchObject({ kind: "whole", text: "undefined" });
    const broken = {
      toJSON: () => {
        throw new Error("no");
      },
      name: "broken",
    };
    expect(await gate().govern({ value: broken })).toMatchObject({ text: expect.stringContaining("name: 'broken'") });
  });

  it("is over by a character that only the end completes", async () => {
    for (const strategy of STRATEGIES) {
      const store = createMemoryStore();
      const bytes = Buffer.from([...Buffer.from("0123456789"), 0xe6]);
      const governed = bounded(await gate({ store }).govern(bytes, { maxChars: 10, strategy }));
      expect(governed.size).toEqual({ lines: 1, bytes: 11, chars: 11 });
      expect(governed.preview.text.length).toBeLessThanOrEqual(10);
      expect(await stored(store, governed)).toEqual(bytes);
    }
  });

  it("counts tokens exactly with a counter", async () => {
    const store = createMemoryStore();
    const countTokens = (text: string) => text.split(/\s+/).filter(Boolean).length;
    const spillway = gate({ store, countTokens, strategy: "tail" });
    expect((await spillway.govern("a b c d e", { maxTokens: 5 })).kind).toBe("whole");
    expect((await spillway.govern(Buffer.from("a b c d e f"), { maxTokens: 5 })).kind).toBe("bounded");
  });

  it("is found by its call id, whatever the id contains, in a private folder", async () => {
    const spillway = gate({ maxLines: 2 });
    const callId = "call/../1:*?<>|";
    const { storage } = bounded(await spillway.govern(numbered(9), { tool: "Bash", callId }));
    const artifact = "artifact" in storage ? storage.artifact : expect.unreachable();
    expect(artifact.path.startsWith(join(root, ".agents", "tool-output", "tool_"))).toBe(true);
    expect(artifact.name).toMatch(/^tool_\d{8}_\d{6}_Bash_call-1_[0-9a-z]+\.txt$/);
    expect((await spillway.store.find(callId))?.id).toBe(artifact.id);
    expect((await spillway.store.find(artifact.path))?.manifest).toMatchObject({
      tool: "Bash",
      callId,
      complete: true,
    });
    expect(readFileSync(artifact.path, "utf8")).toBe(numbered(9));
  });

  it.each([
    ["../../x", "x"],
    ["CON", "CON"],
    ["x".repeat(400), "x".repeat(48)],
    ["", "tool"],
    ["漢字/a b", "a-b"],
    ["__proto__", "proto"],
  ])("of a tool named %j stays in the folder", async (tool, label) => {
    const spillway = gate({ maxLines: 2 });
    const { storage } = bounded(await spillway.govern(numbered(9), { tool }));
    const name = "artifact" in storage ? storage.artifact.name : expect.unreachable();
    expect(name).toMatch(new RegExp(`^tool_\\d{8}_\\d{6}_${label}_[0-9a-z]{22}\\.txt$`));
    expect(existsSync(join(root, ".agents", "tool-output", name))).toBe(true);
    expect(spillway.stats()[tool || "tool"]).toMatchObject({ calls: 1, truncated: 1 });
  });
});

describe("a source that does not end well", () => {
  it("keeps what came before it threw, and says that this is not all", async () => {
    const store = createMemoryStore();
    async function* source() {
      yield numbered(50);
      throw new Error("connection reset");
    }
    const governed = bounded(await gate({ store, maxLines: 10 }).govern(source()));
    expect(governed.outcome).toMatchObject({ kind: "failure", message: "connection reset" });
    expect(renderHint(governed.hint)).toMatch(
      /^\[[0-9a-f]{6}\] The tool call failed: the source broke off: connection reset\./,
    );
    expect((await stored(store, governed)).toString()).toBe(numbered(50));
    const manifest = await onlyManifest(store);
    expect(manifest).toMatchObject({ complete: false, reason: "the source broke off: connection reset" });
  });

  it("is not called a success because the caller thought so", async () => {
    async function* source() {
      yield "some";
      throw new Error("broken");
    }
    const spillway = gate();
    expect((await spillway.govern(source(), { outcome: { kind: "success" } })).outcome.kind).toBe("failure");
    const timeout = { kind: "timeout", message: "30 s" } as const;
    expect((await spillway.govern(source(), { outcome: timeout })).outcome).toBe(timeout);
  });

  it("ends on abort while it is silent, and returns what came", async () => {
    const store = createMemoryStore();
    const controller = new AbortController();
    let closed = false;
    const source: AsyncIterable<string> = {
      [Symbol.asyncIterator]: () => {
        let given = false;
        return {
          next: () => {
            if (!given) {
              given = true;
              return Promise.resolve({ done: false, value: numbered(50) });
            }
            queueMicrotask(() => controller.abort(new Error("the user stopped it")));
            return new Promise(() => undefined);
          },
          return: async () => {
            closed = true;
            return { done: true, value: undefined };
          },
        };
      },
    };
    const governed = bounded(await gate({ store, maxLines: 5 }).govern(source, { signal: controller.signal }));
    expect(governed.outcome).toEqual({ kind: "aborted", message: "the user stopped it" });
    expect(closed).toBe(true);
    const manifest = await onlyManifest(store);
    expect(manifest).toMatchObject({ complete: false, reason: "the user stopped it" });
  });

  it("is not read at all when already aborted", async () => {
    const governed = await gate().govern(chunks("never"), { signal: AbortSignal.abort("too late") });
    expect(governed).toMatchObject({ kind: "whole", text: "", outcome: { kind: "aborted", message: "too late" } });
  });

  it("is a failure when it gives something that is neither text nor bytes", async () => {
    const governed = await gate().govern(chunks("a", 5 as never));
    expect(governed).toMatchObject({
      text: "a",
      outcome: { kind: "failure", message: expect.stringContaining("chunk") },
    });
  });
});

describe("wrong arguments", () => {
  it.each([undefined, null, 5, new Map()])("%o is no output", async (output) => {
    await expect(gate().govern(output as never)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });

  it("are refused with the limit's name, by the gate and by a call", async () => {
    expect(() => gate({ maxLines: 0 })).toThrow(/^maxLines /);
    expect(() => gate({ dir: "" })).toThrow(/folder must not be empty/);
    expect(() => createSpillway({ env: { TOOL_OUTPUT_MAX_BYTES: "1 apple" } })).toThrow(/^TOOL_OUTPUT_MAX_BYTES /);
    await expect(gate().govern("x", { maxBytes: -3 })).rejects.toThrow(/^maxBytes /);
    await expect(gate().govern("x", { strategy: "up" as never })).rejects.toThrow(/^strategy /);
  });
});
