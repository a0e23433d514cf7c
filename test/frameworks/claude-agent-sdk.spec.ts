import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSdkMcpServer, query, tool } from "@anthropic-ai/claude-agent-sdk";
import { expect, it } from "vitest";
import { boundTools, readerTools, spillwayHooks } from "../../src/integrations/frameworks/claude-agent-sdk.ts";
import { temporaryFolder } from "../support/folder.ts";
import { type AgentRun, describeFramework } from "./battery.ts";
import * as cases from "./cases.ts";
import { startScript, type Turn } from "./scripted-model.ts";

function toolsOf({ onWait, signal }: AgentRun) {
  const text = (value: string) => ({ content: [{ type: "text" as const, text: value }] });
  return [
    tool("log", "log", {}, async () => text(cases.LOG), { annotations: { readOnlyHint: true } }),
    tool("small", "small", {}, async () => text("all is well"), { annotations: { readOnlyHint: true } }),
    tool("broken", "broken", {}, async () => {
      throw new Error(cases.FAILURE);
    }),
    tool("picture", "picture", {}, async () => ({
      content: [
        { type: "image" as const, data: cases.PNG, mimeType: "image/png" },
        { type: "text" as const, text: cases.LOG },
      ],
    })),
    tool("waiting", "waiting", {}, async () => {
      onWait();
      signal.throwIfAborted();
      return text("never");
    }),
  ];
}

describeFramework({
  name: "Claude Agent SDK",
  marksFailures: true,
  toolName: (name) => (name === "spillway_read" ? "mcp__spillway__spillway_read" : `mcp__own__${name}`),
  run,
});

it("Claude Agent SDK: the hooks bound what its own shell gives, all of it saved", async () => {
  const gate = cases.testGate("claude-bash");
  const file = join(temporaryFolder("claude-bash"), "build.log");
  writeFileSync(file, cases.LOG);
  const bash: Turn = () => [{ tool: "Bash", input: { command: `cat ${file}`, description: "Shows the log" } }];
  const read: Turn = (seen) => cases.readBack(seen).map((call) => ({ ...call, tool: "mcp__spillway__spillway_read" }));
  const model = await startScript([bash, read]);
  const { signal } = new AbortController();
  await run({ model, spillway: gate.spillway, prompt: cases.QUESTION, signal, onWait: () => {} });
  model.close();
  cases.expectBounded(model.seen()[0]!);
  cases.expectRead(model.seen()[1]!);
  expect(gate.saved()).toEqual(["log"]);
});

async function run(asked: AgentRun): Promise<void> {
  const { model, spillway, prompt, signal } = asked;
  const home = temporaryFolder("claude-sdk");
  mkdirSync(join(home, "work"));
  const abortController = new AbortController();
  signal.addEventListener("abort", () => abortController.abort());
  const messages = query({
    prompt,
    options: {
      abortController,
      cwd: join(home, "work"),
      model: "claude-sonnet-4-5",
      env: {
        PATH: process.env.PATH,
        HOME: home,
        CLAUDE_CONFIG_DIR: join(home, ".claude"),
        ANTHROPIC_BASE_URL: model.url,
        ANTHROPIC_API_KEY: "none",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      },
      allowedTools: ["mcp__own", "mcp__spillway", "Bash"],
      settingSources: [],
      mcpServers: {
        own: createSdkMcpServer({ name: "own", tools: boundTools(toolsOf(asked), { spillway }) }),
        ...readerTools({ createSdkMcpServer, tool }, { spillway }),
      },
      hooks: spillwayHooks({ spillway }),
    },
  });
  for await (const message of messages) void message;
}
