import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createAgent } from "../../src/agent/create-agent.ts";
import { createExploreAgent, EXPLORE_PROMPT, EXPLORE_TOOLS, explore } from "../../src/agent/explore.ts";
import { listSessions } from "../../src/agent/list-sessions.ts";
import {
  composeRunners,
  renderTaskDescription,
  type TaskRequest,
  type TaskRunner,
  UnknownAgent,
} from "../../src/agent/task.ts";
import type { ModelRequest } from "../support/model-server.ts";
import { longestLine, MAX_EVENT_BYTES, useAgents } from "./harness.ts";

const start = useAgents();
const isExplore = (request: ModelRequest) => request.system === EXPLORE_PROMPT;
const task = (agent: string, prompt = "find it", id = "t1") => ({
  calls: [{ id, name: "Task", input: { agent, prompt } }],
});

const echoRunner = (name: string, mark = name): TaskRunner => ({
  agents: [{ name, description: `The ${name} agent.`, use: "for tests." }],
  run: async ({ prompt }) => ({ text: `${mark}: ${prompt}` }),
});

describe("composeRunners", () => {
  const request = (agent: string) => ({
    agent,
    prompt: "p",
    lineage: { agent, parent: { session: "s", callId: "c" }, depth: 1 },
  });

  it("gives each agent to the first runner that lists it", async () => {
    const runner = composeRunners(
      echoRunner("explore", "built-in"),
      echoRunner("explore", "mine"),
      echoRunner("research"),
    );
    expect(runner.agents.map((agent) => agent.name)).toEqual(["explore", "research"]);
    expect((await runner.run(request("explore"))).text).toBe("built-in: p");
    expect((await runner.run(request("research"))).text).toBe("research: p");
  });

  it("fails with the list of agents when nobody handles one", async () => {
    const runner = composeRunners(echoRunner("a"), echoRunner("b"));
    await expect(runner.run(request("c"))).rejects.toThrow(new UnknownAgent("c", runner.agents));
    await expect(runner.run(request("c"))).rejects.toThrow('no agent "c". Agents: a, b.');
  });
});

describe("the Task tool", () => {
  it("lists the agents in its description, in place of {{agents}}", async () => {
    const h = await start([{ text: "ok" }]);
    await h.agent({ runners: [echoRunner("deep-research")] }).run("hi");
    const description = h.server.requests[0]?.toolDescriptions.Task ?? "";
    expect(description).toContain("- explore: ");
    expect(description).toContain("- deep-research: The deep-research agent. Use it for tests.");
    expect(description).toContain('Task(agent="…", prompt="…")');
    expect(description).not.toContain("{{");
    const { tools } = JSON.parse(h.server.requests[0]?.body ?? "");
    const parameters = tools.find((tool: { function: { name: string } }) => tool.function.name === "Task").function
      .parameters;
    expect(Object.keys(parameters.properties)).toEqual(["agent", "prompt"]);
    expect(renderTaskDescription([], "[{{agents}}]")).toBe("[]");
  });

  it("routes explore to the built-in runner, others to the application's, and names what there is", async () => {
    const calls = ["explore", "deep-research", "webview"].map((agent) => ({
      id: agent,
      name: "Task",
      input: { agent, prompt: "q" },
    }));
    const h = await start((request, index) =>
      isExplore(request) ? { text: "Conclusion: explored." } : index === 0 ? { calls } : { text: "ok" },
    );
    await h.agent({ runners: [echoRunner("deep-research")] }).run("hi");
    const [explored, researched, unknown] = h.lastResults().map((text) => JSON.parse(text));
    expect(explored).toMatchObject({
      status: "partial",
      data: { content: "Conclusion: explored.", failed_items: ["evidence"] },
      text: expect.stringContaining("names no path:line"),
    });
    expect(researched).toMatchObject({ status: "success", data: { content: "deep-research: q" } });
    expect(unknown).toMatchObject({ status: "error", error: { code: "NOT_FOUND" } });
    expect(unknown.text).toContain("Agents: explore, deep-research.");
  });

  it("holds explore to what its caller denies", async () => {
    const h = await start((request, index) => {
      if (!isExplore(request)) return index === 0 ? task("explore") : { text: "ok" };
      return request.toolResults.length === 0
        ? { calls: [{ name: "Read", input: { path: "secret.txt" } }] }
        : { text: "Conclusion: none." };
    });
    writeFileSync(join(h.root, "secret.txt"), "the password\n");
    const permissions = [
      { permission: "read", pattern: "secret*", action: "deny" },
      { permission: "glob", pattern: "*", action: "deny" },
    ] as const;
    await h.agent({ permissions }).run("look");
    const explored = h.server.requests.filter(isExplore);
    expect(explored[0]?.toolNames).not.toContain("Glob");
    expect(explored.at(-1)?.toolResults[0]?.text).toContain("PERMISSION_DENIED");
    expect(h.server.requests.some((request) => request.body.includes("the password"))).toBe(false);
  });

  it("is not offered without a runner, nor named in a hint", async () => {
    const h = await start([{ calls: [{ name: "Bash", input: { command: "seq 1 30000" } }] }, { text: "ok" }]);
    await h.agent({ explore: false }).run("hi");
    expect(h.server.requests[0]?.toolNames).not.toContain("Task");
    expect(JSON.parse(h.lastResults()[0] ?? "").hint).not.toContain("Task");
  });

  it("turns a failing runner into an envelope", async () => {
    const failing: TaskRunner = {
      agents: [{ name: "broken", description: "Breaks.", use: "never." }],
      run: async () => Promise.reject(new Error("no network")),
    };
    const h = await start([task("broken"), { text: "ok" }]);
    await h.agent({ runners: [failing] }).run("hi");
    expect(JSON.parse(h.lastResults()[0] ?? "")).toMatchObject({
      status: "error",
      error: { code: "EXECUTION_ERROR", message: "broken failed: no network" },
    });
  });

  it("takes no silence for an answer", async () => {
    const silent: TaskRunner = {
      agents: [{ name: "mute", description: "Says nothing.", use: "never." }],
      run: async () => ({ text: " \n" }),
    };
    const h = await start([task("mute"), { text: "ok" }]);
    await h.agent({ runners: [silent] }).run("hi");
    expect(JSON.parse(h.lastResults()[0] ?? "")).toMatchObject({
      status: "error",
      error: { code: "EXECUTION_ERROR", message: "mute ended without an answer." },
    });
  });

  it("stops at the depth limit", async () => {
    const depths: number[] = [];
    const h = await start((request) =>
      request.toolNames.includes("Task") ? task("nest", "deeper", `t${depths.length}`) : { text: "bottom" },
    );
    const runner: TaskRunner = {
      agents: [{ name: "nest", description: "Nests.", use: "for tests." }],
      async run({ prompt, lineage, signal }: TaskRequest) {
        depths.push(lineage.depth);
        const agent = createAgent({
          model: h.model,
          root: h.root,
          runners: [runner],
          maxDepth: 3,
          maxSteps: 1,
          lineage,
        });
        const outcome = await agent.run(prompt, { signal });
        return { text: outcome.text || outcome.reason };
      },
    };
    await h.agent({ runners: [runner], maxDepth: 3, maxSteps: 1 }).run("go");
    expect(depths).toEqual([1, 2, 3]);
    const sessions = listSessions(h.root);
    expect(sessions.map((session) => session.agent)).toEqual(["nest", "nest", "nest", undefined]);
    expect(sessions[0]?.parent?.session).toBe(sessions[1]?.id);
  });
});

describe("explore", () => {
  it("has only its reading tools, by construction", async () => {
    const attempts = [
      { name: "Write", input: { path: "evil", content: "x" } },
      { name: "Edit", input: { path: "a.txt", old_string: "a", new_string: "b" } },
      { name: "Bash", input: { command: "touch evil" } },
      { name: "Task", input: { agent: "explore", prompt: "write for me" } },
      { name: "Read", input: { path: "/etc/passwd" } },
    ];
    const h = await start([{ calls: attempts }, { text: "Conclusion: I could not." }]);
    writeFileSync(join(h.root, "a.txt"), "a\n");
    const agent = await createExploreAgent({ model: h.model, root: h.root });
    expect((await agent.run("write something")).reason).toBe("done");
    expect([...(h.server.requests[0]?.toolNames ?? [])].sort()).toEqual([...EXPLORE_TOOLS].sort());
    expect(h.lastResults().map((text) => JSON.parse(text).error.code)).toEqual([
      "NOT_FOUND",
      "NOT_FOUND",
      "NOT_FOUND",
      "NOT_FOUND",
      "ACCESS_DENIED",
    ]);
    expect(existsSync(join(h.root, "evil"))).toBe(false);
    expect(readFileSync(join(h.root, "a.txt"), "utf8")).toBe("a\n");
  });

  it("works on a saved output in a session of its own, linked to the call", async () => {
    const h = await start((request) => {
      if (isExplore(request)) {
        const path = /In (\S+),/.exec(request.userTexts[0] ?? "")?.[1] ?? "";
        if (request.toolResults.length === 0) {
          return {
            calls: [{ id: "s", name: "ArtifactSearch", input: { path, question: "which number is on fire?" } }],
          };
        }
        const [best] = JSON.parse(request.toolResults[0]?.text ?? "").data.passages;
        return {
          text: `Conclusion: it burns.\nEvidence:\n- ${best.path}:${best.line} the fire\n- ${best.path}:99999 made up`,
        };
      }
      const [first] = request.toolResults;
      if (first === undefined)
        return {
          calls: [{ id: "b", name: "Bash", input: { command: "seq 1 9000; echo 9001 is on fire; seq 1 9000" } }],
        };
      const path = JSON.parse(first.text).artifact_path;
      return request.toolResults.length === 1 ? task("explore", `In ${path}, find the fire`) : { text: "Thanks." };
    });
    const outcome = await h.agent().run("what happened?");
    const answer = JSON.parse(h.lastResults()[1] ?? "");
    expect(answer.status).toBe("partial");
    expect(answer.data).toMatchObject({ evidence_checked: 2, evidence_wrong: 1 });
    expect(answer.data.content).toMatch(/:9001 the fire/);
    expect(answer.data.content).toMatch(/:99999 \[not found: the file has 18001 lines\]/);
    const child = listSessions(h.root).find((session) => session.id === answer.data.session);
    expect(child).toMatchObject({
      agent: "explore",
      parent: { session: outcome.session, callId: "t1" },
      lastEnd: "done",
    });
  });

  it("gives an answer of 1 MB through the gate", async () => {
    const long = "Conclusion: everything.\n".repeat(45_000);
    const h = await start((request, index) =>
      isExplore(request) ? { text: long } : index === 0 ? task("explore") : { text: "ok" },
    );
    const outcome = await h.agent().run("hi");
    const [text] = h.lastResults();
    expect(text?.length).toBeLessThan(66_000);
    const wrapper = JSON.parse(text ?? "");
    expect(wrapper).toMatchObject({ _openagentic_truncated: true, tool_name: "Task" });
    expect(readFileSync(wrapper.artifact_path, "utf8")).toBe(long);
    for (const { id } of listSessions(h.root)) expect(longestLine(h.root, id)).toBeLessThanOrEqual(MAX_EVENT_BYTES);
    expect(outcome.reason).toBe("done");
  });

  it.each([
    ["nothing found", "", "error"],
    ["something found", "So far: a.txt:1 greets.", "partial"],
  ])("is no success when its steps run out, with %s", async (_, said, status) => {
    const h = await start((request, index) => {
      if (!isExplore(request)) return index === 0 ? task("explore") : { text: "ok" };
      return { text: said, calls: [{ name: "LS", input: { path: ".", limit: 1 + request.toolResults.length } }] };
    });
    writeFileSync(join(h.root, "a.txt"), "hello");
    await h.agent().run("hi");
    const result = JSON.parse(h.lastResults()[0] ?? "");
    expect(result).toMatchObject({ status, data: { ended: "max_steps" } });
    expect(result.text).toMatch(/30 steps without an answer/);
    if (status === "partial") expect(result.data).toMatchObject({ content: said, truncated: true });
  });

  it("is no success when it goes round in circles", async () => {
    const h = await start((request, index) => {
      if (!isExplore(request)) return index === 0 ? task("explore") : { text: "ok" };
      return { calls: [{ name: "LS", input: { path: "." } }] };
    });
    await h.agent().run("hi");
    expect(JSON.parse(h.lastResults()[0] ?? "")).toMatchObject({ status: "error", data: { ended: "loop" } });
  });

  it("is a success with evidence that holds", async () => {
    const h = await start((request, index) => {
      if (!isExplore(request)) return index === 0 ? task("explore") : { text: "ok" };
      return { text: "Conclusion: it greets.\nEvidence:\n- 我的 文件.txt:1 hello" };
    });
    writeFileSync(join(h.root, "我的 文件.txt"), "hello");
    await h.agent().run("hi");
    expect(JSON.parse(h.lastResults()[0] ?? "")).toMatchObject({ status: "success", data: { evidence_checked: 1 } });
  });

  it("says when its model fails", async () => {
    const h = await start((request, index) =>
      isExplore(request) ? { status: 401 } : index === 0 ? task("explore") : { text: "ok" },
    );
    await h.agent().run("hi");
    expect(JSON.parse(h.lastResults()[0] ?? "")).toMatchObject({ status: "error", error: { code: "EXECUTION_ERROR" } });
  });

  it("can be asked alone", async () => {
    const h = await start([{ text: "Conclusion: hello.\nEvidence:\n- a.txt:1 greeting\n- a.txt:2\n- gone.txt:1" }]);
    writeFileSync(join(h.root, "a.txt"), "hello");
    const answer = await explore("what is in a.txt?", { model: h.model, root: h.root });
    expect(answer.evidence).toEqual([
      { path: "a.txt", line: 1, exists: true },
      { path: "a.txt", line: 2, exists: false, problem: "the file has 1 line" },
      { path: "gone.txt", line: 1, exists: false, problem: "no such file" },
    ]);
    expect(answer.text).toContain("- gone.txt:1 [not found: no such file]");
  });
});
