import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createSpillway } from "../../../src/gate/spillway.ts";
import { builtInTools } from "../../../src/tools/built-in-tools.ts";
import { defineTool } from "../../../src/tools/registry/define-tool.ts";
import { createToolRegistry } from "../../../src/tools/registry/registry.ts";
import { temporaryFolder } from "../../support/folder.ts";

const long = "0123456789 äöü 😀\n".repeat(10_000);
const shout = defineTool({
  name: "Shout",
  description: "Repeats a word.",
  readOnly: true,
  parameters: z.looseObject({ times: z.number().default(1) }),
  execute: async ({ times }, run) => run.success({ content: "hear hear\n".repeat(times) }, "Shouted."),
});

function registryOf(redact = false) {
  const root = temporaryFolder("params");
  const spillway = createSpillway({ root, env: {}, config: false, redact });
  return { root, registry: createToolRegistry({ spillway, tools: [...builtInTools, shout] }) };
}

describe("params_input", () => {
  it.each([
    ["a long text", { words: long }],
    ["unicode", { words: "\ud83d\ude00 e\u0301 \u202e \u0000 日本語", "schlüssel 😀": ["é"] }],
    ["a deep value", { words: [[[[[[[[[[[["deep"]]]]]]]]]]]] }],
    ["many fields", { words: Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`key${index}`, index])) }],
    ["nothing of use", { words: null, empty: "", list: [], object: {} }],
  ])("keeps %s as given, in a success, an error and a result over the limits", async (_, params) => {
    const { registry } = registryOf();
    const { response: small } = await registry.call("Shout", params);
    expect(small).toMatchObject({ status: "success", context: { params_input: params } });
    const { response: large } = await registry.call("Shout", { ...params, times: 10_000 });
    expect(large).toMatchObject({ status: "partial", data: { truncated: true } });
    expect(large.context.params_input).toEqual({ ...params, times: 10_000 });
    const { response: wrong } = await registry.call("Shout", { ...params, times: "x" });
    expect(wrong).toMatchObject({ status: "error", context: { params_input: { ...params, times: "x" } } });
    const { response: unknown } = await registry.call("Whisper", params);
    expect(unknown).toMatchObject({ status: "error", context: { params_input: params } });
  });

  it("lets a large file be written without calling the answer too large", async () => {
    const { root, registry } = registryOf();
    const { response } = await registry.call("Write", { path: "a.txt", content: long });
    expect(response).toMatchObject({
      status: "success",
      data: { applied: true },
      context: { params_input: { content: long } },
    });
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe(long);
  });

  it("is saved with the rest of a result that was cut", async () => {
    const { root, registry } = registryOf();
    const { response } = await registry.call("Shout", { words: long, times: 10_000 });
    const { full_output_path } = response.data.truncation as { full_output_path: string };
    const saved = JSON.parse(readFileSync(join(root, full_output_path), "utf8"));
    expect(saved.context.params_input).toEqual({ words: long, times: 10_000 });
  });

  it("keeps variables of env, and marks those that are secret by name or by look", async () => {
    const { registry } = registryOf();
    const key = `sk-ant-api03-${"aB3dE6gH9jK2mN5pQ8sT1vW4".repeat(4)}`;
    const env = {
      DEBUG: "1",
      LANG: "de_DE.UTF-8",
      NOTE: "ü 😀",
      API_TOKEN: "abc",
      DB_PASSWORD: "x y",
      KEY_FILE: "/a/key",
      LINE: `use ${key} now`,
    };
    const { response } = await registry.call("Bash", { command: "true", env });
    expect(response.context.params_input).toEqual({
      command: "true",
      env: {
        ...env,
        API_TOKEN: "[redacted]",
        DB_PASSWORD: "[redacted]",
        LINE: expect.stringMatching(/^use \[redacted:.*\] now$/),
      },
    });
    expect(JSON.stringify(response)).not.toContain(key);
  });

  it("holds no secret where secrets are taken out, of an unknown tool neither", async () => {
    const { registry } = registryOf(true);
    const key = `ghp_${"aB3dE6gH9jK2mN5pQ8sT1vW4xY7z".slice(0, 36).padEnd(36, "Q")}`;
    for (const name of ["Shout", "Whisper"]) {
      const { response } = await registry.call(name, { words: `${long}${key}`, note: "kept" });
      expect(JSON.stringify(response)).not.toContain(key);
      expect(response.context.params_input).toMatchObject({ note: "kept" });
    }
  });

  it("spells out what JSON cannot hold", async () => {
    const circle: Record<string, unknown> = { n: 1n, when: new Date(0), run: () => 1 };
    circle.self = circle;
    const { response } = await registryOf().registry.call("Shout", circle);
    expect(JSON.parse(JSON.stringify(response.context.params_input))).toMatchObject({ n: "1", self: "[circular]" });
  });
});
