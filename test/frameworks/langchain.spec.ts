import { ChatOpenAI } from "@langchain/openai";
import { createDeepAgent } from "deepagents";
import { createAgent, createMiddleware, ToolMessage, tool } from "langchain";
import { boundTools, readerTools, spillwayMiddleware } from "../../src/integrations/frameworks/langchain.ts";
import { type AgentRun, describeFramework } from "./battery.ts";
import * as cases from "./cases.ts";

function toolsOf({ onWait, signal }: AgentRun) {
  const schema = { type: "object" as const, properties: {} };
  const made = (name: string, run: () => unknown) =>
    tool(run as () => Promise<string>, { name, description: name, schema });
  return [
    made("log", async () => cases.LOG),
    made("small", async () => ({ said: "all is well" })),
    made("broken", async () => {
      throw new Error(cases.FAILURE);
    }),
    made("picture", async () => [
      { type: "image_url", image_url: { url: `data:image/png;base64,${cases.PNG}` } },
      { type: "text", text: cases.LOG },
    ]),
    made("streaming", async function* () {
      yield "a tenth";
      yield cases.LOG;
      return cases.LOG;
    }),
    made("waiting", async () => {
      onWait();
      signal.throwIfAborted();
    }),
  ];
}

const modelFor = ({ model }: AgentRun) =>
  new ChatOpenAI({ model: "scripted", apiKey: "none", configuration: { baseURL: `${model.url}/v1` }, maxRetries: 0 });

/** What a tool throws is made a message by somebody else's middleware, as in most agents. */
const errorsAsMessages = createMiddleware({
  name: "errors",
  async wrapToolCall(request, handler) {
    try {
      return await handler(request);
    } catch (error) {
      const { id = "", name } = request.toolCall;
      return new ToolMessage({ content: (error as Error).message, tool_call_id: id, name, status: "error" });
    }
  },
});

describeFramework({
  name: "LangChain, spillwayMiddleware",
  async run(asked) {
    const { spillway, prompt, signal } = asked;
    const agent = createAgent({
      model: modelFor(asked),
      tools: [...toolsOf(asked), ...readerTools(tool, { spillway })],
      middleware: [errorsAsMessages, spillwayMiddleware({ spillway })],
    });
    await agent.invoke({ messages: [{ role: "user", content: prompt }] }, { signal });
  },
});

describeFramework({
  name: "LangChain, boundTools",
  async run(asked) {
    const { spillway, prompt, signal } = asked;
    const agent = createAgent({
      model: modelFor(asked),
      tools: [...boundTools(toolsOf(asked), { spillway }), ...readerTools(tool, { spillway })],
      middleware: [errorsAsMessages],
    });
    await agent.invoke({ messages: [{ role: "user", content: prompt }] }, { signal });
  },
});

describeFramework({
  name: "deepagents",
  async run(asked) {
    const { spillway, prompt, signal } = asked;
    const agent = createDeepAgent({
      model: modelFor(asked),
      tools: [...toolsOf(asked), ...readerTools(tool, { spillway })],
      middleware: [errorsAsMessages, spillwayMiddleware({ spillway })],
    });
    await agent.invoke({ messages: [{ role: "user", content: prompt }] }, { signal });
  },
});
