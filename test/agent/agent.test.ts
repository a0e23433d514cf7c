import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ToolResultEvent } from "../../src/agent/events.ts";
import { longestLine, MAX_EVENT_BYTES, useAgents } from "./harness.ts";

const start = useAgents();
const resultsOf = (events: readonly { type: string }[]) =>
  events.filter((event) => event.type === "tool.result") as ToolResultEvent[];

describe.each(["openai", "anthropic", "openai-compatible"])("an agent on %s", (wire) => {
  it("calls tools, several at once, and answers", async () => {
    const h = await start(
      [
        {
          text: "I will look.",
          calls: [
            { id: "c1", name: "Read", input: { path: "a.txt" } },
            { id: "c2", name: "LS", input: { path: "." } },
          ],
        },
        { text: "It says hello." },
      ],
      wire,
    );
    writeFileSync(join(h.root, "a.txt"), "hello\n");
    const heard: string[] = [];
    const outcome = await h.agent({ onText: (text) => heard.push(text) }).run("What does a.txt say?");
    expect(outcome).toMatchObject({ reason: "done", text: "It says hello.", steps: 2 });
    expect(heard.join("")).toBe("I will look.It says hello.");
    expect(h.server.requests[1]?.toolResults.map((result) => result.callId)).toEqual(["c1", "c2"]);
    expect(JSON.parse(h.lastResults()[0] ?? "")).toMatchObject({
      status: "success",
      data: { content: expect.stringContaining("hello") },
    });
    expect(h.events(outcome.session).map((event) => event.type)).toEqual([
      "session.start",
      "user",
      "model",
      "tool.call",
      "tool.call",
      "tool.result",
      "tool.result",
      "model",
      "turn.end",
    ]);
  });

  it("gives invalid arguments and unknown tools back as envelopes", async () => {
    const h = await start(
      [
        {
          calls: [
            { name: "Read", input: '{"path": "a' },
            { name: "Teleport", input: { to: "mars" } },
            { name: "Read", input: { path: 7 } },
            { name: "bad name!", input: [] },
          ],
        },
        { text: "Sorry." },
      ],
      wire,
    );
    const outcome = await h.agent().run("go");
    expect(outcome.reason).toBe("done");
    const results = h.lastResults().map((text) => JSON.parse(text));
    expect(results.map((result) => [result.status, result.error.code])).toEqual([
      ["error", "INVALID_PARAM"],
      ["error", "NOT_FOUND"],
      ["error", "INVALID_PARAM"],
      ["error", "NOT_FOUND"],
    ]);
    expect(results[1].text).toContain("Call one of these: ");
  });

  it("records and sends a result of 50 MB as the wrapper, and saves all of it", async () => {
    const command =
      "head -c 50000000 /dev/zero | tr '\\0' 'x' | fold -w 99; echo; echo ERROR: disk on fire; seq 1 1000";
    const h = await start([{ calls: [{ id: "big", name: "Bash", input: { command } }] }, { text: "ok" }], wire);
    const outcome = await h.agent().run("why does it fail?");
    expect(outcome.reason).toBe("done");
    const [sent] = h.lastResults();
    const wrapper = JSON.parse(sent ?? "");
    expect(wrapper).toMatchObject({
      _openagentic_truncated: true,
      reason: "tool_output_too_large",
      tool_name: "Bash",
      tool_use_id: "big",
      stats: { exit_code: 0 },
    });
    expect(wrapper.original_chars).toBeGreaterThan(50_000_000);
    expect(wrapper.preview).toContain("ERROR: disk on fire");
    expect(wrapper.hint).toContain('Task(agent="explore"');
    expect(Buffer.byteLength(sent ?? "")).toBeLessThan(60_000);
    const saved = readFileSync(wrapper.artifact_path, "utf8");
    expect(saved.length).toBe(wrapper.original_chars);
    expect(saved.startsWith(`${"x".repeat(99)}\n`)).toBe(true);
    expect(saved.endsWith("999\n1000\n")).toBe(true);
    expect(longestLine(h.root, outcome.session)).toBeLessThanOrEqual(MAX_EVENT_BYTES);
    expect(resultsOf(h.events(outcome.session))[0]?.output).toEqual(wrapper);
  });
});

describe("what the model may do", () => {
  it("does not offer a denied tool, and no hint names it", async () => {
    const h = await start([{ calls: [{ name: "Bash", input: { command: "seq 1 20000" } }] }, { text: "ok" }]);
    await h
      .agent({
        permissions: [
          { permission: "task", pattern: "*", action: "deny" },
          { permission: "grep", pattern: "*", action: "deny" },
        ],
      })
      .run("count");
    const [request] = h.server.requests;
    expect(request?.toolNames).toContain("Bash");
    expect(request?.toolNames).not.toContain("Task");
    expect(request?.toolNames).not.toContain("Grep");
    const { hint } = JSON.parse(h.lastResults()[0] ?? "");
    expect(hint).toContain("Read(");
    expect(hint).not.toMatch(/Task|Grep/);
  });

  it("names in a hint no agent that a rule denies, nor explore where there is none", async () => {
    const big = { calls: [{ name: "Bash", input: { command: "seq 1 20000" } }] };
    const denied = await start([big, { text: "ok" }]);
    await denied.agent({ permissions: [{ permission: "task", pattern: "explore", action: "deny" }] }).run("count");
    const other = await start([big, { text: "ok" }]);
    const runner = {
      agents: [{ name: "writer", description: "Writes.", use: "to write." }],
      run: async () => ({ text: "" }),
    };
    await other.agent({ explore: false, runners: [runner] }).run("count");
    expect(other.server.requests[0]?.toolNames).toContain("Task");
    for (const { lastResults } of [denied, other]) {
      const { hint } = JSON.parse(lastResults()[0] ?? "");
      expect(hint).toMatch(/Grep\(pattern="…", path="\w+"\), or read a part with Read\(path="\w+", offset=/);
      expect(hint).not.toMatch(/Task|explore|writer/);
    }
  });

  it("lets no tool's own advice name a denied one", async () => {
    const h = await start([
      {
        calls: [
          { name: "Read", input: { path: "nowhere" } },
          { name: "LS", input: { limit: 1 } },
        ],
      },
      { text: "ok" },
    ]);
    for (const name of ["one", "two"]) writeFileSync(join(h.root, name), "");
    const denied = (permission: string) => ({ permission, pattern: "*", action: "deny" as const });
    await h.agent({ permissions: [denied("glob")] }).run("look");
    const [missing, listed] = h.lastResults().map((text) => JSON.parse(text));
    expect(missing.text).toBe("There is no nowhere. Check the parameters of Read.");
    expect(listed.text).toMatch(/LS \{"path":"\.","limit":2\} shows all\.$/);
  });

  it("keeps sessions and artifacts from being written by tools, even with --yes", async () => {
    const paths = [".agents/sessions/x/events.jsonl", "src/../.agents/y"];
    const h = await start([
      { calls: paths.map((path) => ({ name: "Write", input: { path, content: "z" } })) },
      { text: "ok" },
    ]);
    await h.agent().run("forge");
    expect(h.lastResults().map((text) => JSON.parse(text).error.code)).toEqual([
      "PERMISSION_DENIED",
      "PERMISSION_DENIED",
    ]);
  });

  it("offers nothing that would have to be asked when nobody can be asked", async () => {
    const h = await start([{ calls: [{ name: "Write", input: { path: "x", content: "y" } }] }, { text: "ok" }]);
    await h.agent({ yes: false }).run("write");
    expect(h.server.requests[0]?.toolNames).not.toContain("Write");
    expect(JSON.parse(h.lastResults()[0] ?? "").error.code).toBe("NOT_FOUND");
    expect(existsSync(join(h.root, "x"))).toBe(false);
  });

  it("asks one question at a time, and a no comes back as an envelope", async () => {
    const calls = ["one", "two"].map((path) => ({ name: "Write", input: { path, content: "text" } }));
    const h = await start([{ calls }, { text: "ok" }]);
    const asked: string[] = [];
    const { session } = await h
      .agent({
        yes: false,
        ask: async ({ tool, pattern }) => {
          asked.push(`${tool} ${pattern}`);
          return pattern === "one";
        },
      })
      .run("write");
    expect(asked).toEqual(["Write one", "Write two"]);
    expect(existsSync(join(h.root, "one"))).toBe(true);
    expect(existsSync(join(h.root, "two"))).toBe(false);
    expect(JSON.parse(h.lastResults()[1] ?? "").error.code).toBe("PERMISSION_DENIED");
    expect(h.events(session).filter((event) => event.type === "permission")).toMatchObject([
      { action: "allow", by: "user" },
      { action: "deny", by: "user" },
    ]);
  });
});

it("marks where Anthropic's prompt cache ends, on the newest message only", async () => {
  const h = await start([{ calls: [{ name: "LS", input: {} }] }, { text: "ok" }], "anthropic");
  await h.agent().run("look");
  for (const request of h.server.requests) {
    expect(request.body.match(/cache_control/g)).toHaveLength(1);
    expect(JSON.stringify(JSON.parse(request.body).messages.at(-1))).toContain("cache_control");
  }
});

describe("a model that misbehaves", () => {
  it("is told that it repeats itself, and then stopped", async () => {
    const h = await start(() => ({ calls: [{ name: "LS", input: { path: "." } }] }));
    const outcome = await h.agent({ maxSteps: 40 }).run("go");
    expect(outcome).toMatchObject({ reason: "loop", steps: 6 });
    expect(h.server.requests[3]?.userTexts.at(-1)).toContain("same calls 3 times");
  });

  it("is stopped when it goes round in circles, but may poll", async () => {
    let turn = 0;
    const circling = await start(() => ({
      calls: [{ name: "Glob", input: { pattern: ["*.a", "*.b", "*.c"][turn++ % 3] } }],
    }));
    expect(await circling.agent({ maxSteps: 60 }).run("go")).toMatchObject({ reason: "loop", steps: 18 });

    const polling = await start(() => ({ calls: [{ name: "Bash", input: { command: "date +%N" } }] }));
    expect(await polling.agent({ maxSteps: 9 }).run("go")).toMatchObject({ reason: "max_steps", steps: 9 });
  });

  it("may reuse call ids", async () => {
    const call = (path: string) => ({ calls: [{ id: "same", name: "Read", input: { path } }] });
    const h = await start([call("a"), call("b"), { text: "done" }]);
    writeFileSync(join(h.root, "a"), "first");
    writeFileSync(join(h.root, "b"), "second");
    await h.agent().run("go");
    expect(h.server.requests[2]?.toolResults.map((result) => result.callId)).toEqual(["same", "same_2"]);
    expect(h.lastResults().map((text) => /first|second/.exec(text)?.[0])).toEqual(["first", "second"]);
  });

  it("cannot write a long line into the session, nor can the user or a tool", async () => {
    const huge = "\u0001é".repeat(400_000);
    const h = await start([
      { text: huge, calls: [{ id: "w", name: "Write", input: { path: "big", content: huge } }] },
      { calls: [{ name: "X".repeat(500_000), input: {} }] },
      { calls: Array.from({ length: 200 }, (_, index) => ({ name: "LS", input: { path: `p${index}` } })) },
      { text: huge },
    ]);
    const outcome = await h.agent({ maxResultBytes: 400_000 }).run(huge);
    expect(outcome.text).toBe(huge);
    expect(readFileSync(join(h.root, "big"), "utf8")).toBe(huge);
    expect(longestLine(h.root, outcome.session)).toBeLessThanOrEqual(MAX_EVENT_BYTES);
    const events = h.events(outcome.session);
    const whole = (type: string) => {
      const event = events.find((one) => one.type === type) as { artifact?: { path: string } };
      return readFileSync(event.artifact?.path ?? "", "utf8");
    };
    expect(whole("user") === huge).toBe(true);
    expect(whole("model") === huge).toBe(true);
    expect(JSON.parse(whole("tool.call")).content === huge).toBe(true);
    expect(events.filter((event) => event.type === "notice")).toMatchObject([
      { text: expect.stringContaining("128 of your 200") },
    ]);
  });
});

describe("a provider that fails", () => {
  it.each([
    ["400", { status: 400 }],
    ["401", { status: 401 }],
    ["500", { status: 500 }],
    ["garbage", { garbage: "<html>" }],
    ["nothing", { hang: true as const }],
  ])("ends the turn after %s, and the session goes on later", async (_, reply) => {
    let broken = true;
    const h = await start(() => (broken ? reply : { text: "back again" }));
    const failed = await h.agent({ retries: 1, idleTimeoutMs: 100 }).run("hello");
    expect(failed).toMatchObject({ reason: "failed", message: expect.stringContaining("could not be asked") });
    broken = false;
    const again = await h.agent().run(undefined, { session: failed.session });
    expect(again).toMatchObject({ reason: "done", text: "back again" });
    expect(h.server.requests.at(-1)?.userTexts).toEqual(["hello"]);
  });

  it("is asked again after 429 and a broken stream, which the session records", async () => {
    const h = await start([
      { status: 429, headers: { "retry-after-ms": "7" } },
      { text: "half an answer that", breakOff: true },
      { text: "whole" },
    ]);
    const outcome = await h.agent().run("hello");
    expect(outcome.text).toBe("whole");
    expect(h.events(outcome.session).filter((event) => event.type === "retry")).toMatchObject([
      { attempt: 1, delayMs: 7 },
      { attempt: 2 },
    ]);
  });
});

describe("aborting", () => {
  it("ends a running command and leaves a session that can go on", async () => {
    const h = await start((_, index) =>
      index === 0
        ? {
            calls: [
              { name: "Bash", input: { command: "echo started; touch started; sleep 60" } },
              { name: "Bash", input: { command: "touch late" } },
            ],
          }
        : { text: "resumed" },
    );
    const abort = new AbortController();
    const running = h.agent().run("go", { signal: abort.signal });
    await expect.poll(() => existsSync(join(h.root, "started"))).toBe(true);
    abort.abort();
    const outcome = await running;
    expect(outcome.reason).toBe("aborted");
    expect(existsSync(join(h.root, "late"))).toBe(false);
    const again = await h.agent().run(undefined, { session: outcome.session });
    expect(again).toMatchObject({ reason: "done", text: "resumed" });
    expect(h.lastResults().map((text) => JSON.parse(text).status)).toEqual(["partial", "error"]);
  });
});

describe("a parameter that a tool does not take", () => {
  it("decides nothing: rules are asked about those that it takes", async () => {
    const input = { agent: "deploy", prompt: "go", path: "readme", command: "ls" };
    const h = await start([{ calls: [{ name: "Task", input }] }, { text: "ok" }]);
    const ran: string[] = [];
    const runner = {
      agents: [{ name: "deploy", description: "Deploys.", use: "never." }],
      run: async ({ agent }: { agent: string }) => {
        ran.push(agent);
        return { text: "deployed" };
      },
    };
    await h
      .agent({ runners: [runner], permissions: [{ permission: "task", pattern: "deploy", action: "deny" }] })
      .run("x");
    expect(ran).toEqual([]);
    expect(JSON.parse(h.lastResults()[0] ?? "").error.code).toBe("PERMISSION_DENIED");
  });
});
