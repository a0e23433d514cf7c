import { Agent, OpenAIProvider, Runner, setTracingDisabled, tool } from "@openai/agents";
import OpenAI from "openai";
import { boundTools, readerTools, spillwayInputFilter } from "../../src/integrations/frameworks/openai-agents.ts";
import { type AgentRun, describeFramework } from "./battery.ts";
import * as cases from "./cases.ts";

setTracingDisabled(true);

function toolsOf({ onWait, signal }: AgentRun) {
  const parameters = { type: "object" as const, properties: {}, required: [], additionalProperties: true as const };
  const made = (
    name: string,
    execute: () => Promise<unknown>,
    errorFunction?: (_: unknown, error: unknown) => string,
  ) => tool({ name, description: name, parameters, strict: false, execute, ...(errorFunction && { errorFunction }) });
  return [
    made("log", async () => cases.LOG),
    made("small", async () => ({ said: "all is well" })),
    made(
      "broken",
      async () => {
        throw new Error(cases.FAILURE);
      },
      (_, error) => (error as Error).message,
    ),
    made("picture", async () => [
      { type: "image", image: `data:image/png;base64,${cases.PNG}` },
      { type: "text", text: cases.LOG },
    ]),
    made("waiting", async () => {
      onWait();
      signal.throwIfAborted();
    }),
  ];
}

const run = (how: "tools" | "filter") => async (asked: AgentRun) => {
  const { model, spillway, prompt, signal } = asked;
  const openAIClient = new OpenAI({ baseURL: `${model.url}/v1`, apiKey: "none" });
  const runner = new Runner({
    modelProvider: new OpenAIProvider({ openAIClient: openAIClient as never }),
    ...(how === "filter" && { callModelInputFilter: spillwayInputFilter({ spillway }) }),
  });
  const tools = toolsOf(asked);
  const agent = new Agent({
    name: "tester",
    model: "scripted",
    tools: [...(how === "tools" ? boundTools(tools, { spillway }) : tools), ...readerTools({ spillway })],
  });
  await runner.run(agent, prompt, { signal });
};

// A message of an error function is a result like any other.
describeFramework({
  name: "OpenAI Agents, boundTools",
  run: run("tools"),
  swallowsErrors: /exit code 2[\s\S]*spillway_read/,
});
describeFramework({
  name: "OpenAI Agents, spillwayInputFilter",
  run: run("filter"),
  swallowsErrors: /exit code 2[\s\S]*spillway_read/,
});
