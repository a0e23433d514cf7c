import { BasePlugin, FunctionTool, Gemini, InMemoryRunner, LlmAgent } from "@google/adk";
import { readerTools, spillwayPlugin } from "../../src/integrations/frameworks/adk.ts";
import { type AgentRun, describeFramework } from "./battery.ts";
import * as cases from "./cases.ts";

function toolsOf({ onWait, signal }: AgentRun) {
  const parameters = { type: "OBJECT", properties: {} } as never;
  const made = (name: string, execute: () => Promise<unknown>) =>
    new FunctionTool({ name, description: name, parameters, execute });
  return [
    made("log", async () => cases.LOG),
    made("small", async () => ({ said: "all is well" })),
    made("broken", async () => {
      throw new Error(cases.FAILURE);
    }),
    made("picture", async () => ({ picture: cases.PNG, text: cases.LOG })),
    made("waiting", async () => {
      onWait();
      signal.throwIfAborted();
    }),
  ];
}

describeFramework({
  name: "Google ADK",
  // Gemini's results are JSON: fields and quotes come around a text.
  frame: 400,
  async run(asked) {
    const { model, spillway, prompt, signal } = asked;
    process.env.GOOGLE_GEMINI_BASE_URL = model.url;
    const agent = new LlmAgent({
      name: "tester",
      model: new Gemini({ model: "gemini-scripted", apiKey: "none" }),
      tools: [...toolsOf(asked), ...readerTools(FunctionTool, { spillway })],
    });
    const runner = new InMemoryRunner({ agent, appName: "test", plugins: [spillwayPlugin(BasePlugin, { spillway })] });
    const { id } = await runner.sessionService.createSession({ appName: "test", userId: "user" });
    const events = runner.runAsync({
      userId: "user",
      sessionId: id,
      newMessage: { role: "user", parts: [{ text: prompt }] },
      abortSignal: signal,
    });
    for await (const event of events) if (event.errorMessage) throw new Error(event.errorMessage);
  },
});
