import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createHint, type HintFacts } from "../../src/gate/hint.ts";
import { renderHint } from "../../src/gate/render/hint-text.ts";
import { createSpillway } from "../../src/gate/spillway.ts";
import type { BoundedResult, GovernOptions, Output } from "../../src/gate/types.ts";
import { grepTool } from "../../src/tools/grep.ts";
import { readTool } from "../../src/tools/read.ts";
import { createToolRegistry } from "../../src/tools/registry.ts";
import { temporaryFolder } from "../support/folder.ts";

const root = temporaryFolder("hint");
const spillway = createSpillway({ root, env: {}, config: false });
const registry = createToolRegistry({ spillway, tools: [readTool, grepTool] });
const many = Array.from({ length: 5000 }, (_, index) => `line ${index + 1}`).join("\n");

async function bound(output: Output, options: GovernOptions = {}): Promise<BoundedResult> {
  const governed = await spillway.govern(output, options);
  return governed.kind === "bounded" ? governed : expect.unreachable();
}

/** The call of a tool that a hint suggests, as a program would make it. */
function suggestedCall(hint: string, tool: string): Record<string, unknown> {
  const [, args] = new RegExp(`${tool}\\(([^)]*)\\)`).exec(hint) ?? expect.unreachable(hint);
  return JSON.parse(`{${args?.replaceAll(/(\w+)=/g, '"$1":')}}`);
}

describe("a hint's suggested calls work", () => {
  it("Read goes on where the preview ends", async () => {
    const governed = await bound(many);
    const answer = await registry.call("Read", suggestedCall(renderHint(governed.hint), "Read"));
    expect(answer.status).not.toBe("error");
    const first = governed.preview.omissions[0]?.startLine ?? 0;
    expect(governed.preview.text).toContain(`line ${first - 1}\n`);
    expect(governed.preview.text).not.toContain(`line ${first}\n`);
    expect(String(answer.data.content)).toContain(`line ${first}\n`);
  });

  it("Read goes on inside a line of 10 MB", async () => {
    const text = Array.from({ length: 1_000_000 }, (_, index) => `${index},`).join("");
    for (const strategy of ["head", "tail", "head_tail"] as const) {
      const governed = await bound(text, { strategy });
      const call = suggestedCall(renderHint(governed.hint), "Read");
      expect(call).toHaveProperty("bytes");
      const answer = await registry.call("Read", call);
      const { startByte } = governed.preview.omissions[0] ?? expect.unreachable();
      expect(String(answer.data.content)).toContain(text.slice(startByte, startByte + 1000));
    }
  });

  it("Read goes on by bytes when the preview ends inside a line that others follow", async () => {
    const text = `top\n${"0123456789".repeat(200_000)}\n${"next\n".repeat(3000)}`;
    const governed = await bound(text, { maxBytes: 4000 });
    const answer = await registry.call("Read", suggestedCall(renderHint(governed.hint), "Read"));
    const { startByte } = governed.preview.omissions[0] ?? expect.unreachable();
    expect(String(answer.data.content)).toContain(text.slice(startByte, startByte + 1000));
  });

  it("Grep finds what the preview does not show", async () => {
    const governed = await bound(many, { strategy: "tail" });
    const call = { ...suggestedCall(renderHint(governed.hint), "Grep"), pattern: "^line 17$" };
    const answer = await registry.call("Grep", call);
    expect(answer.data.matches).toMatchObject([{ line: 17, text: "line 17" }]);
  });
});

describe("a hint names only tools that exist", () => {
  const text = async (tools: readonly string[] | undefined) => renderHint((await bound(many, { tools })).hint);

  it("assumes Read and Grep when nobody says", async () => {
    expect(await text(undefined)).toMatch(/search it with Grep\(.*, or read a part with Read\(/);
    expect(await text(undefined)).not.toContain("Task");
  });

  it("spells them as the host does", async () => {
    expect(await text(["read_file", "grep_search"])).toMatch(/grep_search\(pattern.*read_file\(path/s);
  });

  it("names one, or none", async () => {
    expect(await text(["Read", "Bash"])).not.toContain("Grep");
    expect(await text(["Grep"])).not.toContain("Read(");
    expect(await text([])).toMatch(/Full output saved to: .*\nDo not read it whole\.$/);
  });

  it("delegates when there is a Task tool, with its parameter names", async () => {
    const hint = await text(["Task", "Read", "Grep"]);
    expect(hint).toMatch(
      /Do not read the full file yourself\. Delegate: Task\(agent="explore", prompt="In .*, find …"\)/,
    );
    expect(hint).toMatch(/, which can use Grep and Read\(path=".*", offset=\d+, limit=200\)\.$/);
    const path = /saved to: (.*)\n/.exec(hint)?.[1] ?? "";
    expect(existsSync(path)).toBe(true);
    expect(await text(["Task"])).not.toMatch(/Grep|Read\b/);
  });
});

describe("a hint", () => {
  const facts: HintFacts = {
    outcome: { kind: "success" },
    size: { lines: 10, bytes: 1000, chars: 1000 },
    kept: { lines: 1, bytes: 1, chars: 1 },
    storage: { artifact: { id: "x", name: "n", path: "/a/n" } },
    tools: ["Read"],
    omissions: [{ lines: 9, bytes: 999, chars: 999, startLine: 2, endLine: 10, startByte: 1, endByte: 1000 }],
  };

  it("tells truncation from failure", () => {
    const say = (outcome: HintFacts["outcome"]) => renderHint(createHint({ ...facts, outcome }));
    expect(say({ kind: "success" })).toMatch(/^The tool call succeeded\. Its output was truncated \(1 of 10 lines, /);
    expect(say({ kind: "failure", message: "" })).toMatch(/^The tool call failed\. /);
    expect(say({ kind: "timeout", message: "" })).toMatch(/^The tool call failed \(timed out\)\. /);
    expect(say({ kind: "aborted", message: "" })).toMatch(/^The tool call failed \(aborted\)\. /);
  });

  it("says when nothing but formatting was left out", () => {
    expect(renderHint(createHint({ ...facts, omissions: [] }))).toContain(
      "shown without formatting codes, all lines of it",
    );
  });

  it("names the text beside a JSON artifact and reads that", () => {
    const hint = renderHint(createHint({ ...facts, textPath: "/a/n.txt" }));
    expect(hint).toContain("Full output saved to: /a/n (its text alone: /a/n.txt)");
    expect(hint).toContain('Read(path="/a/n.txt", offset=2, limit=200)');
  });

  it("can be worded by the host", async () => {
    const own = createSpillway({ root, env: {}, config: false, hint: ({ shown }) => `own words, ${shown.size.lines}` });
    expect(await own.govern(many)).toMatchObject({ hint: { words: "own words, 5000" }, notice: "own words, 5000" });
  });
});
