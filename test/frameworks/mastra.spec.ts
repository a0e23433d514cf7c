import { createAnthropic } from "@ai-sdk/anthropic";
import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { expect, it } from "vitest";
import { z } from "zod";
import { boundTools, readerTools } from "../../src/integrations/frameworks/mastra.ts";
import { type AgentRun, describeFramework } from "./battery.ts";
import * as cases from "./cases.ts";
import { startScript } from "./scripted-model.ts";

type Execute = NonNullable<Parameters<typeof createTool>[0]["execute"]>;

/** What the streaming tool tells the application before it ends. */
const PARTS = [{ done: "a tenth" }, { done: "a half" }];

function toolsOf({ onWait, signal }: Pick<AgentRun, "onWait" | "signal">) {
  const inputSchema = z.object({});
  const made = (id: string, execute: Execute, more: object = {}) =>
    createTool({ id, description: id, inputSchema, execute, ...more });
  return {
    log: made("log", async () => cases.LOG),
    small: made("small", async () => ({ said: "all is well" })),
    broken: made("broken", async () => {
      throw new Error(cases.FAILURE);
    }),
    picture: made("picture", async () => ({ picture: cases.PNG, text: cases.LOG }), {
      toModelOutput: ({ picture, text }: { picture: string; text: string }) => ({
        type: "content",
        value: [
          { type: "image-data", data: picture, mediaType: "image/png" },
          { type: "text", text },
        ],
      }),
    }),
    streaming: made("streaming", async (_, context) => {
      for (const part of PARTS) await context?.writer?.write(part);
      return cases.LOG;
    }),
    waiting: made("waiting", async () => {
      onWait();
      signal.throwIfAborted();
    }),
  };
}

function agentFor({ model, spillway, ...asked }: AgentRun) {
  return new Agent({
    id: "tester",
    name: "tester",
    instructions: "Use tools.",
    model: createAnthropic({ baseURL: `${model.url}/v1`, apiKey: "none" })("claude-scripted") as never,
    tools: { ...boundTools(toolsOf(asked), { spillway }), ...readerTools({ spillway }) },
  });
}

describeFramework({
  name: "Mastra",
  async run(asked) {
    await agentFor(asked).generate(asked.prompt, { abortSignal: asked.signal, maxSteps: 6 });
  },
});

it("Mastra's application still gets all of it", async () => {
  const { spillway } = cases.testGate("mastra-whole");
  const model = await startScript([cases.call("log")]);
  const asked = { model, spillway, prompt: cases.QUESTION, signal: new AbortController().signal, onWait: () => {} };
  const { toolResults } = await agentFor(asked).generate(cases.QUESTION, { maxSteps: 3 });
  model.close();
  expect(toolResults.length).toBe(1);
  expect(toolResults[0]!.payload.result === cases.LOG).toBe(true);
});

it("Mastra's application gets what a streaming tool writes on the way, the model a bounded result", async () => {
  const { spillway, saved } = cases.testGate("mastra-stream");
  const model = await startScript([cases.call("streaming")]);
  const asked = { model, spillway, prompt: cases.QUESTION, signal: new AbortController().signal, onWait: () => {} };
  const { fullStream } = await agentFor(asked).stream(cases.QUESTION, { maxSteps: 3 });
  const written: unknown[] = [];
  for await (const part of fullStream) if (part.type === "tool-output") written.push(part.payload.output);
  model.close();
  expect(written).toEqual(PARTS);
  cases.expectBounded(model.seen()[0]!);
  expect(saved()).toEqual(["log"]);
});
