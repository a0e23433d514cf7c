import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createSpillway } from "../../../src/gate/spillway.ts";
import { ToolFailure } from "../../../src/protocol/index.ts";
import { bashTool } from "../../../src/tools/bash.ts";
import { builtInTools, createToolRegistry, defineTool } from "../../../src/tools/index.ts";
import { expectEnvelope, expectError } from "../../support/envelope.ts";
import { createWorkspace } from "../workspace.ts";

const sizeTool = defineTool({
  name: "Size",
  description: "Says how much it was asked for.",
  readOnly: true,
  parameters: z.strictObject({ lines: z.int() }),
  execute: async ({ lines }, run) => run.success({ content: "some line\n".repeat(lines) }, `Made ${lines} lines.`),
});

const brokenTool = defineTool({
  name: "Broken",
  description: "Fails in a way nobody foresaw.",
  readOnly: true,
  parameters: z.strictObject({}),
  execute: async () => {
    throw new TypeError("Cannot read properties of undefined");
  },
});

const oldTool = defineTool({
  name: "Old",
  description: "Answers as tools did before there was a protocol.",
  readOnly: true,
  parameters: z.strictObject({ answer: z.unknown() }),
  execute: async ({ answer }) => answer as never,
});

describe("a tool that throws", () => {
  it.each<[string, unknown, string]>([
    ["nothing", undefined, "The tool failed without saying why."],
    ["an object without a prototype", Object.create(null), "The tool failed without saying why."],
    ["an error without a message", Object.assign(new RangeError(), { message: undefined }), "RangeError."],
    ["an error whose message is no text", Object.assign(new Error(), { message: 404 }), "404."],
    ["a failure that says nothing", new ToolFailure("", ""), "The tool failed without saying why."],
    ["what is no error but says something", { message: "no such table", code: "constructor" }, "no such table."],
  ])("%s is answered with an envelope all the same", async (_, thrown, message) => {
    const execute = async () => Promise.reject(thrown);
    const space = createWorkspace({ tools: [{ ...brokenTool, execute }] });
    expect((await space.call("Broken")).error).toEqual({ code: "INTERNAL_ERROR", message });
  });
});

describe("the registry", () => {
  const space = createWorkspace({ tools: [sizeTool, brokenTool, oldTool] });

  it("bounds a tool that holds no truncation code, and saves its text and its envelope", async () => {
    expect(await space.call("Size", { lines: 10 })).toMatchObject({ status: "success" });
    const response = await space.call("Size", { lines: 10_000 }, { callId: "call_9" });
    expect(response).toMatchObject({ status: "partial", data: { truncated: true } });
    const { full_output_path: saved } = response.data.truncation as { full_output_path: string };
    const original = expectEnvelope(JSON.parse(readFileSync(space.path(saved), "utf8")));
    expect(original.data.content).toBe("some line\n".repeat(10_000));
  });

  it("gives what left the gate beside the envelope", async () => {
    const root = space.root;
    const spillway = createSpillway({ root, env: {}, config: false });
    const registry = createToolRegistry({ spillway, tools: [sizeTool, bashTool] });
    const small = await registry.call("Size", { lines: 10 });
    expect(small).toMatchObject({ response: { status: "success" }, governed: { kind: "whole", tool: "Size" } });
    const large = await registry.call("Size", { lines: 10_000 }, { callId: "call_9" });
    expect(large.governed).toMatchObject({ kind: "bounded", callId: "call_9", size: { lines: 10_000 } });
    expect(large.response.data.preview).toBe(large.governed?.kind === "bounded" && large.governed.preview.text);
    const streamed = await registry.call("Bash", { command: "seq 5000" });
    expect(streamed.governed).toMatchObject({ kind: "bounded", tool: "Bash", size: { lines: 5000 } });
    expect((await registry.call("Nothing", {})).governed).toBeUndefined();
  });

  it("turns an error nobody foresaw into INTERNAL_ERROR", async () => {
    expectError(await space.call("Broken"), "INTERNAL_ERROR");
  });

  it("names the file that may not be opened, below the root", async () => {
    const path = space.path("secret/a.txt");
    const denied = Object.assign(new Error(`EACCES: permission denied, open '${path}'`), { code: "EACCES", path });
    const response = await createWorkspace({
      root: space.root,
      tools: [{ ...brokenTool, execute: () => Promise.reject(denied) }],
    }).call("Broken");
    expect(expectError(response, "PERMISSION_DENIED").text).toContain("Permission denied: 'secret/a.txt' (EACCES");
  });

  it("reads an envelope that a tool returns as JSON, and lets one pass that bounds itself", async () => {
    const answer = (value: unknown) => space.call("Old", { answer: JSON.stringify(value) });
    expectError(await answer({ error: "Error: permission denied: /srv/a" }), "PERMISSION_DENIED");
    expectError(
      await answer({ status: "error", error: { code: "RATE_LIMITED", message: "Slow down." } }),
      "RATE_LIMITED",
    );
    const content = "some line\n".repeat(10_000);
    const large = { status: "success", data: { content }, text: "Made it.", stats: { time_ms: 1 } };
    expect(await answer(large)).toMatchObject({ status: "partial", data: { truncated: true } });
    const paged = await answer({ ...large, context: { truncation_skip: true } });
    expect(expectEnvelope(paged)).toMatchObject({ status: "success", data: { content } });
  });

  it("converts the answers of older tools, and bounds them too", async () => {
    expectError(await space.call("Old", { answer: { error: "Error: the file does not exist" } }), "NOT_FOUND");
    expect((await space.call("Old", { answer: "plain words" })).data).toEqual({ content: "plain words" });
    expect((await space.call("Old", { answer: "many words ".repeat(10_000) })).data).toHaveProperty("truncation");
  });

  it("names the tools that exist to who asks for another", async () => {
    expect(expectError(await space.call("Nothing"), "NOT_FOUND").text).toContain("Size, Broken, Old");
  });

  it("refuses parameters that are not an object, and accepts none at all", async () => {
    expectError(await space.call("Size", "text"), "INVALID_PARAM");
    expectError(await space.call("Size", [1]), "INVALID_PARAM");
    expectError(await space.call("Broken", null), "INTERNAL_ERROR");
  });

  it("offers only what is allowed", async () => {
    const reading = createWorkspace({ allow: ["Read", "LS", "Glob", "Grep"] });
    expectError(await reading.call("Bash", { command: "true" }), "NOT_FOUND");
    expectEnvelope(await reading.call("LS"), "ls");
  });
});

describe("the built-in tools", () => {
  const space = createWorkspace();

  it("have short descriptions and schemas with described parameters", () => {
    expect(builtInTools.map((tool) => tool.name)).toEqual([
      "LS",
      "Glob",
      "Grep",
      "Read",
      "Write",
      "Edit",
      "Bash",
      "WebFetch",
      "RepoMap",
      "RepoStructure",
    ]);
    for (const tool of builtInTools) {
      expect(tool.description.length).toBeLessThan(400);
      const schema = z.toJSONSchema(tool.parameters, { io: "input" });
      expect(schema).toMatchObject({ type: "object", additionalProperties: false });
      expect(JSON.stringify(schema).length).toBeLessThan(1500);
    }
  });

  it("are read-only unless they write or run", () => {
    expect(builtInTools.filter((tool) => !tool.readOnly).map((tool) => tool.name)).toEqual(["Write", "Edit", "Bash"]);
  });

  it("answer to the older names and their path parameters", async () => {
    space.write("src/a.ts", "export function start() {}\n");
    expect((await space.call("read_file", { file_path: "src/a.ts" })).data.content).toContain("start");
    expect((await space.call("grep_search", { pattern: "start" })).stats.total_matches).toBe(1);
    expect((await space.call("repo_map", { repo_path: "src" })).data.map).toContain("src/a.ts");
    expect((await space.call("get_repo_structure", { repo_path: "." })).data.tree).toContain("a.ts");
  });
});
