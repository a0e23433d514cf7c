import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SpillwayError } from "../../src/errors.ts";
import { readConfiguration } from "../../src/limits/configuration.ts";

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "spillway-config-"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

let count = 0;
async function read(yaml: string) {
  const name = `config-${count++}.yaml`;
  writeFileSync(join(root, name), yaml);
  const configuration = await readConfiguration(root, name);
  const [file] = configuration.files;
  return { ...file, summarization: configuration.summarization };
}

const SEED = `
tool_output_limits:
  default:
    max_chars: 8000
    max_lines: 500
    truncation_strategy: "head_tail"  # head_tail | head_only | summarize
  tools:
    repo_map:
      max_chars: 10000
      max_lines: 1000
    read_file:
      max_chars: 5000
      max_lines: 200
      truncation_strategy: head_only
    grep_search:
      max_lines: 100
      show_context: 2
    get_repo_structure:
      max_depth: 3
      max_files: 500
summarization:
  enabled: false
  model: "qwen-turbo"
  max_input_chars: 50000
  trigger_threshold: 20000
`;

describe("a config file", () => {
  it("reads the config of the seed", async () => {
    expect(await read(SEED)).toMatchObject({
      default: { maxChars: 8000, maxLines: 500, strategy: "head_tail" },
      tools: {
        repo_map: { maxChars: 10_000, maxLines: 1000, parameters: {} },
        read_file: { maxChars: 5000, maxLines: 200, strategy: "head" },
        grep_search: { maxLines: 100, parameters: { show_context: 2 } },
        get_repo_structure: { parameters: { max_depth: 3, max_files: 500 } },
      },
      summarization: { enabled: false, model: "qwen-turbo", maxInputChars: 50_000, triggerThreshold: 20_000 },
    });
  });

  it("has defaults for what is left out", async () => {
    const config = await read("");
    expect(config.default).toEqual({});
    expect(config.tools).toEqual({});
    expect(config.summarization).toEqual({
      enabled: false,
      ownProviderOnly: false,
      maxInputChars: 50_000,
      triggerThreshold: 20_000,
    });
  });

  it("knows the alias, sizes with a unit, no limit, and where artifacts go", async () => {
    const config = await read(
      "tool_output_limits: {default: {strategy: tail, max_bytes: 50KB, max_lines: .inf}}\nartifacts: {dir: out, retention_days: 30, quota_bytes: 1GB}\n",
    );
    expect(config).toMatchObject({
      default: { strategy: "tail", maxBytes: 51_200, maxLines: Infinity },
      dir: "out",
      retentionDays: 30,
      quotaBytes: 1024 ** 3,
    });
  });

  it("reads spillway.yaml in the root, when there is one", async () => {
    expect((await readConfiguration(root)).files).toEqual([]);
    writeFileSync(join(root, "spillway.yaml"), "tool_output_limits: {default: {max_lines: 7}}\n");
    expect((await readConfiguration(root)).files[0]).toMatchObject({ default: { maxLines: 7 }, from: "project" });
    expect((await readConfiguration(root, false)).files).toEqual([]);
  });

  it("says so when a named file is missing", async () => {
    await expect(readConfiguration(root, "missing.yaml")).rejects.toThrow(
      /Cannot read the config file .*missing\.yaml/,
    );
  });

  it.each([
    ["a: [", "is not valid YAML"],
    ["- 1", "the file must be a mapping"],
    ["tool_output_limit: {}", "unknown key tool_output_limit. Known here: tool_output_limits,"],
    ["tool_output_limits: {defaults: {}}", "unknown key tool_output_limits.defaults."],
    ["tool_output_limits: {default: {colour: red}}", "unknown key tool_output_limits.default.colour."],
    ["tool_output_limits: {default: {max_lines: 0}}", "tool_output_limits.default.max_lines must be a whole number"],
    ["tool_output_limits: {tools: {x: {max_bytes: -1}}}", "tool_output_limits.tools.x.max_bytes must be"],
    ["tool_output_limits: {tools: {x: {max_lines: 50KB}}}", "tool_output_limits.tools.x.max_lines must be"],
    ["tool_output_limits: {tools: {x: {max_chars: .nan}}}", "tool_output_limits.tools.x.max_chars must be"],
    ["tool_output_limits: {tools: {x: {strategy: up}}}", "tool_output_limits.tools.x.truncation_strategy must be one"],
    ["tool_output_limits: {tools: {x: {maxLines: 5}}}", "unknown key tool_output_limits.tools.x.maxLines."],
    ["tool_output_limits: {tools: {x: {max_line: 5}}}", "unknown key tool_output_limits.tools.x.max_line."],
    ["tool_output_limits: {tools: [x]}", "tool_output_limits.tools must be a mapping"],
    ["tool_output_limits: {tools: {x: 5}}", "tool_output_limits.tools.x must be a mapping"],
    ["summarization: {enabled: sure}", 'summarization.enabled must be true or false, not "sure"'],
    ["summarization: {enable: true}", "unknown key summarization.enable."],
    ["summarization: on demand", "summarization must be a mapping"],
    ["summarization: {trigger_threshold: 0}", "summarization.trigger_threshold must be"],
    ["artifacts: {dir: 5}", "artifacts.dir must be a text"],
    ["artifacts: {dir: ''}", "artifacts.dir must be a text"],
    ["artifacts: {retention_days: -1}", "artifacts.retention_days must be a number of days above 0"],
    ["artifacts: {quota_bytes: lots}", "artifacts.quota_bytes must be"],
    ["env: [PATH]", "env must be a mapping of allow and deny"],
    ["env: {denied: [PATH]}", 'env has no "denied"; it may have allow and deny'],
    ["env: {deny: [A=B]}", "env.deny must be a list of names of variables"],
  ])("names the file and the key of %j", async (yaml, complaint) => {
    const name = `config-${count}.yaml`;
    const error = await read(yaml).then(
      () => expect.unreachable(),
      (thrown: SpillwayError) => thrown,
    );
    expect(error.code).toBe("INVALID_CONFIG");
    expect(error.message.split(join(root, name))).toHaveLength(2);
    expect(error.message).toContain(complaint);
  });
});
