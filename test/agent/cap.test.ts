import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createSpillway } from "../../src/gate/spillway.ts";
import { defineTool } from "../../src/tools/registry/define-tool.ts";
import { createFailingStore } from "../support/failing-store.ts";
import { useAgents } from "./harness.ts";

const start = useAgents();
const CAPS = [1500, 2000, 8000, 30_000, 100_000];
const line = (index: number) => `line ${index} of a long report: ${(index * 7919) % 1013} units\n`;
const text = Array.from({ length: 12_000 }, (_, index) => line(index)).join("");
const rows = Array.from({ length: 4000 }, (_, id) => ({ id, name: `row ${id}`, tags: ["a", "ü", "😀"] }));
const base = { stats: { time_ms: 1 }, context: { cwd: ".", params_input: null } };
const skipped = { ...base.context, truncation_skip: true };

/** Results as tools give them; those of the second list are small enough for the gate. */
const LARGE: Readonly<Record<string, unknown>> = {
  text: { status: "success", data: { content: text }, text: "Done.", ...base },
  "text that bounds itself": { status: "success", data: { content: text }, text: "Done.", ...base, context: skipped },
  "JSON that bounds itself": { status: "success", data: { rows }, text: "Done.", ...base, context: skipped },
  "a list of items": { status: "success", data: { rows }, text: "Done.", ...base },
  "two texts": { status: "success", data: { stdout: text, stderr: text }, text: "Done.", ...base },
  "an error that carries output": {
    status: "error",
    error: { code: "EXECUTION_ERROR", message: `exit 3: ${text}` },
    data: { stdout: text },
    text,
    ...base,
    context: skipped,
  },
  "an error with a long message alone": {
    status: "error",
    error: { code: "EXECUTION_ERROR", message: text },
    data: {},
    text: "It failed.",
    ...base,
    context: skipped,
  },
  "an envelope in an envelope": {
    status: "success",
    data: { result: { status: "success", data: { content: text }, text: "Inner.", ...base } },
    text: "Outer.",
    ...base,
    context: skipped,
  },
  "blocks of MCP": {
    status: "success",
    data: {
      content: [
        { type: "text", text },
        { type: "text", text: "second" },
      ],
      isError: false,
    },
    text: "Done.",
    ...base,
    context: skipped,
  },
  "control characters": {
    status: "success",
    data: { content: "\u0001\u0002\n".repeat(20_000) },
    text: "Done.",
    ...base,
  },
  "one long line": {
    status: "success",
    data: { content: "x😀".repeat(60_000) },
    text: "Done.",
    ...base,
    context: skipped,
  },
  "long statistics": {
    status: "success",
    data: { content: "ok" },
    text: "Done.",
    stats: { time_ms: 1, log: text },
    context: skipped,
  },
};

const giver = defineTool({
  name: "Give",
  description: "Gives what is asked for.",
  parameters: z.object({ what: z.string() }),
  readOnly: true,
  execute: async ({ what }) => LARGE[what] as never,
});
const asking = (what: string) => [{ calls: [{ id: "c1", name: "Give", input: { what } }] }, { text: "ok" }];

describe("the agent's cap", () => {
  it.each(Object.keys(LARGE).flatMap((what) => CAPS.map((cap) => [what, cap] as const)))(
    "%s is held to %i bytes as sent, and what there is of room is used",
    async (what, maxResultBytes) => {
      const h = await start(asking(what));
      const given = LARGE[what] as { context: { truncation_skip?: boolean } };
      await h.agent({ tools: [giver], maxResultBytes, contextWindow: 400_000 }).run("give it");
      const [sent = ""] = h.lastResults();
      expect(Buffer.byteLength(sent)).toBeLessThanOrEqual(maxResultBytes);
      const byGate = given.context.truncation_skip !== true && maxResultBytes > 51_200;
      // Bytes that are no text are described in a few words.
      if (!byGate && what !== "control characters")
        expect(Buffer.byteLength(sent)).toBeGreaterThan(maxResultBytes * 0.75);
      const wrapper = JSON.parse(sent);
      expect(wrapper).toMatchObject({ _openagentic_truncated: true, tool_use_id: "c1" });
      expect(readFileSync(wrapper.artifact_path, "utf8").length).toBeGreaterThan(50_000);
      if (what.includes("error")) expect(sent).not.toContain("succeeded");
    },
  );

  it.each([700, 2000, 8000])(
    "holds %i bytes of an output that a command printed and the gate bounded",
    async (maxResultBytes) => {
      const h = await start([
        { calls: [{ id: "c1", name: "Bash", input: { command: "seq 1 100000; exit 3" } }] },
        { text: "ok" },
      ]);
      await h.agent({ maxResultBytes }).run("count");
      const [sent = ""] = h.lastResults();
      expect(Buffer.byteLength(sent)).toBeLessThanOrEqual(maxResultBytes);
      const wrapper = JSON.parse(sent);
      expect(wrapper).toMatchObject({ tool_name: "Bash", status: "partial", original_chars: 588_895 });
      if (maxResultBytes > 1000) expect(wrapper.preview).toMatch(/^1\n2\n/);
    },
  );

  it("holds where nothing can be saved, and for summaries", async () => {
    for (const what of Object.keys(LARGE)) {
      const h = await start(asking(what));
      const spillway = createSpillway({
        root: h.root,
        env: {},
        config: false,
        store: createFailingStore("create"),
      });
      await h.agent({ tools: [giver], spillway, maxResultBytes: 4000 }).run("give it");
      const [sent = ""] = h.lastResults();
      expect(Buffer.byteLength(sent)).toBeLessThanOrEqual(4000);
      if (what !== "control characters") expect(Buffer.byteLength(sent)).toBeGreaterThan(2400);
      expect(JSON.parse(sent)).toMatchObject({ artifact_path: null, lost: expect.any(String) });
    }
    const h = await start(asking("text"));
    const summarizer = async () => ({ preview: "sum ".repeat(2000), original_length: 9, summarized: true as const });
    await h.agent({ tools: [giver], summarizer, maxResultBytes: 3000 }).run("give it");
    expect(Buffer.byteLength(h.lastResults()[0] ?? "")).toBeLessThanOrEqual(3000);
    expect(h.lastResults()[0]).toContain("sum sum");
  });

  it("tells its logger, with the sizes, and the gate's truncations too", async () => {
    const said: string[] = [];
    const logger = { info: (message: string) => said.push(message), warn: (message: string) => said.push(message) };
    const h = await start(asking("text"));
    await h.agent({ tools: [giver], maxResultBytes: 2000, logger }).run("give it");
    expect(said[0]).toMatch(/^Give: output truncated, [\d,]+ -> [\d,]+ bytes \([\d.]+ % less\)$/);
    expect(said[1]).toMatch(/^Give: result cut to the agent's cap, \d+ -> \d+ bytes$/);
  });
});
