import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { artifactIdTime, parseArtifactName } from "../src/artifacts/artifact-name.ts";
import { createLocalStore } from "../src/artifacts/index.ts";
import type { PermissionRule } from "../src/gate/permissions.ts";
import { createSpillway } from "../src/gate/spillway.ts";
import { PRESETS } from "../src/limits/defaults.ts";
import { grepTool } from "../src/tools/grep/grep.ts";
import { readTool } from "../src/tools/read/read.ts";
import { createToolRegistry } from "../src/tools/registry/registry.ts";
import { Truncate } from "../src/truncate.ts";
import { temporaryFolder } from "./support/folder.ts";

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line${index}`).join("\n");
const start = process.cwd();
let root: string;

beforeEach(() => {
  root = temporaryFolder("truncate");
  process.chdir(root);
});

afterEach(() => {
  process.chdir(start);
  for (const name of Object.keys(process.env)) if (name.startsWith("TOOL_OUTPUT_")) delete process.env[name];
});

async function truncated(...args: Parameters<typeof Truncate.output>) {
  const result = await Truncate.output(...args);
  if (!result.truncated) expect.unreachable("nothing was cut");
  return result;
}

const hint = (path: string | null) =>
  `The tool call succeeded but the output was truncated. Full output saved to: ${path}
Use Grep to search the full content or Read with offset/limit to view specific sections.`;

const saved = (result: { readonly outputPath: string | null }) => readFileSync(result.outputPath ?? "", "utf8");

describe("Truncate.output", () => {
  it.each(["", "short", lines(2000), `${lines(2000)}\n`, "x".repeat(51_200), "lone \ud800"])(
    "returns a text within limits as it is (%#)",
    async (text) => {
      expect(await Truncate.output(text)).toEqual({ content: text, truncated: false });
      expect(existsSync(Truncate.DIR)).toBe(false);
    },
  );

  it("head: preview, marker, hint", async () => {
    const result = await truncated(lines(10), { maxLines: 3 });
    expect(Object.keys(result).sort()).toEqual(["content", "outputPath", "truncated"]);
    expect(result.content).toBe(`line0\nline1\nline2\n\n...7 lines truncated...\n\n${hint(result.outputPath)}`);
    expect(saved(result)).toBe(lines(10));
  });

  it("tail: marker, hint, preview", async () => {
    const { content, outputPath } = await truncated(lines(10), { maxLines: 3, direction: "tail" });
    expect(content).toBe(`...7 lines truncated...\n\n${hint(outputPath)}\n\nline7\nline8\nline9`);
  });

  /** What the module's design says in code: how many bytes are left out where the byte limit ends the kept lines. */
  function removedBytes(text: string, maxBytes: number, direction: "head" | "tail"): number {
    const rows = direction === "head" ? text.split("\n") : text.split("\n").reverse();
    let bytes = 0;
    for (const [index, row] of rows.entries()) {
      const size = Buffer.byteLength(row) + (index > 0 ? 1 : 0);
      if (bytes + size > maxBytes) break;
      bytes += size;
    }
    return Buffer.byteLength(text) - bytes;
  }

  it.each(["head", "tail"] as const)("counts left out bytes of a %s as its design does", async (direction) => {
    // A final newline opens no line here, which only a tail can tell.
    const ended = direction === "head" ? [`${lines(50)}\n`, "é\n".repeat(60)] : [];
    for (const text of [lines(50), `${"é\n".repeat(60)}é`, `a\n\n\n${lines(40)}`, ...ended]) {
      for (const maxBytes of [20, 57, 58, 59, 60, 61, 62, 63]) {
        const { content } = await truncated(text, { maxBytes, direction });
        expect(content, `${JSON.stringify(text.slice(0, 9))} in ${maxBytes}`).toContain(
          `...${removedBytes(text, maxBytes, direction)} bytes truncated...`,
        );
      }
    }
  });

  it("takes a preset as it is: that of logs keeps the tail", async () => {
    const { content } = await truncated(lines(600), PRESETS.log);
    expect(content).toMatch(/^\.\.\.100 lines truncated\.\.\.\n\n.*\n\nline100\n.*\nline599$/s);
    const both = { maxLines: 3, direction: "tail", strategy: "tail" } as const;
    expect((await truncated(lines(10), both)).content).toMatch(/line9$/);
    await expect(Truncate.output("x", { direction: "head", strategy: "tail" })).rejects.toThrow(
      /contradict each other; give one/,
    );
    await expect(Truncate.output("x", { strategy: "middle" as never })).rejects.toThrow(/middle/);
  });

  it("says that Grep and Read get at the rest, and they do", async () => {
    const { content } = await truncated(lines(10), { maxLines: 3 });
    const file = /saved to: (.*)$/m.exec(content)?.[1] ?? "";
    const registry = createToolRegistry({
      spillway: createSpillway({ root, config: false }),
      tools: [readTool, grepTool],
    });
    const { response: read } = await registry.call("Read", { path: file, offset: 4, limit: 2 });
    expect(read.data.content).toContain("line3\n");
    expect((await registry.call("Grep", { pattern: "line7", path: file })).response.data.matches).toMatchObject([
      { line: 8 },
    ]);
  });

  it("counts bytes when the byte limit ends the kept text", async () => {
    const byLines = await truncated(lines(100), { maxBytes: 50 });
    expect(byLines.content).toMatch(/^(line\d+\n)+\n\.\.\.\d+ bytes truncated\.\.\.\n\n/);
    const [preview = "", marker = ""] = byLines.content.split("\n\n");
    expect(Buffer.byteLength(preview)).toBeLessThanOrEqual(50);
    const removed = Number(/\d+/.exec(marker)?.[0]);
    expect(removed + Buffer.byteLength(preview)).toBe(lines(100).length);
    const oneLine = await truncated("x".repeat(60_000));
    expect(oneLine.content).toMatch(/^x{51200}\n\n\.\.\.8800 bytes truncated\.\.\.\n\n/);
    expect(saved(oneLine)).toBe("x".repeat(60_000));
  });

  it("bounds the kept text by the limits; marker and hint come on top", async () => {
    const { content } = await truncated(lines(3000), { maxLines: 2000, maxBytes: 100_000 });
    expect(content.split("\n\n")[0]?.split("\n")).toHaveLength(2000);
  });

  it("cuts no character in half", async () => {
    const head = await truncated("😀".repeat(1000), { maxBytes: 50 });
    expect(head.content.split("\n")[0]).toBe("😀".repeat(12));
    const tail = await truncated("😀".repeat(1000), { maxBytes: 50, direction: "tail" });
    expect(tail.content.split("\n").at(-1)).toBe("😀".repeat(12));
  });

  it("says how much formatting took when all text is shown", async () => {
    const { content } = await truncated("\u001b[31mred\u001b[0m\n".repeat(10), { maxBytes: 60 });
    expect(content).toMatch(/^(red\n)+\n\.\.\.\d+ bytes truncated/);
    expect(content).not.toContain("...0 bytes");
  });

  it("follows environment and config file where the call says nothing", async () => {
    process.env.TOOL_OUTPUT_MAX_LINES = "5";
    process.env.TOOL_OUTPUT_TRUNCATE_DIRECTION = "tail";
    expect((await truncated(lines(10))).content).toMatch(/^\.\.\.5 lines truncated/);
    expect((await truncated(lines(10), { maxLines: 8, direction: "head" })).content).toContain("...2 lines truncated");
    writeFileSync("spillway.yaml", "tool_output_limits: {tools: {output: {max_lines: 3}}}");
    expect((await truncated(lines(10))).content).toMatch(/^\.\.\.7 lines truncated/);
  });

  it("sees a changed environment at once, and a changed config file from the next turn of the event loop on", async () => {
    expect((await Truncate.output(lines(10))).truncated).toBe(false);
    writeFileSync("spillway.yaml", "tool_output_limits: {tools: {output: {max_lines: 3}}}");
    await new Promise((resolve) => setImmediate(resolve));
    expect((await truncated(lines(10))).content).toContain("...7 lines truncated");
    rmSync("spillway.yaml");
    await new Promise((resolve) => setImmediate(resolve));
    expect((await Truncate.output(lines(10))).truncated).toBe(false);
    process.env.TOOL_OUTPUT_MAX_LINES = "4";
    expect((await truncated(lines(10))).content).toContain("...6 lines truncated");
    delete process.env.TOOL_OUTPUT_MAX_LINES;
    expect((await Truncate.output(lines(10))).truncated).toBe(false);
    process.env.TOOL_OUTPUT_DIR = "elsewhere";
    process.env.TOOL_OUTPUT_TRUNCATE_DIRECTION = "tail";
    const moved = await truncated(lines(3000));
    expect(moved.content).toMatch(/^\.\.\.1000 lines truncated/);
    expect(moved.outputPath).toContain(join("/", "elsewhere", "/"));
  });

  it.each([0, -1, NaN, "1e3", "50KB"])("refuses a limit of %s", async (value) => {
    await expect(Truncate.output("x", { maxLines: value as number })).rejects.toThrow(/^maxLines must be/);
    await expect(Truncate.output("x", { maxBytes: value as number })).rejects.toThrow(/^maxBytes must be/);
  });

  it("refuses what is not a text, an unknown direction and a wrong variable, each by name", async () => {
    await expect(Truncate.output(undefined as never)).rejects.toThrow(/takes a string/);
    await expect(Truncate.output("x", { direction: "up" as never })).rejects.toThrow(/^direction must be one of/);
    process.env.TOOL_OUTPUT_MAX_BYTES = "lots";
    await expect(Truncate.output("x")).rejects.toThrow(/^TOOL_OUTPUT_MAX_BYTES must be/);
  });

  it("still answers when it cannot save, and says what was lost", async () => {
    writeFileSync("tool-output", "a file");
    const result = await truncated(lines(10), { maxLines: 3 });
    expect(result).toMatchObject({ outputPath: null, lost: expect.stringContaining("is a file, not a folder") });
    expect(result.content).toMatch(/^line0\nline1\nline2\n\n\.\.\.7 lines truncated\.\.\.\n\n.*could not be saved/);
    expect(result.content).not.toMatch(/undefined|null/);
  });
});

describe("the Task hint", () => {
  const rule = (permission: string, pattern: string, action: PermissionRule["action"]) => ({
    permission,
    pattern,
    action,
  });
  it("must be a list", async () => {
    const agent = { permission: "allow" } as unknown as { permission: readonly PermissionRule[] };
    await expect(truncated(lines(10), { maxLines: 3 }, agent)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });

  const hinted = async (permission?: readonly PermissionRule[]) => {
    const { content } = await truncated(lines(10), { maxLines: 3 }, permission === undefined ? {} : { permission });
    expect(content).toMatch(/Grep|Read/);
    return content.includes(
      "\nUse the Task tool to have a subagent process this file with Grep and Read (with offset/limit). \nDo NOT read the full file yourself - delegate to save context.",
    );
  };

  it("needs rules that do not deny it; the last match wins", async () => {
    expect(await hinted()).toBe(false);
    expect(await hinted([])).toBe(true);
    expect(await hinted([rule("task", "*", "allow")])).toBe(true);
    expect(await hinted([rule("task", "*", "ask")])).toBe(true);
    expect(await hinted([rule("task", "*", "deny")])).toBe(false);
    expect(await hinted([rule("*", "*", "deny")])).toBe(false);
    expect(await hinted([rule("*", "*", "deny"), rule("t?sk", "*", "allow")])).toBe(true);
    expect(await hinted([rule("task", "*", "allow"), rule("*", "*", "deny")])).toBe(false);
    expect(await hinted([rule("bash", "*", "deny")])).toBe(true);
  });
});

describe("where outputs go", () => {
  it("has the constants of the seed", () => {
    expect(Truncate).toMatchObject({ MAX_LINES: 2000, MAX_BYTES: 51_200 });
    expect(Truncate.DIR).toBe(join(root, "tool-output"));
    expect(Truncate.GLOB).toBe(join(root, "tool-output", "*"));
    process.env.TOOL_OUTPUT_DIR = "elsewhere/out";
    expect(Truncate.DIR).toBe(join(root, "elsewhere/out"));
  });

  it("is private, and ids ascend with time", async () => {
    const before = Date.now();
    const paths: string[] = [];
    for (let count = 0; count < 20; count++) paths.push((await truncated(lines(10), { maxLines: 3 })).outputPath ?? "");
    const ids = paths.map((path) => parseArtifactName(path.slice(Truncate.DIR.length + 1))?.id ?? "");
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(20);
    for (const id of ids) expect(artifactIdTime(id)).toBeGreaterThanOrEqual(before);
    expect(statSync(Truncate.DIR).mode & 0o777).toBe(0o700);
    expect(statSync(paths[0] ?? "").mode & 0o777).toBe(0o600);
    expect(readFileSync(join(Truncate.DIR, ".gitignore"), "utf8")).toBe("*\n");
  });

  it("cleanup removes what is older than the retention time, and only ours", async () => {
    const store = createLocalStore({ dir: Truncate.DIR, now: () => Date.now() - 3 * 24 * 3600 * 1000 });
    const writer = await store.create({ tool: "Old" });
    await writer.finish({ complete: true });
    const written = new Date(Date.now() - 3 * 24 * 3600 * 1000);
    utimesSync(writer.path, written, written);
    writeFileSync(join(Truncate.DIR, "tool_mine"), "mine");
    await Truncate.cleanup();
    expect(existsSync(writer.path)).toBe(true);
    process.env.TOOL_OUTPUT_RETENTION_DAYS = "2";
    await Truncate.cleanup();
    expect(existsSync(writer.path)).toBe(false);
    expect(readdirSync(Truncate.DIR)).toContain("tool_mine");
  });

  it("cleanup of a folder that is not there is no failure", async () => {
    await Truncate.cleanup();
    expect(existsSync(Truncate.DIR)).toBe(false);
  });
});
