import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { resolveBudget, shareFairly } from "../../src/agent/budget.ts";
import { createMemoryStore } from "../../src/artifacts/memory-store.ts";
import { createSpillway } from "../../src/gate/spillway.ts";
import { defineTool } from "../../src/tools/registry/define-tool.ts";
import { createFailingStore } from "../support/failing-store.ts";
import { useAgents } from "./harness.ts";

describe("shareFairly", () => {
  it("keeps small ones whole and cuts large ones to one height", () => {
    expect(shareFairly([10, 1_000, 20, 1_000], 430)).toEqual([10, 200, 20, 200]);
    expect(shareFairly([1, 2, 3], 100)).toEqual([1, 2, 3]);
    expect(shareFairly([], 100)).toEqual([]);
  });

  it("never gives out more than there is, and never cuts a small one for a large one", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(100_000), { maxLength: 40 }), fc.nat(1_000_000), (sizes, total) => {
        const shares = shareFairly(sizes, total);
        const given = shares.reduce((sum, share) => sum + share, 0);
        expect(given).toBeLessThanOrEqual(total);
        const cut = sizes.flatMap((size, index) => (shares[index]! < size ? [shares[index]!] : []));
        const lowest = Math.min(...cut, Number.POSITIVE_INFINITY);
        for (const [index, size] of sizes.entries()) {
          expect(shares[index]).toBeLessThanOrEqual(size);
          // Whoever was cut has at least as much as everyone who was not, give or take the rounding.
          if (shares[index] === size) expect(size).toBeLessThanOrEqual(lowest + 1);
        }
        if (cut.length > 0) expect(given).toBeGreaterThan(total - sizes.length - 1);
      }),
    );
  });
});

describe("resolveBudget", () => {
  it("leaves room for the answer and refuses a window that has none", () => {
    const budget = resolveBudget({ contextWindow: 100_000, maxOutputTokens: 10_000 });
    expect(budget).toEqual({ maxInputTokens: 80_000, maxTurnTokens: 24_000 });
    expect(() => resolveBudget({ contextWindow: 9_000, maxOutputTokens: 8_000 })).toThrow(/no room/);
  });
});

const start = useAgents();
const CONTEXT_WINDOW = 40_000;
const { maxInputTokens, maxTurnTokens } = resolveBudget({ contextWindow: CONTEXT_WINDOW, maxOutputTokens: 8_192 });
/** The estimate's 3.6 characters a token, plus what JSON inside JSON adds. */
const MAX_REQUEST_BYTES = maxInputTokens * 3.6 * 1.25;

const countTool = defineTool({
  name: "Count",
  description: "Counts.",
  parameters: z.object({ to: z.number(), step: z.number() }),
  readOnly: true,
  async execute({ to, step }, run) {
    const content = Array.from({ length: to }, (_, index) => `step ${step} counts ${index}\n`).join("");
    return run.success({ content }, `Counted to ${to}.`);
  },
});

describe("the model input", () => {
  it("lets 20 parallel results of 1 MB share the turn, a small one stays whole", async () => {
    const calls = Array.from({ length: 20 }, (_, index) => ({
      id: `c${index}`,
      name: "Bash",
      input: {
        command:
          index === 7
            ? "echo small and whole"
            : `seq -f 'worker ${index} wrote line %.0f of its part' 1 60000 | LC_ALL=C sort; echo 'ERROR in ${index}'`,
      },
    }));
    const h = await start([{ calls }, { text: "ok" }]);
    const outcome = await h.agent({ contextWindow: CONTEXT_WINDOW }).run("which worker failed?");
    expect(outcome.reason).toBe("done");
    const results = h.server.requests[1]?.toolResults ?? [];
    expect(results).toHaveLength(20);
    const small = JSON.parse(results[7]?.text ?? "");
    expect(small.data.content).toBe("small and whole\n");
    const large = results.filter((_, index) => index !== 7).map((result) => JSON.parse(result.text));
    for (const [index, wrapper] of large.entries()) {
      expect(wrapper).toMatchObject({ _openagentic_truncated: true, tool_name: "Bash" });
      expect(wrapper.preview).toContain(`ERROR in ${index < 7 ? index : index + 1}`);
      expect(wrapper.hint).toMatch(/of 60,001 lines/);
    }
    const sizes = large.map((wrapper) => JSON.stringify(wrapper).length);
    expect(Math.max(...sizes)).toBeLessThan(Math.min(...sizes) * 1.6);
    const total = results.reduce((sum, result) => sum + result.text.length, 0);
    expect(total / 3.6).toBeLessThanOrEqual(maxTurnTokens);
    expect(total / 3.6).toBeGreaterThan(maxTurnTokens * 0.6);
  }, 240_000);

  it("stays within the window over 200 turns, and the requests between two shrinkings share their beginning", async () => {
    const h = await start((_, index) =>
      index === 200
        ? { text: "finished" }
        : {
            text: `step ${index}`,
            calls: [{ name: "Count", input: { to: index % 10 === 0 ? 2_500 : 150, step: index } }],
          },
    );
    const outcome = await h.agent({ contextWindow: CONTEXT_WINDOW, maxSteps: 300, tools: [countTool] }).run("work");
    expect(outcome).toMatchObject({ reason: "done", steps: 201 });
    const { requests } = h.server;
    for (const request of requests) expect(request.bytes).toBeLessThan(MAX_REQUEST_BYTES);
    const messages = requests.map(
      (request) => JSON.parse(request.body).messages.map((message: unknown) => JSON.stringify(message)) as string[],
    );
    const broken = messages
      .slice(1)
      .filter((after, index) => messages[index]!.some((message, at) => message !== after[at]));
    const stubbed = h
      .events(outcome.session)
      .filter((event) => event.type === "history.stubbed" || event.type === "history.dropped");
    expect(stubbed.length).toBeGreaterThan(0);
    expect(broken.length).toBeLessThanOrEqual(stubbed.length);
    expect(broken.length).toBeLessThan(60);

    const stubs =
      requests
        .at(-1)
        ?.toolResults.map((result) => JSON.parse(result.text))
        .filter((result) => result._spillway_stub) ?? [];
    expect(stubs.length).toBeGreaterThan(5);
    for (const stub of stubs) {
      expect(stub).toMatchObject({
        tool: "Count",
        call_id: expect.any(String),
        gist: expect.any(String),
        status: expect.any(String),
      });
      expect((await h.agent().store.find(stub.artifact_path))?.manifest?.complete).toBe(true);
    }
  }, 240_000);

  it("stays within the window when it is the model and the user who talk", async () => {
    const h = await start((_, index) => ({ text: `${index} ${"word ".repeat(3_000)}` }));
    let session: string | undefined;
    for (let turn = 0; turn < 30; turn++) {
      const outcome: { session: string; reason: string } = await h
        .agent({ contextWindow: CONTEXT_WINDOW })
        .run(`question ${turn} ${"more ".repeat(2_000)}`, { session });
      expect(outcome.reason).toBe("done");
      session = outcome.session;
    }
    const last = h.server.requests.at(-1);
    for (const request of h.server.requests) expect(request.bytes).toBeLessThan(MAX_REQUEST_BYTES);
    expect(last?.userTexts[0]).toMatch(/^question 0 .*earlier messages are left out/s);
    expect(last?.userTexts.at(-1)).toContain("question 29");
  });

  it.each(["openai", "anthropic"])("shrinks and asks once more when %s says that it is too long", async (wire) => {
    const body = {
      openai: {
        error: {
          message: "maximum context length is 20000 tokens",
          type: "invalid_request_error",
          code: "context_length_exceeded",
        },
      },
      anthropic: {
        type: "error",
        error: { type: "invalid_request_error", message: "prompt is too long: 30000 tokens > 20000 maximum" },
      },
    }[wire];
    const limit = 60_000;
    const h = await start((request, index) => {
      if (request.bytes > limit) return { status: 400, body };
      return index < 8
        ? { calls: [{ name: "Bash", input: { command: `seq -f 'number ${index} %.0f' 1 1500` } }] }
        : { text: "fits" };
    }, wire);
    const outcome = await h.agent().run("go");
    expect(outcome).toMatchObject({ reason: "done", text: "fits" });
    const refused = h.server.requests.filter((request) => request.bytes > limit);
    expect(refused).toHaveLength(1);
    expect(h.events(outcome.session).filter((event) => event.type === "budget.learned")).toHaveLength(1);
  });

  it("gives up when a request stays too long", async () => {
    const body = { error: { message: "too long", code: "context_length_exceeded" } };
    const h = await start(() => ({ status: 400, body }));
    const outcome = await h.agent().run("go");
    expect(outcome.reason).toBe("failed");
    expect(h.server.requests.length).toBeLessThanOrEqual(2);
  });

  it("trusts the provider's count over its own", async () => {
    const h = await start((request, index) =>
      index < 40
        ? {
            usage: { input: request.bytes, output: 5 },
            calls: [{ name: "Bash", input: { command: `seq -f '${index}-%.0f' 1 800` } }],
          }
        : { text: "done" },
    );
    await h.agent({ contextWindow: CONTEXT_WINDOW }).run("go");
    for (const request of h.server.requests.slice(3)) expect(request.bytes).toBeLessThan(maxInputTokens * 1.3);
  });

  it("caps a tool that bounds itself", async () => {
    const boastful = defineTool({
      name: "Boast",
      description: "Says it is bounded.",
      parameters: z.object({}),
      readOnly: true,
      execute: async (_, run) => run.success({ content: "I am large\n".repeat(50_000) }, "done", { paged: true }),
    });
    const h = await start([{ calls: [{ name: "Boast", input: {} }] }, { text: "ok" }]);
    await h.agent({ tools: [boastful] }).run("go");
    const [text] = h.lastResults();
    expect(text?.length).toBeLessThan(66_000);
    expect(JSON.parse(text ?? "")).toMatchObject({ _openagentic_truncated: true, original_chars: 550_000 });
  });
});

describe("a small window", () => {
  it("still holds many parallel results, as stubs, and shrinks them once", async () => {
    const calls = Array.from({ length: 60 }, (_, index) => ({ name: "Count", input: { to: 400, step: index } }));
    const h = await start([{ calls }, { calls: [{ name: "Count", input: { to: 1, step: 1 } }] }, { text: "ok" }]);
    const contextWindow = 24_000;
    const outcome = await h.agent({ contextWindow, tools: [countTool], explore: false }).run("go");
    expect(outcome.reason).toBe("done");
    const stubs = h.server.requests[1]?.toolResults.map((result) => JSON.parse(result.text)) ?? [];
    expect(stubs.filter((stub) => stub._spillway_stub)).toHaveLength(60);
    const stubbed = h.events(outcome.session).flatMap((event) => (event.type === "history.stubbed" ? event.stubs : []));
    expect(new Set(stubbed.map((stub) => stub.callId)).size).toBe(stubbed.length);
    const { maxInputTokens: most } = resolveBudget({ contextWindow, maxOutputTokens: 6_000 });
    for (const request of h.server.requests) expect(request.bytes).toBeLessThan(most * 3.6 * 1.25);
  });
});

describe("a store that went down after it saved the results", () => {
  it("costs their previews, not the turn", async () => {
    const calls = Array.from({ length: 6 }, (_, step) => ({
      id: `c${step}`,
      name: "Count",
      input: { to: 20_000, step },
    }));
    const h = await start([{ calls }, { text: "ok" }]);
    const inner = createFailingStore("create");
    const kept = createMemoryStore();
    const store = { ...inner, create: kept.create.bind(kept), find: () => Promise.reject(new Error("it is down")) };
    const spillway = createSpillway({ root: h.root, store, config: false, env: {} });
    const outcome = await h.agent({ spillway, tools: [countTool], contextWindow: CONTEXT_WINDOW }).run("count");
    expect(outcome.reason).toBe("done");
    const results = h.lastResults().map((text) => JSON.parse(text));
    expect(results.map(({ _spillway_stub }) => _spillway_stub)).toContain(true);
    expect(results.every(({ artifact_path }) => artifact_path.startsWith("memory:"))).toBe(true);
  });
});
