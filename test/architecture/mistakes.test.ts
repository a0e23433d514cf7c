import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createAgent, loadModel } from "../../src/agent/index.ts";
import {
  createMemoryStore,
  createSpillway,
  defineStore,
  ObservationTruncator,
  renderEnvelope,
  renderMessage,
  Tool,
  Truncate,
} from "../../src/index.ts";
import { boundTools } from "../../src/integrations/frameworks/ai-sdk.ts";
import { boundMessages } from "../../src/integrations/frameworks/messages.ts";
import { createAccumulator } from "../../src/preview/index.ts";
import { builtInTools, createToolRegistry } from "../../src/tools/index.ts";
import { modules } from "../../tsdown.config.ts";
import { PROJECT } from "../support/build.ts";
import { temporaryFolder } from "../support/folder.ts";

type Call = (...given: readonly unknown[]) => unknown;

/** What people pass by mistake: nothing, a promise, another kind of value, an option that does not exist. */
const GIVEN: Readonly<Record<string, readonly unknown[]>> = {
  nothing: [],
  undefined: [undefined],
  null: [null],
  "a number": [5],
  "a text": ["x"],
  "a promise": [Promise.resolve("x")],
  "a list": [[1]],
  "an empty object": [{}],
  "an unknown option": [{ zzz: 1 }],
  "a function": [() => 1],
  "a text and null": ["x", null],
  "a text and a number": ["x", 5],
  "an object and a text": [{}, "x"],
  "a text and an unknown option": ["x", { zzz: 1 }],
};

/** What a call threw or rejected with; undefined when it answered, or waits for more. */
async function failureOf(call: () => unknown): Promise<unknown> {
  try {
    const answer = call();
    const isList = typeof answer === "object" && answer !== null && Symbol.asyncIterator in answer;
    if (isList) for await (const _ of answer as AsyncIterable<unknown>) break;
    await Promise.race([answer, new Promise((done) => setTimeout(done, 500).unref())]);
    return undefined;
  } catch (error) {
    return error;
  }
}

function callsOf(name: string, value: unknown): readonly (readonly [string, Call])[] {
  if (typeof value === "function") {
    const made = /^[A-Z]/.test(name);
    const call = value as unknown as Call & (new (...given: readonly unknown[]) => unknown);
    return [[name, (...given) => (made ? new call(...given) : call(...given))]];
  }
  if (typeof value !== "object" || value === null || "_zod" in value) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === "function" ? [[`${name}.${key}`, (inner as Call).bind(value)] as const] : [],
  );
}

const methods = (place: string, object: object, names: readonly string[]) =>
  names.map((name) => {
    const call = (object as Readonly<Record<string, Call>>)[name] as Call;
    return [`${place}.${name}`, call.bind(object)] as const;
  });

async function publicCalls() {
  const found: (readonly [string, Call])[] = [];
  for (const [entry, source] of Object.entries(modules.entry as Readonly<Record<string, string>>)) {
    // Suites of tests, and what is a program.
    if (/^(?:cli|.*worker|.*contract)/.test(entry)) continue;
    const values = Object.entries((await import(join(PROJECT, source))) as Readonly<Record<string, unknown>>);
    // With no options at all it serves on standard input, which is right.
    const tried = values.filter(([name]) => name !== "startMcpServer");
    found.push(...tried.flatMap(([name, value]) => callsOf(`${entry}: ${name}`.replace(/^.*: ([A-Z])/, "$1"), value)));
  }
  const root = temporaryFolder("mistakes");
  const spillway = createSpillway({ root, config: false, env: {} });
  const model = { specificationVersion: "v3", provider: "p", modelId: "m" };
  const define = Tool.define("x", {
    description: "x",
    parameters: { parse: (v: unknown) => v },
    execute: () => undefined as never,
  });
  return [
    ...found,
    ...methods("gate", spillway, ["govern", "exec", "governProcess", "capture", "keep", "limits", "record"]),
    ...methods("truncator", new ObservationTruncator({ root, config: false, env: {} }), ["truncate"]),
    ...methods("registry", createToolRegistry({ spillway, tools: builtInTools }), ["call", "has"]),
    ...methods("agent", createAgent({ model: model as never, root }), ["run"]),
    ...methods("store", createMemoryStore(), ["find", "read", "readLines", "verify", "remove"]),
    ...methods("accumulator", createAccumulator({ strategy: "head", limits: {} as never }), ["write", "finish"]),
    ...methods("capture", await spillway.capture(), ["write", "finish"]),
    ...methods("tool", await define.init(), ["execute"]),
  ];
}

describe("likely mistakes", () => {
  it("get a sentence, and no error of the language, at every public function", async () => {
    const wrong: string[] = [];
    for (const [name, call] of await publicCalls()) {
      for (const [what, given] of Object.entries(GIVEN)) {
        const error = await failureOf(() => call(...given));
        const isSystem = typeof (error as { readonly syscall?: unknown } | undefined)?.syscall === "string";
        if (error === undefined || isSystem) continue;
        const { name: kind, message } = error as Error;
        if (kind !== "SpillwayError" || !/^\S.{20,}/s.test(message)) wrong.push(`${name}(${what}) ${kind}: ${message}`);
      }
    }
    expect(wrong).toEqual([]);
  }, 120_000);

  it.each<readonly [string, () => unknown, RegExp]>([
    [
      "a result that was not awaited",
      () => renderMessage(Promise.resolve() as never),
      /^The result for renderMessage\(\) must be .*, not a promise \(await it first\)\.$/,
    ],
    [
      "no second argument",
      () => renderEnvelope({ kind: "whole", outcome: {} } as never, undefined as never),
      /^The second argument of renderEnvelope\(\) must be .*\{ root, stats/,
    ],
    ["no tools", () => (boundTools as Call)(), /^The tools for boundTools\(\) must be an object, not undefined\.$/],
    [
      "a text for a list",
      () => boundMessages("x" as never),
      /^The messages for boundMessages\(\) must be a list, not "x"\.$/,
    ],
    [
      "no model",
      () => createAgent({ model: undefined as never }),
      /^model must be a model of the AI SDK, or what loadModel\(\) gives, not undefined\.$/,
    ],
    [
      "a model that was not awaited",
      () => createAgent({ model: loadModel("openai/x", { env: { OPENAI_API_KEY: "k" } }) as never }),
      /not a promise \(await it first\)/,
    ],
    [
      "a misspelled option",
      () => loadModel("openai/x", { baseUrl: "http://x" } as never),
      /^loadModel\(\) has no option "baseUrl"\. Did you mean baseURL\?/,
    ],
    [
      "a promise for a text",
      () => Truncate.output(Promise.resolve("x") as never),
      /^Truncate\.output\(\) takes a string, not a promise \(await it first\)\.$/,
    ],
    [
      "a promise for an output",
      () => createSpillway({ config: false }).govern(Promise.resolve("x") as never),
      /must not be a promise \(await it first\)/,
    ],
  ])("%s", async (_, call, message) => {
    expect(((await failureOf(call)) as Error | undefined)?.message).toMatch(message);
  });
});

describe("defineStore", () => {
  it("takes functions that answer at once", async () => {
    const pieces = new Map<string, Uint8Array>();
    const store = defineStore({
      put: (key, bytes) => void pieces.set(key, bytes),
      get: (key) => pieces.get(key),
      list: (prefix) => [...pieces.keys()].filter((key) => key.startsWith(prefix)),
      remove: (key) => void pieces.delete(key),
    });
    const spillway = createSpillway({ config: false, env: {}, store });
    const text = "a line\n".repeat(30_000);
    const governed = await spillway.govern(text);
    if (governed.kind === "whole" || !("artifact" in governed.storage)) throw new Error("nothing was saved");
    const { id } = governed.storage.artifact;
    let read = "";
    for await (const chunk of store.read(id)) read += Buffer.from(chunk).toString();
    expect(read).toBe(text);
    expect(await store.verify(id)).toMatchObject({ ok: true });
    expect((await store.readLines(id, { offsetLine: 29_999, limit: 1 })).text).toContain("a line");
    const listed = [];
    for await (const { id: each } of store.list()) listed.push(each);
    expect(listed).toEqual([id]);
  });
});
