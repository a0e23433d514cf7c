import { AfterToolCallEvent, Agent, ImageBlock, TextBlock, tool } from "@strands-agents/sdk";
import { AnthropicModel } from "@strands-agents/sdk/models/anthropic";
import { boundAgent, readerTools } from "../../src/integrations/frameworks/strands.ts";
import { type AgentRun, describeFramework } from "./battery.ts";
import * as cases from "./cases.ts";

function toolsOf({ onWait, signal }: AgentRun) {
  const inputSchema = { type: "object", properties: {} } as const;
  const made = (name: string, callback: () => unknown) =>
    tool({ name, description: name, inputSchema, callback: callback as () => Promise<string> });
  return [
    made("log", async () => cases.LOG),
    made("small", async () => ({ said: "all is well" })),
    made("broken", async () => {
      throw new Error(cases.FAILURE);
    }),
    made("picture", async () => [
      new ImageBlock({ format: "png", source: { bytes: Buffer.from(cases.PNG, "base64") } }),
      new TextBlock(cases.LOG),
    ]),
    made("streaming", async function* () {
      yield "a tenth";
      return cases.LOG;
    }),
    made("waiting", async () => {
      onWait();
      signal.throwIfAborted();
    }),
  ];
}

describeFramework({
  name: "Strands",
  marksFailures: true,
  async run(asked) {
    const { model, spillway, prompt, signal } = asked;
    const agent = boundAgent(
      new Agent({
        model: new AnthropicModel({ modelId: "claude-scripted", apiKey: "none", clientConfig: { baseURL: model.url } }),
        tools: [...toolsOf(asked), ...readerTools(tool, { spillway })],
        printer: false,
      }),
      AfterToolCallEvent,
      { spillway },
    );
    await agent.invoke(prompt, { cancelSignal: signal });
  },
});
