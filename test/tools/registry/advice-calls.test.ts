import { describe, expect, it } from "vitest";
import type { ToolResponse } from "../../../src/protocol/types.ts";
import { createWorkspace, type Workspace } from "../workspace.ts";

/** The calls that a text names, `LS {…}` or `Read(path="…", offset=1)`, with what it says of each. */
function callsIn(text: string): { tool: string; params: Record<string, unknown>; says: string }[] {
  const byJson = [...text.matchAll(/\b([A-Z]\w+) (\{.*?\})(?: (shows [a-z ]+|goes on)|[;.])/g)];
  const byName = [...text.matchAll(/\b(Read)\((path=.*?)\)/g)];
  return [
    ...byJson.map(([, tool = "", json = "", says = ""]) => ({ tool, params: JSON.parse(json), says })),
    ...byName.map(([, tool = "", list = ""]) => ({
      tool,
      params: Object.fromEntries(
        [...list.matchAll(/(\w+)=("[^"]*"|\d+)/g)].map(([, key, value]) => [key, JSON.parse(value ?? "")]),
      ),
      says: "reads on",
    })),
  ];
}

const listOf = ({ data }: ToolResponse): unknown[] => (data.entries ?? data.paths ?? data.matches ?? []) as unknown[];

/** Makes every call of the advice as it stands, and checks that it gives what it says. */
async function follow(space: Workspace, response: ToolResponse): Promise<ToolResponse> {
  const calls = callsIn(response.text);
  expect(calls, response.text).not.toHaveLength(0);
  let last = response;
  for (const { tool, params, says } of calls) {
    last = await space.call(tool, params);
    expect(last.status, last.text).not.toBe("error");
    if (says.startsWith("shows all")) {
      expect(last.status, last.text).toBe("success");
      expect(listOf(last).length).toBe(Object.entries(last.stats).find(([key]) => key.startsWith("total_"))?.[1]);
    } else if (says.startsWith("shows the next")) {
      expect(listOf(last).length).toBeGreaterThan(0);
      expect(listOf(response)).not.toContainEqual(listOf(last)[0]);
    } else if (says !== "") {
      expect(JSON.stringify(last.data)).not.toBe(JSON.stringify(response.data));
    }
  }
  return last;
}

describe("what the text advises", () => {
  const space = createWorkspace();
  for (let at = 0; at < 450; at++) space.write(`files/name-${at}.txt`, `TODO ${at}\nTODO again ${at}\n`);
  space.write("long.txt", Array.from({ length: 5000 }, (_, at) => `line ${at}`).join("\n"));
  space.write("wide.txt", "x".repeat(200_000));

  it("LS of 450 files: all of them", async () => {
    const all = await follow(space, await space.call("LS", { path: "files" }));
    expect(all.data.entries).toHaveLength(450);
  });

  it("Glob of 450 files: all of them", async () => {
    const all = await follow(space, await space.call("Glob", { pattern: "files/*" }));
    expect(all.data.paths).toHaveLength(450);
  });

  it.each(["LS", "Glob"])("%s where all would be too much: the next, and on to the end", async (tool) => {
    const narrow = createWorkspace({ gate: { maxLines: 20 } });
    for (let at = 0; at < 45; at++) narrow.write(`name-${at}.txt`, "x");
    const first = await narrow.call(tool, { ...(tool === "Glob" ? { pattern: "*" } : {}), limit: 15 });
    const second = await follow(narrow, first);
    const third = await follow(narrow, second);
    const names = [first, second, third].flatMap(listOf).map((item) => JSON.stringify(item));
    expect(new Set(names).size).toBe(45);
    expect((await follow(narrow, third)).stats).toEqual(expect.objectContaining({ time_ms: expect.any(Number) }));
  });

  it("Grep of 900 matches: the next, in order", async () => {
    const first = await space.call("Grep", { pattern: "TODO", path: "files" });
    const second = await follow(space, first);
    expect(second.data.matches).toHaveLength(100);
    const all = await space.call("Grep", { pattern: "TODO", path: "files", limit: 200 });
    expect([...listOf(first), ...listOf(second)]).toEqual(listOf(all));
  });

  it.each([{ path: "long.txt" }, { path: "wide.txt" }, { path: "long.txt", limit: 10 }])(
    "Read %j goes on",
    async (params) => {
      await follow(space, await space.call("Read", params));
    },
  );

  it("700 matches above the limits of the gate: the saved file is read from where they were cut", async () => {
    const narrow = createWorkspace({ gate: { maxLines: 100 } });
    narrow.write("a.txt", Array.from({ length: 700 }, (_, at) => `TODO ${at}`).join("\n"));
    const response = await narrow.call("grep_search", { pattern: "TODO", limit: 700 });
    expect(response.data.matches).toHaveLength(100);
    expect(response.stats.total_matches).toBe(700);
    expect(JSON.stringify((await follow(narrow, response)).data)).toContain("TODO 100");
  });
});

describe("what the other tools advise", () => {
  const space = createWorkspace();
  for (let folder = 0; folder < 12; folder++)
    for (let at = 0; at < 60; at++)
      space.write(
        `src/part${folder}/file${at}.py`,
        `class Part${folder}x${at}:\n    def run_${at}(self):\n        pass\n`,
      );

  it("RepoMap: more definitions, as long as it names a call", async () => {
    let before = await space.call("RepoMap", { path: "src", max_tokens: 300 });
    for (let step = 0; step < 8 && callsIn(before.text).length > 0; step++) {
      const after = await follow(space, before);
      expect(after.stats.shown_definitions, after.text).toBeGreaterThan(before.stats.shown_definitions as number);
      expect(typeof after.data.map, after.text).toBe("string");
      before = after;
    }
  });

  it("RepoStructure: more of the tree", async () => {
    const first = await space.call("RepoStructure", { path: ".", max_depth: 1, max_files: 40 });
    const more = await follow(space, first);
    expect(JSON.stringify(more.data).length).toBeGreaterThan(JSON.stringify(first.data).length);
  });

  it.each([
    ["Bash", { command: "seq 1 30000" }],
    ["Bash", { command: "seq 1 30000; exit 3" }],
  ])("%s %j: the saved output is read on", async (tool, params) => {
    const first = await space.call(tool, params);
    expect(first.status).toBe("partial");
    const page = await follow(space, first);
    expect(String(page.data.content)).toMatch(/\d+\t\d+/);
  });

  it("RepoMap and RepoStructure that already fill the limits: a path further down, and no call that would be cut", async () => {
    const narrow = createWorkspace({ gate: { maxLines: 60 } });
    for (let at = 0; at < 200; at++) narrow.write(`a/b/c/d/file${at}.py`, `class Part${at}:\n    pass\n`);
    const map = await narrow.call("RepoMap", { path: ".", max_tokens: 400 });
    for (let answer = map, step = 0; step < 5 && callsIn(answer.text).length > 0; step++) {
      answer = await follow(narrow, answer);
      expect(typeof answer.data.map, answer.text).toBe("string");
    }
    let tree = await narrow.call("RepoStructure", { path: ".", max_depth: 5, max_files: 20 });
    for (let step = 0; step < 5 && callsIn(tree.text).length > 0; step++) {
      tree = await follow(narrow, tree);
      expect(typeof tree.data.tree, tree.text).toBe("string");
    }
  });
});
