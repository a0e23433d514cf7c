import { readFileSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { PRESETS } from "../src/limits/defaults.ts";
import { Tool } from "../src/tool-define.ts";
import { Truncate } from "../src/truncate.ts";
import { temporaryFolder } from "./support/folder.ts";

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line${index}`).join("\n");
const start = process.cwd();

beforeEach(() => process.chdir(temporaryFolder("tool")));
afterEach(() => process.chdir(start));

const parameters = z.object({ count: z.number().int().default(10) });
const counting = {
  description: "Counts.",
  parameters,
  execute: ({ count }: z.infer<typeof parameters>) => ({ title: "Count", output: lines(count), metadata: { count } }),
};

describe("Tool.define", () => {
  it("gives an id and an init that keeps the definition", async () => {
    const definition = { ...counting, kind: "example" };
    const info = Tool.define("count", definition);
    expect(info.id).toBe("count");
    const tool = await info.init();
    expect(tool).toMatchObject({ description: "Counts.", parameters, kind: "example" });
  });

  it("adds metadata.truncated, and the path only when it is true", async () => {
    const tool = await Tool.define("count", counting).init();
    expect(await tool.execute({ count: 3 }, {})).toEqual({
      title: "Count",
      output: "line0\nline1\nline2",
      metadata: { count: 3, truncated: false },
    });
    const large = await tool.execute({ count: 3000 }, { callID: "call_9" });
    expect(large.metadata).toEqual({
      count: 3000,
      truncated: true,
      outputPath: expect.stringContaining("_count_call_9_"),
    });
    expect(large.output).toMatch(/\n\n\.\.\.1000 lines truncated\.\.\.\n\n/);
    expect(readFileSync(String(large.metadata.outputPath), "utf8")).toBe(lines(3000));
  });

  it("validates before it executes, and hands on what the schema made of the arguments", async () => {
    const tool = await Tool.define("count", counting).init();
    await expect(tool.execute({ count: "many" } as never, {})).rejects.toBeInstanceOf(z.ZodError);
    expect((await tool.execute({} as never, {})).metadata.count).toBe(10);
  });

  it("leaves a tool alone that has truncated by itself", async () => {
    const own = { title: "Log", output: lines(3000), metadata: { truncated: false, logPath: undefined } };
    const tool = await Tool.define("logs", { ...counting, execute: () => own }).init();
    expect(await tool.execute({ count: 1 }, {})).toBe(own);
  });

  it("takes an init function, which sees the agent", async () => {
    const info = Tool.define("count", async (context) => ({
      ...counting,
      description: `for ${context?.agent?.permission?.length} rules`,
    }));
    const rules = [{ permission: "task", pattern: "*", action: "allow" }] as const;
    const tool = await info.init({ agent: { permission: rules } });
    expect(tool.description).toBe("for 1 rules");
    expect((await tool.execute({ count: 3000 }, {})).output).toContain("Use the Task tool");
    const other = await info.init();
    expect((await other.execute({ count: 3000 }, {})).output).not.toContain("Task");
  });

  it("holds a definition's own limits, below those of the config file", async () => {
    const { maxLines, maxBytes, strategy } = PRESETS.error;
    const info = Tool.define("stack", { ...counting, maxLines, maxBytes, direction: strategy });
    const tool = await info.init();
    const { output } = await tool.execute({ count: 150 }, {});
    expect(output).toMatch(/^\.\.\.50 lines truncated\.\.\.\n\n/);
    expect(output).toMatch(/\nline149$/);
    writeFileSync("spillway.yaml", "tool_output_limits: {tools: {stack: {max_lines: 20}}}");
    expect((await tool.execute({ count: 150 }, {})).output).toMatch(/^\.\.\.130 lines truncated\.\.\./);
  });

  it("passes a failure of the tool on", async () => {
    const failing = { ...counting, execute: () => Promise.reject(new Error("no such log")) };
    await expect((await Tool.define("logs", failing).init()).execute({ count: 1 }, {})).rejects.toThrow("no such log");
  });

  it("says in metadata what was lost when the output cannot be saved", async () => {
    writeFileSync("tool-output", "a file");
    const tool = await Tool.define("count", counting).init();
    const { metadata } = await tool.execute({ count: 3000 }, {});
    expect(metadata).toMatchObject({ truncated: true, outputPath: null, lost: expect.stringContaining(Truncate.DIR) });
  });
});
