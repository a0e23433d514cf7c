import { describe, expect, it } from "vitest";
import { createSummarizer } from "../../src/agent/summarize.ts";
import { createSpillway } from "../../src/gate/spillway.ts";
import { useAgents } from "./harness.ts";

const start = useAgents();
const long = { calls: [{ id: "c1", name: "Bash", input: { command: "seq 1 90000" } }] };

describe("taskAgents", () => {
  const webview = { name: "webview", description: "Opens {{agents}} pages.", use: "for what a browser shows." };
  const runner = (name: string, agents: readonly { name: string; description: string }[] = []) => ({
    agents,
    run: async ({ agent }: { agent: string }) => ({ text: `${agent} by ${name}` }),
  });
  const ask = (agent: string) => [
    { calls: [{ id: "t1", name: "Task", input: { agent, prompt: "look" } }] },
    { text: "ok" },
  ];
  const described = (body: unknown) => JSON.stringify(body);

  it("stand in the description of Task, beside and instead of what runners say", async () => {
    const h = await start([{ text: "ok" }]);
    const own = { name: "deep", description: "Old words." };
    const taskAgents = [webview, { name: "deep", description: "New words." }];
    await h.agent({ taskAgents, runners: [runner("own", [own])] }).run("hi");
    const told = described(h.server.requests[0]?.body);
    expect(told).toContain("- webview: Opens {{agents}} pages. Use it for what a browser shows.");
    expect(told).toContain("- deep: New words.");
    expect(told).toContain("- explore: ");
    expect(told).not.toContain("Old words");
  });

  it("go to the runner that lists them, else to the first that lists none, else an error says so", async () => {
    const answerOf = async (agent: string, runners: ReturnType<typeof runner>[]) => {
      const h = await start(ask(agent));
      await h.agent({ taskAgents: [webview], runners }).run("hi");
      return h.lastResults()[0] ?? "";
    };
    expect(await answerOf("webview", [runner("other"), runner("own", [webview])])).toContain("webview by own");
    expect(await answerOf("webview", [runner("any")])).toContain("webview by any");
    expect(await answerOf("webview", [])).toContain('No runner handles the agent \\"webview\\". Agents: explore.');
    expect(await answerOf("nobody", [runner("any")])).toContain('There is no agent \\"nobody\\"');
  });

  it.each([5, ["x"], [{ description: "x" }], [{ name: "x", description: 3 }]])("%j is refused", async (taskAgents) => {
    const h = await start([]);
    expect(() => h.agent({ taskAgents: taskAgents as never })).toThrow(/^taskAgents.* must be /);
  });
});

describe("names", () => {
  it("List is LS: it can be called, allowed and denied by that name", async () => {
    const list = { calls: [{ id: "c1", name: "List", input: {} }] };
    const h = await start([list, { text: "ok" }, list, { text: "ok" }]);
    await h.agent({ allow: ["List"] }).run("look");
    expect(JSON.parse(h.lastResults()[0] ?? "")).toMatchObject({
      status: "success",
      data: { entries: expect.any(Array) },
    });
    const permissions = [{ permission: "list", pattern: "*", action: "deny" as const }];
    await h.agent({ permissions }).run("look");
    expect(h.lastResults()[0]).not.toContain("entries");
  });

  it.each(["toolu_01:a.b/c", "call|fc_68e0", "ü 😀", "x".repeat(300)])("the provider's id %j is kept", async (id) => {
    const h = await start([{ calls: [{ id, name: "Bash", input: { command: "seq 1 90000" } }] }, { text: "ok" }]);
    const outcome = await h.agent().run("count");
    const results = h.events(outcome.session).filter((event) => event.type === "tool.result");
    expect(results.map(({ callId }) => callId)).toEqual([id]);
    expect(JSON.parse(h.lastResults()[0] ?? "")).toMatchObject({ tool_use_id: id });
  });
});

it("the summary is asked for with definitions and structure, without repetition, and with readable code", async () => {
  const h = await start([long, { text: "ok" }]);
  const asked: string[] = [];
  const model = {
    specificationVersion: "v3",
    provider: "test",
    modelId: "test",
    supportedUrls: {},
    doGenerate: (options: unknown) => {
      asked.push(JSON.stringify(options));
      return Promise.reject(new Error("no"));
    },
  };
  const spillway = createSpillway({ root: h.root, env: {}, config: false });
  const summarizer = createSummarizer({ model: model as never, spillway, everyTool: true });
  await h.agent({ spillway, summarizer }).run("count");
  for (const demand of [/definitions and the structure/, /repeated or redundant/, /code snippets readable/])
    expect(asked[0]).toMatch(demand);
});
