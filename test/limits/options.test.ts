import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import {
  createAgent,
  createExploreAgent,
  createExploreRunner,
  createFileSessions,
  createSummarizer,
  explore,
} from "../../src/agent/index.ts";
import { grepFile, searchPassages } from "../../src/artifacts/index.ts";
import { createMemoryStore } from "../../src/artifacts/memory-store.ts";
import { createLocalStore, createSpillway, ObservationTruncator, Tool, Truncate } from "../../src/index.ts";
import { startMcpServer, startProxy } from "../../src/integrations/mcp.ts";
import { createAccumulator, preview } from "../../src/preview/index.ts";
import { createToolRegistry, defineTool } from "../../src/tools/index.ts";
import { temporaryFolder } from "../support/folder.ts";

const gate = createSpillway({ store: createMemoryStore(), env: {}, config: false });
const MODEL = { model: { modelId: "none", provider: "none" } as never };
const definition = { description: "", parameters: { parse: (value: unknown) => value }, execute: () => ({}) };

/** Each public function that takes options, called with these. */
const calls: Record<string, (options: object) => unknown> = {
  "createSpillway()": (options) => createSpillway(options),
  "govern()": (options) => gate.govern("text", options),
  "preview()": (options) => preview("text", options),
  "Truncate.output()": (options) => Truncate.output("text", options),
  "Tool.define()": (options) => Tool.define("tool", { ...definition, ...options } as never),
  ObservationTruncator: (options) => new ObservationTruncator(options),
  "truncate()": (options) => new ObservationTruncator().truncate("tool", "text", options),
  "startProxy()": (options) => startProxy({ upstream: { command: "true" }, ...options }),
  "createAgent()": (options) => createAgent({ model: { modelId: "none", provider: "none" }, ...options } as never),
  "createToolRegistry()": (options) => createToolRegistry({ spillway: gate, tools: [], ...options }),
  "createSummarizer()": (options) => createSummarizer({ model: {} as never, spillway: gate, ...options }),
  "createAccumulator()": (options) => createAccumulator({ limits: {} as never, strategy: "head", ...options }),
  "createLocalStore()": (options) => createLocalStore({ dir: "out", ...options }),
  "createMemoryStore()": (options) => createMemoryStore(options),
  "startMcpServer()": (options) => startMcpServer(options),
  "createExploreAgent()": (options) => createExploreAgent({ ...MODEL, ...options }),
  "createExploreRunner()": (options) => createExploreRunner({ ...MODEL, ...options }),
  "explore()": (options) => explore("where?", { ...MODEL, ...options }),
  "grepFile()": (options) => grepFile("/nowhere", "x", options),
  "searchPassages()": (options) => searchPassages("/nowhere", "x", options),
  "defineTool()": (options) =>
    defineTool({
      name: "Say",
      description: "",
      parameters: z.object({}),
      readOnly: true,
      execute: () => ({}),
      ...options,
    } as never),
};
const call = async (name: string, options: object) => calls[name]!(options);
const limited = Object.keys(calls).filter(
  (name) => !/Agent|Store|Registry|Summarizer|Accumulator|xplore|defineTool|grep|search/.test(name),
);

it.each(limited)("%s names the option that was meant", async (name) => {
  const message = new RegExp(`^${name.replace(/[().]/g, "\\$&")} has no option "maxLine"\\. Did you mean maxLines\\?`);
  await expect(call(name, { maxLine: 5 })).rejects.toThrow(message);
});

it.each(Object.keys(calls).filter((name) => name !== "Tool.define()"))(
  "%s refuses what it does not know",
  async (name) => {
    const refusal = call(name, { flavour: "sweet" });
    await expect(refusal).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    await expect(refusal).rejects.toThrow(`${name} has no option "flavour".`);
    const { message } = (await refusal.catch((error: unknown) => error)) as Error;
    const offered = message
      .replace(/^.*Options: /, "")
      .replace(/\.$/, "")
      .split(", ");
    expect(offered.length).toBeGreaterThan(0);
    // What only Spillway's own modules set is not offered.
    const inner = ["toolLimits", "saved", "adopt", "savedAs", "counted", "redacted", "defaultDir"];
    expect(offered.filter((option) => inner.includes(option))).toEqual([]);
  },
);

it.each(limited)("%s refuses a wrong value, and says what is allowed", async (name) => {
  await expect(call(name, { maxLines: "many" })).rejects.toThrow(
    'maxLines must be a whole number of at least 1, not "many".',
  );
  await expect(call(name, { strategy: "middle" })).rejects.toThrow(
    /^strategy must be one of head, tail, head_tail, smart.*"middle"/,
  );
});

it("agents and stores check their values too", async () => {
  await expect(call("createAgent()", { maxStep: 3 })).rejects.toThrow("Did you mean maxSteps?");
  await expect(call("createAgent()", { yes: "no" })).rejects.toThrow('yes must be true or false, not "no".');
  await expect(call("createMemoryStore()", { quotaBytes: -1 })).rejects.toThrow(
    "quotaBytes must be a number above 0, not -1.",
  );
  await expect(call("createLocalStore()", { retentionDays: "7" })).rejects.toThrow(
    'retentionDays must be a number above 0, not "7".',
  );
});

it("what is needed is asked for by name", async () => {
  await expect(call("createToolRegistry()", { spillway: undefined })).rejects.toThrow(
    "spillway must be an object, not undefined.",
  );
  await expect(call("createToolRegistry()", { tool: [] })).rejects.toThrow("Did you mean tools?");
  await expect(call("createSummarizer()", { triggerChars: "all" })).rejects.toThrow(
    'triggerChars must be a number of at least 0, not "all".',
  );
  await expect(call("createAccumulator()", { strategy: undefined })).rejects.toThrow(/^strategy must be one of head/);
  await expect(call("startProxy()", { upstream: undefined })).rejects.toThrow(
    /^upstream must be .*command.*, not undefined/,
  );
  await expect(call("startProxy()", { upstream: {} })).rejects.toThrow(/^upstream must be .*command.*, not an object/);
  await expect(call("defineTool()", { execute: undefined })).rejects.toThrow(
    "execute must be a function, not undefined.",
  );
  await expect(call("defineTool()", { parameters: {} })).rejects.toThrow(
    /^parameters must be .*zod.*, not an object\.$/,
  );
  await expect(call("createExploreRunner()", { model: undefined })).rejects.toThrow(
    /^model must be a model of the AI SDK/,
  );
  await expect(call("createExploreRunner()", { tools: [] })).rejects.toThrow(
    'createExploreRunner() has no option "tools"',
  );
  expect(() => createFileSessions({ root: "x" } as never)).toThrow(
    "The root for createFileSessions() must be a text, not an object.",
  );
  await expect(grepFile("/nowhere", 5 as never)).rejects.toThrow("The pattern for grepFile() must be a text, not 5.");
});

it.each(["Truncate.output()", "Tool.define()", "ObservationTruncator"])(
  "%s takes direction or strategy, not both",
  async (name) => {
    await call(name, { direction: "tail", strategy: "tail" });
    await expect(call(name, { direction: "head", strategy: "tail" })).rejects.toThrow("contradict each other");
  },
);

it("a gate selects by content unless something else is said; the modules keep the head", async () => {
  const errorsInside = `${"fine\n".repeat(4000)}error: disk on fire\n${"fine\n".repeat(4000)}`;
  const governed = await gate.govern(errorsInside);
  expect(governed.strategy).toBe("smart");
  expect(governed.kind === "bounded" && governed.preview.text).toContain("disk on fire");
  const root = temporaryFolder("options");
  const truncator = new ObservationTruncator({ root, env: {}, config: false });
  const response = {
    status: "success",
    data: { content: errorsInside },
    text: "",
    stats: { time_ms: 0 },
    context: { cwd: ".", params_input: {} },
  };
  expect((await truncator.truncate("Bash", response)).data).toMatchObject({ truncation: { direction: "head" } });
});

it("a root that does not exist is an error that names it", () => {
  const root = join(temporaryFolder("options-root"), "nowhere");
  expect(() => createSpillway({ root })).toThrow(`root must be a folder that exists, not ${JSON.stringify(root)}.`);
});
