import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createSpillway } from "../../src/gate/spillway.ts";
import { Truncate } from "../../src/index.ts";
import { builtInTools } from "../../src/tools/built-in-tools.ts";
import { createToolRegistry } from "../../src/tools/registry/registry.ts";
import { useAgents } from "../agent/harness.ts";
import { createFailingStore } from "../support/failing-store.ts";
import { type RegisteredSdk, registerSdk } from "./sdk.ts";

let sdk: RegisteredSdk;
beforeAll(async () => {
  sdk = await registerSdk();
});
afterAll(() => sdk.close());

const LONG = Array.from({ length: 5_000 }, (_, index) => `line ${index + 1}`).join("\n");
const root = () => mkdtempSync(join(tmpdir(), "spillway-telemetry-"));
const spansOf = async (key: string, value: string) => {
  await sdk.flush();
  return sdk.spans().filter(({ attributes }) => attributes[key] === value);
};

it("tells of an output that was bounded, and of its artifact below it", async () => {
  const governed = await createSpillway({ root: root() }).govern(LONG, { tool: "Long", callId: "call-1" });
  if (governed.kind !== "bounded" || !("artifact" in governed.storage)) throw new Error("it was not saved");
  const [store, gate] = await spansOf("gen_ai.tool.name", "Long");
  const uri = pathToFileURL(governed.storage.artifact.path).href;
  expect(gate).toMatchObject({
    name: "spillway.gate",
    scope: "spillway",
    attributes: {
      "gen_ai.tool.call.id": "call-1",
      "spillway.output.bytes": Buffer.byteLength(LONG),
      "spillway.preview.bytes": Buffer.byteLength(governed.preview.text),
      "spillway.strategy": "smart",
      "spillway.shape": governed.preview.shape,
      "spillway.truncated": true,
      "spillway.artifact.uri": uri,
    },
  });
  expect(store).toMatchObject({
    name: "spillway.store.write",
    traceId: gate!.traceId,
    parentSpanId: gate!.spanId,
    attributes: { "spillway.artifact.uri": uri },
  });
});

it("tells of a small output, and of one that comes in pieces", async () => {
  const spillway = createSpillway({ root: root() });
  await spillway.govern("small", { tool: "Small" });
  const capture = await spillway.capture({ tool: "Pieces" });
  for (const line of LONG.split("\n")) await capture.write(`${line}\n`);
  expect((await capture.finish()).kind).toBe("bounded");
  const [small] = await spansOf("gen_ai.tool.name", "Small");
  expect(small?.attributes).toMatchObject({ "spillway.output.bytes": 5, "spillway.truncated": false });
  const [store, gate] = await spansOf("gen_ai.tool.name", "Pieces");
  expect(gate?.attributes["spillway.output.bytes"]).toBe(Buffer.byteLength(LONG) + 1);
  expect(store?.parentSpanId).toBe(gate?.spanId);
});

it("says what is lost, without the secret in it", async () => {
  const key = `sk-ant-api03-${"Ab3xK9".repeat(15)}-AA`;
  const create = () => Promise.reject(new Error(`no access with ${key}`));
  const store = { ...createFailingStore("create"), create };
  await createSpillway({ root: root(), store }).govern(LONG, { tool: "Lost" });
  const [write, gate] = await spansOf("gen_ai.tool.name", "Lost");
  expect(gate?.status).toMatchObject({ code: 2 });
  expect(gate?.attributes).toMatchObject({ "error.type": "lost" });
  expect(gate?.attributes["spillway.lost"]).toMatch(/^no access with /);
  expect(write?.status?.message).toMatch(/^no access with /);
  expect(sdk.bodies.join("")).not.toContain(key);
  const errors = sdk.points().filter(({ metric }) => metric === "spillway.store.errors");
  expect(errors.at(-1)).toMatchObject({ value: 1, attributes: { "error.type": "lost" } });
});

it("tells of a tool's call by the conventions, and hands its context to what the tool runs", async () => {
  const spillway = createSpillway({ root: root() });
  const tools = createToolRegistry({ spillway, tools: builtInTools });
  const { response } = await tools.call("Bash", { command: "echo $TRACEPARENT" }, { callId: "call-env" });
  const [gate, call] = await spansOf("gen_ai.tool.call.id", "call-env");
  expect(call).toMatchObject({
    name: "execute_tool Bash",
    kind: 1,
    attributes: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "Bash",
      "gen_ai.tool.type": "function",
      "spillway.status": "success",
      "spillway.output.bytes": 56,
    },
  });
  expect(gate).toMatchObject({ name: "spillway.gate", parentSpanId: call!.spanId });
  expect(JSON.stringify(response.data)).toContain(`00-${call!.traceId}-${call!.spanId}-01`);

  await tools.call("Read", { path: "nowhere.txt" }, { callId: "call-fails" });
  const failed = (await spansOf("gen_ai.tool.call.id", "call-fails")).find(({ name }) => name === "execute_tool Read");
  expect(failed?.attributes["error.type"]).toBe("NOT_FOUND");
  expect(failed?.status?.code).toBe(2);
});

const start = useAgents();

it("tells of an agent's turn: the model's requests and the tools below it", async () => {
  const { root: folder, agent } = await start([
    { calls: [{ id: "call-read", name: "Read", input: { path: "a.txt" } }], usage: { input: 120, output: 8 } },
    { text: "It says hello.", usage: { input: 150, output: 5 } },
  ]);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "a.txt"), "hello\n");
  const { session } = await agent().run("what does a.txt say?");
  const [turn] = await spansOf("gen_ai.conversation.id", session);
  expect(turn).toMatchObject({
    name: "invoke_agent spillway",
    attributes: {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.provider.name": "openai",
      "gen_ai.request.model": "scripted",
      "spillway.turn.reason": "done",
      "spillway.turn.steps": 2,
    },
  });
  const below = sdk.spans().filter(({ parentSpanId }) => parentSpanId === turn!.spanId);
  expect(below.map(({ name }) => name).filter((name) => name !== "spillway.gate")).toEqual([
    "chat scripted",
    "execute_tool Read",
    "chat scripted",
  ]);
  expect(below[0]).toMatchObject({
    kind: 3,
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.usage.input_tokens": 120,
      "gen_ai.usage.output_tokens": 8,
      "gen_ai.response.finish_reasons": ["tool-calls"],
    },
  });
  const usage = sdk.points().filter(({ metric }) => metric === "gen_ai.client.token.usage");
  expect(usage.findLast(({ attributes }) => attributes["gen_ai.token.type"] === "input")?.sum).toBe(270);
});

it("counts outputs, truncations, bytes and times", async () => {
  const spillway = createSpillway({ root: root() });
  await spillway.govern(LONG, { tool: "Counted" });
  const whole = await spillway.govern("small", { tool: "Counted" });
  await Truncate.output("small", { tool: "Counted" });
  expect(whole.kind).toBe("whole");
  await sdk.flush();
  const last = (metric: string, surface = "sdk") =>
    sdk
      .points()
      .findLast(
        (point) =>
          point.metric === metric &&
          point.attributes["gen_ai.tool.name"] === "Counted" &&
          point.attributes["spillway.surface"] === surface,
      );
  expect(last("spillway.outputs")?.value).toBe(2);
  expect(last("spillway.outputs", "truncate")?.value).toBe(1);
  expect(last("spillway.truncations")).toMatchObject({ value: 1, attributes: { "spillway.strategy": "smart" } });
  expect(last("spillway.output.bytes")).toMatchObject({ value: Buffer.byteLength(LONG) + 5, unit: "By" });
  expect(last("spillway.preview.bytes")!.value).toBeLessThan(51_300);
  const names = new Set(sdk.points().map(({ metric }) => metric));
  expect(names).toContain("spillway.gate.duration");
  expect(names).toContain("spillway.store.duration");
  expect(names).toContain("gen_ai.execute_tool.duration");
  expect(names).toContain("gen_ai.invoke_agent.duration");
  expect(names).toContain("gen_ai.client.operation.duration");
});
