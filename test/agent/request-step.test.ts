import { getEventListeners } from "node:events";
import { jsonSchema } from "ai";
import { afterEach, describe, expect, it } from "vitest";
import { classifyFailure, loadModel } from "../../src/agent/model.ts";
import { requestStep, type StepRequest } from "../../src/agent/request-step.ts";
import { type ModelServer, type Script, type ScriptedReply, startModelServer } from "../support/model-server.ts";

const env = { OPENAI_API_KEY: "k", ANTHROPIC_API_KEY: "k" };
let server: ModelServer;
afterEach(() => server?.close());

async function ask(specifier: string, script: Script | ScriptedReply[], options: Partial<StepRequest> = {}) {
  server = await startModelServer(script);
  const { model } = await loadModel(specifier, { baseURL: server.url, env });
  return requestStep({
    model,
    system: "You are terse.",
    messages: [{ role: "user", content: "hello" }],
    tools: { Read: { description: "Reads.", inputSchema: jsonSchema({ type: "object", properties: {} }) } },
    maxOutputTokens: 1_000,
    retryDelayMs: 1,
    ...options,
  });
}

const tooLong = { error: { message: "prompt is too long: 300 tokens > 200 maximum", type: "invalid_request_error" } };

describe.each(["openai/m", "openai-compatible/m", "anthropic/m"])("requestStep with %s", (specifier) => {
  it("streams text and parallel calls, bad arguments and unknown tools included", async () => {
    const heard: string[] = [];
    const calls = [
      { id: "a", name: "Read", input: { path: "x" } },
      { id: "b", name: "Nonsense", input: { deep: [1] } },
      { id: "c", name: "Read", input: '{"path": ' },
    ];
    const answer = await ask(specifier, [{ text: "Reading two.", calls, usage: { input: 42, output: 7 } }], {
      onText: (text) => heard.push(text),
    });
    expect(answer.calls).toEqual([
      { callId: "a", tool: "Read", input: { path: "x" }, problem: undefined },
      { callId: "b", tool: "Nonsense", input: { deep: [1] }, problem: undefined },
      { callId: "c", tool: "Read", input: '{"path": ', problem: expect.stringContaining("JSON") },
    ]);
    expect(heard.join("")).toBe("Reading two.");
    expect(answer).toMatchObject({
      text: "Reading two.",
      finish: "tool-calls",
      usage: { inputTokens: 42, outputTokens: 7 },
    });
    expect(server.requests[0]).toMatchObject({ system: "You are terse.", toolNames: ["Read"], userTexts: ["hello"] });
  });

  it.each<[string, ScriptedReply]>([
    ["429", { status: 429 }],
    ["500", { status: 500, body: "<html>no</html>" }],
    ["garbage", { garbage: "<html>hi</html>" }],
    ["broken JSON", { garbage: 'data: {"x": [}\n\n' }],
    ["an empty answer", { garbage: "" }],
    ["a stream broken off", { text: "half of the answer", breakOff: true }],
    ["a stream without end", { text: "half of the answer", unfinished: true }],
    ["a stream that stalls", { text: "half of the answer", stall: true }],
    ["nothing at all", { hang: true }],
  ])("asks again after %s", async (_, reply) => {
    const retries: string[] = [];
    const silent = "hang" in reply || "stall" in reply;
    const answer = await ask(specifier, (_, index) => (index === 0 ? reply : { text: "whole" }), {
      ...(silent ? { idleTimeoutMs: 400 } : {}),
      onRetry: (retry) => retries.push(retry.reason),
    });
    expect(answer.text).toBe("whole");
    expect(server.requests).toHaveLength(retries.length + 1);
    expect(retries.length).toBeGreaterThan(0);
    if (!silent) expect(retries).toHaveLength(1);
  });

  it("gives up after the retries, with the status", async () => {
    await expect(ask(specifier, () => ({ status: 503 }), { retries: 2 })).rejects.toMatchObject({
      code: "MODEL_FAILED",
      details: { status: 503, attempts: 3, tooLong: false },
    });
    expect(server.requests).toHaveLength(3);
  });

  it("does not repeat a request that was refused", async () => {
    await expect(ask(specifier, () => ({ status: 401 }))).rejects.toMatchObject({ details: { attempts: 1 } });
    await server.close();
    await expect(ask(specifier, () => ({ status: 400, body: tooLong }))).rejects.toMatchObject({
      details: { attempts: 1, tooLong: true },
    });
  });

  it("waits as long as the provider says, unless that is too long", async () => {
    const delays: number[] = [];
    const onRetry = (retry: { delayMs: number }) => delays.push(retry.delayMs);
    await ask(specifier, [{ status: 429, headers: { "retry-after": "0.05" } }, { text: "ok" }], { onRetry });
    expect(delays).toEqual([50]);
    await server.close();
    const late = { status: 429, headers: { "retry-after": "3600" } };
    await expect(ask(specifier, () => late)).rejects.toMatchObject({ code: "MODEL_FAILED", details: { attempts: 1 } });
  });

  it("ends at once when aborted", async () => {
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 50);
    await expect(ask(specifier, () => ({ hang: true }), { signal: abort.signal })).rejects.toMatchObject({
      code: "ABORTED",
    });
  });
});

describe("loadModel", () => {
  it("says what is missing", async () => {
    await expect(loadModel("openai/x", { env: {} })).rejects.toThrow("OPENAI_API_KEY");
    await expect(loadModel("anthropic/x", { env: {} })).rejects.toThrow("ANTHROPIC_API_KEY");
    await expect(loadModel("openai-compatible/x", { env: {} })).rejects.toThrow("--base-url");
    await expect(loadModel("gpt", { env: {} })).rejects.toThrow("openai/NAME");
    expect((await loadModel("anthropic/x", { env })).contextWindow).toBe(200_000);
  });
});

describe("a request that is to be sent again", () => {
  it("is not waited for once it is aborted, also just before the wait", async () => {
    const controller = new AbortController();
    const asked = ask("openai/m", [{ status: 500 }, { text: "too late" }], {
      retryDelayMs: 60_000,
      signal: controller.signal,
      onRetry: () => controller.abort(),
    });
    await expect(asked).rejects.toMatchObject({ code: "ABORTED" });
  });

  it("leaves no listener behind", async () => {
    const { signal } = new AbortController();
    await ask("openai/m", [{ status: 500 }, { status: 500 }, { status: 500 }, { text: "ok" }], { signal });
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

describe("classifyFailure", () => {
  const ring: Record<string, unknown> = {};
  ring.ring = ring;

  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["null", null],
    ["an object that holds itself", ring],
    ["an object without a prototype", Object.create(null)],
  ])("has words for %s", (_, thrown) => {
    const failure = classifyFailure(thrown);
    expect(failure).toMatchObject({ message: "The model could not be asked: it failed without saying why" });
    expect(failure.retriable).toBe(true);
  });
});

describe("an address that cannot work", () => {
  const failWith = (code: string) =>
    Object.assign(new Error("Cannot connect to API: it failed"), { cause: Object.assign(new Error("x"), { code }) });

  it.each(["http://127.0.0.1:9/v1", "http://[::1/v1", "nothing", "http://", "ftp://127.0.0.1/v1"])(
    "such as %s is not asked again",
    async (baseURL) => {
      let retries = 0;
      const outcome = await (async () => {
        const { model } = await loadModel("openai-compatible/m", { baseURL, env });
        return requestStep({
          model,
          system: "",
          messages: [{ role: "user", content: "hello" }],
          tools: {},
          maxOutputTokens: 10,
          retryDelayMs: 1,
          onRetry: () => retries++,
        });
      })().catch((error: Error) => error.message);
      expect(outcome).toEqual(expect.any(String));
      expect(retries).toBe(0);
    },
  );

  it.each([
    ["ENOTFOUND", false],
    ["CERT_HAS_EXPIRED", false],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", false],
    ["ECONNREFUSED", true],
    ["ECONNRESET", true],
    ["EAI_AGAIN", true],
    ["UND_ERR_HEADERS_TIMEOUT", true],
  ])("is told by %s: retriable is %s", (code, retriable) => {
    const failure = classifyFailure(failWith(code));
    expect(failure.retriable).toBe(retriable);
    expect(failure.message.includes("check the address")).toBe(!retriable);
  });
});
