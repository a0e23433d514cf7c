import { describe, expect, it } from "vitest";
import { boundTools, readerTools, spillwayMiddleware } from "../../src/integrations/frameworks/ai-sdk.ts";
import * as cases from "./cases.ts";
import { type ScriptedModel, startScript, type Turn } from "./scripted-model.ts";

// It warns of a model that it does not know.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

const VERSIONS = [
  ["6", () => import("ai-6"), () => import("anthropic-6")],
  ["7", () => import("ai"), () => import("@ai-sdk/anthropic")],
] as const;

describe.each(VERSIONS)("AI SDK %s", (version, loadAi, loadAnthropic) => {
  /** The same code for both versions; their types differ in what is not used here. */
  const load = async () => {
    const ai = (await loadAi()) as typeof import("ai");
    const { createAnthropic } = (await loadAnthropic()) as typeof import("@ai-sdk/anthropic");
    const modelOf = ({ url }: ScriptedModel) =>
      createAnthropic({ baseURL: `${url}/v1`, apiKey: "none" })("claude-scripted");
    return { ai, modelOf };
  };

  async function run(turns: readonly Turn[], { middleware = false, query = cases.QUESTION } = {}) {
    const { ai, modelOf } = await load();
    const gate = cases.testGate(`ai-${version}`);
    const model = await startScript(turns);
    const options = { spillway: gate.spillway };
    const tools = await toolsFor(ai);
    const wrapped = middleware
      ? ai.wrapLanguageModel({ model: modelOf(model), middleware: spillwayMiddleware(options) })
      : modelOf(model);
    const result = await ai.generateText({
      model: wrapped,
      tools: { ...(middleware ? tools : boundTools(tools, options)), ...readerTools(options) },
      stopWhen: ai.stepCountIs(6),
      prompt: query,
    });
    model.close();
    return { model, gate, result };
  }

  describe.each([
    ["boundTools", false],
    ["spillwayMiddleware", true],
  ])("%s", (_, middleware) => {
    it("bounds a log of 3 MB, saves it exactly, and the model reads on in it", async () => {
      const { model, gate, result } = await run([cases.call("log"), cases.readBack], { middleware });
      cases.expectBounded(model.seen()[0]!);
      cases.expectRead(model.seen()[1]!);
      expect(gate.saved()).toEqual(["log"]);
      cases.expectSmallRequests(model.requests, 20_000);
      // The application still has all of it.
      expect(result.steps[0]!.toolResults[0]!.output).toBe(cases.LOG);
    });

    it("sends the same text in every step", async () => {
      const { model, gate } = await run([cases.call("log"), cases.call("small"), cases.call("small")], { middleware });
      const texts = model.requests.slice(1).map((body) => /"tool_result".*?"content":(".*?[^\\]")/s.exec(body)?.[1]);
      expect(texts.length).toBe(3);
      expect(new Set(texts).size).toBe(1);
      expect(gate.saved().length).toBe(1);
      expect(model.seen()[1]!.text).toContain("all is well");
    });

    it("bounds the message of an error, and it stays an error", async () => {
      const { model, gate } = await run([cases.call("broken"), cases.readBack], { middleware });
      const [failed] = model.seen();
      cases.expectBounded(failed!);
      expect(failed!.failed).toBe(true);
      expect(failed!.text).toMatch(
        /The tool call failed: (Error: )?the build ended with exit code 2\. Output truncated/,
      );
      expect(gate.saved()).toEqual(["failure"]);
      expect(model.seen()[1]!.text).toContain("used up");
    });

    it("keeps parallel calls apart", async () => {
      const both = () => [
        { tool: "log", input: {} },
        { tool: "broken", input: {} },
      ];
      const { model, gate } = await run([both], { middleware });
      for (const seen of model.seen()) cases.expectBounded(seen);
      expect(model.seen().map(({ failed }) => failed)).toEqual([false, true]);
      expect(gate.saved()).toEqual(["failure", "log"]);
    });

    it("bounds what a streaming tool gives in the end, and keeps its first parts for the application", async () => {
      const { ai, modelOf } = await load();
      const { spillway, saved } = cases.testGate(`ai-${version}-stream`);
      const model = await startScript([cases.call("streaming")]);
      const tools = await toolsFor(ai);
      const options = { spillway };
      const result = ai.streamText({
        model: middleware
          ? ai.wrapLanguageModel({ model: modelOf(model), middleware: spillwayMiddleware(options) })
          : modelOf(model),
        tools: { ...(middleware ? tools : boundTools(tools, options)), ...readerTools(options) },
        stopWhen: ai.stepCountIs(3),
        prompt: cases.QUESTION,
      });
      const parts: unknown[] = [];
      for await (const part of result.fullStream) if (part.type === "tool-result") parts.push(part.output);
      model.close();
      expect(parts).toEqual(["a tenth", cases.LOG, cases.LOG]);
      cases.expectBounded(model.seen()[0]!);
      expect(saved()).toEqual(["log"]);
    });

    it("keeps an image, and bounds the text beside it", async () => {
      const { model, gate } = await run([cases.call("picture")], { middleware });
      expect(model.requests.at(-1)).toContain(cases.PNG);
      cases.expectBounded(model.seen()[0]!);
      expect(gate.saved()).toEqual(["log"]);
    });

    it("lets an aborted call end as aborted", async () => {
      const { ai, modelOf } = await load();
      const { spillway } = cases.testGate(`ai-${version}-abort`);
      const model = await startScript([cases.call("waiting")]);
      const abort = new AbortController();
      const tools = await toolsFor(ai, () => abort.abort());
      const ended = ai.generateText({
        model: modelOf(model),
        tools: middleware ? tools : boundTools(tools, { spillway }),
        stopWhen: ai.stepCountIs(3),
        prompt: cases.QUESTION,
        abortSignal: abort.signal,
      });
      await expect(ended).rejects.toThrow(/abort/i);
      model.close();
    });
  });

  it("bounds old histories the same way after a restart", async () => {
    const { ai, modelOf } = await load();
    const gate = cases.testGate(`ai-${version}-history`);
    const sent: string[] = [];
    for (let process = 0; process < 2; process++) {
      const model = await startScript([]);
      // A new gate knows nothing of the old one's calls.
      const { createSpillway } = await import("../../src/index.ts");
      const spillway = createSpillway({ root: gate.spillway.root, config: false, env: {}, maxBytes: cases.MAX_BYTES });
      await ai.generateText({
        model: ai.wrapLanguageModel({ model: modelOf(model), middleware: spillwayMiddleware({ spillway }) }),
        tools: readerTools({ spillway }),
        messages: [
          { role: "user", content: cases.QUESTION },
          { role: "assistant", content: [{ type: "tool-call", toolCallId: "old_1", toolName: "log", input: {} }] },
          {
            role: "tool",
            content: [
              { type: "tool-result", toolCallId: "old_1", toolName: "log", output: { type: "text", value: cases.LOG } },
            ],
          },
          { role: "user", content: "And what now?" },
        ],
      });
      cases.expectBounded(model.seen()[0]!);
      sent.push(model.seen()[0]!.text);
      model.close();
    }
    expect(sent[0]).toBe(sent[1]);
    expect(gate.saved()).toEqual(["log"]);
  });

  it("keeps a tool's own toModelOutput", async () => {
    const { model } = await run([cases.call("labelled")]);
    expect(model.seen()[0]!.text).toContain("only this");
    expect(model.requests.at(-1)).not.toContain("hidden");
  });
});

async function toolsFor({ tool, jsonSchema }: typeof import("ai"), onWait: () => void = () => {}) {
  const inputSchema = jsonSchema<object>({ type: "object", properties: {} });
  return {
    log: tool({ description: "the log", inputSchema, execute: async () => cases.LOG }),
    small: tool({ description: "a word", inputSchema, execute: async () => ({ said: "all is well" }) }),
    broken: tool({
      description: "fails",
      inputSchema,
      execute: async (): Promise<string> => {
        throw new Error(cases.FAILURE);
      },
    }),
    streaming: tool({
      description: "bit by bit",
      inputSchema,
      async *execute() {
        yield "a tenth";
        yield cases.LOG;
      },
    }),
    picture: tool({
      description: "a picture",
      inputSchema,
      execute: async () => cases.LOG,
      toModelOutput: ({ output }) => ({
        type: "content",
        value: [
          { type: "image-data", data: cases.PNG, mediaType: "image/png" } as never,
          { type: "text", text: output },
        ],
      }),
    }),
    labelled: tool({
      description: "its own words",
      inputSchema,
      execute: async () => ({ hidden: "secret" }),
      toModelOutput: () => ({ type: "text", value: "only this" }),
    }),
    waiting: tool({
      description: "waits",
      inputSchema,
      execute: async (_: object, { abortSignal }: { abortSignal?: AbortSignal }): Promise<string> => {
        onWait();
        abortSignal?.throwIfAborted();
        return "never";
      },
    }),
  };
}
