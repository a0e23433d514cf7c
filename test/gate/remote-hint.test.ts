import { describe, expect, it } from "vitest";
import { nextCalls } from "../../src/gate/hint.ts";
import { resolveReader } from "../../src/gate/reader.ts";
import { relativeTo } from "../../src/gate/render/hint-text.ts";

const artifact = { id: "0mwk323z20000ul64v82mi", name: "tool_x.txt", path: "s3://bucket/agents/tool_x.txt" };
const range = { offsetLine: 11, limit: 50 };

describe("hints for an artifact in a bucket", () => {
  it("name its address to our own tools, search included", () => {
    const calls = nextCalls(resolveReader({ tools: ["Read", "Grep"], agents: [], byId: true }), artifact, range);
    expect(calls).toEqual([
      { use: "search", tool: "Grep", args: { pattern: "…", path: artifact.path } },
      { use: "read", tool: "Read", args: { path: artifact.path, offset: 11, limit: 50 } },
    ]);
  });

  it("name our command to a shell, and nothing to tools that know only files", () => {
    const command = { program: "spillway", flags: "--root x" };
    const lines = nextCalls(resolveReader({ tools: ["Bash"], agents: [], command }), artifact, range);
    expect(lines.map((call) => ("line" in call ? call.line : ""))).toEqual([
      "spillway artifacts grep PATTERN s3://bucket/agents/tool_x.txt",
      "spillway artifacts read s3://bucket/agents/tool_x.txt --offset 11 --limit 50",
    ]);
    expect(nextCalls(resolveReader({ tools: ["Read", "Grep", "Bash"], agents: [] }), artifact, range)).toEqual([]);
  });

  it("never make a path of it", () => {
    expect(relativeTo(process.cwd(), artifact.path)).toBe(artifact.path);
  });
});
