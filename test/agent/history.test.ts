import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { accountSession } from "../../src/agent/accounting.ts";
import { createSummarizer } from "../../src/agent/summarize.ts";
import { createSpillway } from "../../src/gate/spillway.ts";
import { defineTool } from "../../src/tools/registry/define-tool.ts";
import type { ModelRequest, ScriptedReply } from "../support/model-server.ts";
import { useAgents } from "./harness.ts";

const start = useAgents();
const DAY_MS = 24 * 60 * 60 * 1000;

const noiseTool = defineTool({
  name: "Noise",
  description: "Makes noise.",
  parameters: z.object({ lines: z.number() }),
  readOnly: true,
  execute: async ({ lines }, run) =>
    run.success(
      { content: `${"all is well here\n".repeat(lines)}FATAL: the pump broke\n${"all is well here\n".repeat(lines)}` },
      "Noise.",
    ),
});
const noise = (lines = 20_000, id = "n1") => ({ calls: [{ id, name: "Noise", input: { lines } }] });

describe("artifacts of a live history", () => {
  it("are kept from cleanup while the session runs or waits to be resumed, and given free when it is done", async () => {
    let broken = true;
    const h = await start((_, index) => (index === 0 ? noise() : broken ? { status: 401 } : { text: "done" }));
    const agent = h.agent({ tools: [noiseTool] });
    const failed = await agent.run("listen");
    expect(failed.reason).toBe("failed");
    const path = JSON.parse(h.lastResults()[0] ?? "").artifact_path;
    const later = Date.now() + 20 * DAY_MS;
    await agent.store.cleanup({ now: later, retentionDays: 7, quotaBytes: 1 });
    expect(readFileSync(path, "utf8")).toContain("FATAL");

    broken = false;
    expect((await agent.run(undefined, { session: failed.session })).reason).toBe("done");
    await agent.store.cleanup({ now: later, retentionDays: 7 });
    expect(() => readFileSync(path)).toThrow("ENOENT");
  });
});

describe("accounting", () => {
  it("counts what was cut, read back, repeated and stubbed", async () => {
    const replies: ((request: ModelRequest) => ScriptedReply)[] = [
      () => noise(20_000, "read-later"),
      () => noise(30_000, "enough"),
      () => noise(40_000, "repeated"),
      (request) => ({
        calls: [
          { name: "Read", input: { path: JSON.parse(request.toolResults[0]?.text ?? "").artifact_path, limit: 50 } },
        ],
      }),
      () => noise(40_000, "again"),
      () => ({ text: "done" }),
    ];
    const h = await start((request, index) => replies[index]?.(request) ?? { text: "?" });
    const { builtInTools } = await import("../../src/tools/index.ts");
    const { session } = await h.agent({ tools: [...builtInTools, noiseTool] }).run("listen");
    const account = accountSession(h.events(session));
    expect(account).toMatchObject({
      steps: 6,
      truncatedResults: 4,
      artifactsRead: 1,
      callsRepeated: 1,
      previewEnough: 2,
      stubSavedTokens: 0,
    });
    expect(account.usage).toEqual({ inputTokens: 600, outputTokens: 60, cachedTokens: 0 });
    expect(account.tools.Noise).toMatchObject({ calls: 4, truncated: 4 });
    expect(account.readBackTokens).toBeGreaterThan(100);
    const { tokensBefore = 0, tokensAfter = 0 } = account.tools.Noise ?? {};
    expect(account.netSavedTokens).toBeLessThan(tokensBefore - tokensAfter - account.readBackTokens);
    expect(accountSession(h.events(session), Infinity).netSavedTokens).toBe(
      tokensBefore - tokensAfter - account.readBackTokens,
    );
  });

  it("adds up what stubs saved in later requests", async () => {
    const h = await start((_, index) => (index < 8 ? noise(100 + index, `n${index}`) : { text: "done" }));
    const { session } = await h.agent({ tools: [noiseTool], contextWindow: 12_000 }).run("listen");
    const events = h.events(session);
    expect(events.some((event) => event.type === "history.stubbed")).toBe(true);
    expect(accountSession(events).stubSavedTokens).toBeGreaterThan(1_000);
  });
});

describe("summaries", () => {
  const summaryOf = (reply: ScriptedReply) => async (request: ModelRequest, index: number) =>
    request.toolNames.length === 0 ? reply : index === 0 ? noise() : { text: "done" };
  const summarize = async (reply: ScriptedReply, lines?: number) => {
    const h = await start(summaryOf(reply));
    const spillway = createSpillway({ root: h.root, env: {}, config: false, strategy: "summarize" });
    const summarizer = createSummarizer({
      model: h.model.model,
      spillway,
      timeoutMs: 500,
      triggerChars: lines ?? 20_000,
    });
    await h.agent({ tools: [noiseTool], spillway, summarizer }).run("listen");
    return { h, wrapper: JSON.parse(h.lastResults()[0] ?? "") };
  };
  const body = (content: string) => ({
    id: "c",
    object: "chat.completion",
    created: 1,
    model: "cheap",
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  });

  it("replace the preview, from the smart preview of at most 50,000 characters", async () => {
    const { h, wrapper } = await summarize({ status: 200, body: body("The pump broke.") });
    expect(wrapper).toMatchObject({ preview: "The pump broke.", summarized: true, original_length: 680_022 });
    expect(readFileSync(wrapper.artifact_path, "utf8").length).toBe(680_022);
    const asked = h.server.requests.find((request) => request.toolNames.length === 0);
    expect(asked?.userTexts[0]).toContain("FATAL: the pump broke");
    expect(asked?.userTexts[0]?.length).toBeLessThanOrEqual(50_000);
  });

  it("say that they are summaries, and where the output itself is", async () => {
    const { wrapper } = await summarize({ status: 200, body: body("The pump broke.") });
    expect(wrapper.hint).toContain("a summary by a model, not the output itself");
    expect(wrapper.hint).toContain(`Full output saved to: ${wrapper.artifact_path}`);
    expect(wrapper.hint).not.toContain("shown.");
  });

  it.each([
    ["every tool when none is named", ""],
    ["a named tool only", "tool_output_limits: { tools: { Noise: { truncation_strategy: summarize } } }\n"],
  ])("are made as the config file says, for %s", async (_, limits) => {
    const h = await start(summaryOf({ status: 200, body: body("The pump broke.") }));
    const settings = "summarization: { enabled: true, model: qwen-turbo, trigger_threshold: 20000 }\n";
    writeFileSync(join(h.root, "spillway.yaml"), limits + settings);
    await h.agent({ tools: [noiseTool], spillway: createSpillway({ root: h.root, env: {} }) }).run("listen");
    expect(JSON.parse(h.lastResults()[0] ?? "")).toMatchObject({ preview: "The pump broke.", summarized: true });
    const asked = h.server.requests.find((request) => request.toolNames.length === 0);
    expect(JSON.stringify(asked)).toContain("qwen-turbo");
  });

  it("are not made for other tools than the named ones", async () => {
    const h = await start(summaryOf({ status: 200, body: body("The pump broke.") }));
    const limits = "tool_output_limits: { tools: { Other: { truncation_strategy: summarize } } }\n";
    writeFileSync(join(h.root, "spillway.yaml"), `${limits}summarization: { enabled: true }\n`);
    await h.agent({ tools: [noiseTool], spillway: createSpillway({ root: h.root, env: {} }) }).run("listen");
    expect(JSON.parse(h.lastResults()[0] ?? "")).not.toHaveProperty("summarized");
  });

  it("leave the shipped example as it stands: off", async () => {
    const h = await start(summaryOf({ status: 200, body: body("The pump broke.") }));
    copyFileSync(new URL("../../examples/spillway.yaml", import.meta.url), join(h.root, "spillway.yaml"));
    await h.agent({ tools: [noiseTool], spillway: createSpillway({ root: h.root, env: {} }) }).run("listen");
    const wrapper = JSON.parse(h.lastResults()[0] ?? "");
    expect(wrapper).not.toHaveProperty("summarized");
    expect(wrapper.preview.length).toBeLessThanOrEqual(8000);
  });

  it.each<[string, ScriptedReply]>([
    ["an error", { status: 500 }],
    ["an empty answer", { status: 200, body: body(" ") }],
    ["silence", { hang: true }],
  ])("fall back to head_tail after %s", async (_, reply) => {
    const { wrapper } = await summarize(reply);
    expect(wrapper).not.toHaveProperty("summarized");
    expect(wrapper.preview).toMatch(/^all is well here\n.*all is well here\n?$/s);
  });

  it("are not made below the threshold", async () => {
    const { h, wrapper } = await summarize({ status: 500 }, 1_000_000);
    expect(h.server.requests.every((request) => request.toolNames.length > 0)).toBe(true);
    expect(wrapper._openagentic_truncated).toBe(true);
  });
});

describe("accounting of a tool that a model made up", () => {
  it("counts it under whatever name it has", async () => {
    const names = ["constructor", "__proto__"];
    const h = await start([{ calls: names.map((name) => ({ name, input: {} })) }, { text: "done" }]);
    const { session } = await h.agent().run("go");
    const { tools } = accountSession(h.events(session));
    expect(Object.keys(tools)).toEqual(names);
    expect(Object.values(tools).map(({ calls }) => calls)).toEqual([1, 1]);
  });
});
