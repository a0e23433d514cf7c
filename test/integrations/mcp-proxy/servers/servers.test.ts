// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the proxy fills them in.
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../support/folder.ts";
import {
  connectClient,
  connectHttp,
  EVERYTHING,
  FILESYSTEM,
  MODERN,
  RawPeer,
  spillwayArgs,
  support,
} from "../../../support/mcp-peers.ts";

// biome-ignore lint/suspicious/noExplicitAny: answers are read field by field.
type Json = any;

const ONE = support("one-of-many-mcp-server.mjs");
const closing: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((each) => each.close()));
});

interface Place {
  readonly root: string;
  readonly starts: string;
  readonly env: Record<string, string>;
  readonly args: (servers: Json, ...flags: string[]) => Promise<string[]>;
}

function place(): Place {
  const root = temporaryFolder("servers");
  const starts = join(root, "starts");
  writeFileSync(starts, "");
  return {
    root,
    starts,
    env: { XDG_STATE_HOME: join(root, "state"), SECRET_OF_TEST: "s3cret" },
    args: (servers, ...flags) => {
      const file = join(root, "mcp.json");
      writeFileSync(file, JSON.stringify({ mcpServers: servers }));
      return spillwayArgs("proxy", "--root", root, "--servers", file, ...flags);
    },
  };
}

function one(name: string, { starts }: Place, more: Json = {}): Json {
  return { command: process.execPath, args: [ONE, name, starts], ...more };
}

async function open(
  at: Place,
  servers: Json,
  flags: readonly string[] = [],
  capabilities: Json = {},
): Promise<RawPeer> {
  const peer = new RawPeer(await at.args(servers, ...flags), at.env);
  closing.push(peer);
  await peer.initialize("2025-11-25", capabilities);
  return peer;
}

async function toolNames(peer: RawPeer): Promise<string[]> {
  return (await peer.request("tools/list")).result.tools.map((tool: Json) => tool.name);
}

const textOf = (answer: Json): string => answer.result.content[0].text;
const startsOf = ({ starts }: Place): string[] => readFileSync(starts, "utf8").split("\n").filter(Boolean);

describe("several servers behind one proxy", () => {
  test.each(["v1", "v2", "v2-modern"] as const)("a client of the SDK (%s) calls tools of each", async (kind) => {
    const at = place();
    const args = await at.args({
      everything: { command: process.execPath, args: [EVERYTHING] },
      files: { command: process.execPath, args: [FILESYSTEM, at.root] },
      new: { command: process.execPath, args: [MODERN] },
    });
    const client = await connectClient(kind, args, at.env);
    closing.push(client);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name.split("__")[0])).toEqual(
      expect.arrayContaining(["everything", "files", "new"]),
    );
    expect(tools.filter(({ name }) => !name.includes("__")).every(({ name }) => name.startsWith("spillway_"))).toBe(
      true,
    );
    writeFileSync(join(at.root, "long.txt"), Array.from({ length: 40_000 }, (_, at) => `line ${at}`).join("\n"));
    const echo = await client.callTool({ name: "everything__echo", arguments: { message: "hi" } });
    expect(echo.content).toEqual([{ type: "text", text: "Echo: hi" }]);
    const asked = await client.callTool({ name: "everything__trigger-sampling-request", arguments: { prompt: "?" } });
    expect(JSON.stringify(asked.content)).toContain("sampled");
    const long = await client.callTool({
      name: "files__read_text_file",
      arguments: { path: join(at.root, "long.txt") },
    });
    expect(long._meta?.["spillway/truncation"]).toMatchObject({ artifact_id: expect.any(String) });
    expect(JSON.stringify(long.content)).toContain("spillway_read");
  });

  test("over HTTP, with a server over HTTP behind", async () => {
    const inner = place();
    const listening = new RawPeer(
      await inner.args({ a: one("a", inner) }, "--listen", "127.0.0.1:0", "--no-token"),
      inner.env,
    );
    closing.push({ close: async () => void listening.child.kill() });
    await listening.until(() => listening.stderr.includes("listens on"));
    const url = /listens on (\S+)/.exec(listening.stderr)![1]!;
    const at = place();
    const outer = new RawPeer(
      await at.args({ far: { type: "http", url }, b: one("b", at) }, "--listen", "127.0.0.1:0", "--no-token"),
      at.env,
    );
    closing.push({ close: async () => void outer.child.kill() });
    await outer.until(() => outer.stderr.includes("listens on"));
    for (const kind of ["v2", "v2-modern"] as const) {
      const client = await connectHttp(kind, /listens on (\S+)/.exec(outer.stderr)![1]!);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["far__a__where", "b__where"]));
      const { content } = await client.callTool({ name: "far__a__where", arguments: {} });
      expect(JSON.stringify(content)).toContain('\\"name\\":\\"a\\"');
      await client.close();
    }
  });

  test("is started when it is called, once its tools are known", async () => {
    const at = place();
    const servers = { a: one("a", at), b: one("b", at) };
    const first = await open(at, servers);
    const names = await toolNames(first);
    expect(names.slice(0, 2)).toEqual(["a__where", "a__ask"]);
    expect(startsOf(at).toSorted()).toEqual(["a", "b"]);
    await first.close();
    const cache = join(at.root, "state", "spillway", "mcp-servers");
    for (const file of await readdir(cache)) expect(statSync(join(cache, file)).mode & 0o777).toBe(0o600);
    const second = await open(at, servers);
    expect(await toolNames(second)).toEqual(names);
    expect((await second.request("prompts/list")).result.prompts).toEqual([{ name: "a__greet" }, { name: "b__greet" }]);
    expect(startsOf(at)).toHaveLength(2);
    expect(textOf(await second.call("b__where"))).toContain('"name":"b"');
    expect(startsOf(at).slice(2)).toEqual(["b"]);
  });

  test("instructions of servers that are known are passed on", async () => {
    const at = place();
    const servers = { a: one("a", at) };
    await toolNames(await open(at, servers));
    const peer = new RawPeer(await at.args(servers), at.env);
    closing.push(peer);
    expect((await peer.initialize()).result.instructions).toBe("a: Be kind to a.");
  });

  test("a server that cannot be started costs only its own tools, and says so", async () => {
    const at = place();
    const peer = await open(at, {
      a: one("a", at),
      gone: { command: "no-such-program-here" },
      ends: { command: process.execPath, args: ["-e", "process.exit(3)"] },
      unset: { command: "x", args: ["${NOT_SET_IN_TEST}"] },
    });
    const names = await toolNames(peer);
    expect(names).toContain("a__where");
    expect(names.filter((name) => /^(?:gone|ends|unset)/.test(name))).toEqual([]);
    expect(textOf(await peer.call("gone__any"))).toMatch(/^The server gone is not available: .*no-such-program-here/);
    expect(textOf(await peer.call("ends__any"))).toContain("exit code 3");
    const unset = await peer.call("unset__any");
    expect(unset.result.isError).toBe(true);
    expect(textOf(unset)).toContain("it needs NOT_SET_IN_TEST, which is not set");
    const said = peer.received.filter(({ method }) => method === "notifications/message");
    expect(said.map(({ params }) => params.data).join("\n")).toContain("the server ends is not available");
    expect(peer.stderr).toContain("the server gone is not available");
    expect(textOf(await peer.call("a__where"))).toContain('"name":"a"');
  });

  test("one that dies during a call leaves the others, and comes back", async () => {
    const at = place();
    const peer = await open(at, { a: one("a", at), b: one("b", at) });
    const waiting = peer.call("b__slow", {}, { progressToken: "p" });
    await peer.until(() => peer.received.some(({ method }) => method === "notifications/progress"));
    const failed = await peer.call("a__fail");
    expect(failed.result.isError).toBe(true);
    expect(textOf(failed)).toContain("exit code 7");
    expect(textOf(await peer.call("a__where"))).toContain('"name":"a"');
    peer.send({ method: "notifications/cancelled", params: { requestId: 2, reason: "enough" } });
    void waiting;
  });

  test("a slow server is announced when it is there", async () => {
    const at = place();
    const servers = { a: one("a", at), late: one("late", at, { env: { START_AFTER_MS: "9000" } }) };
    const peer = await open(at, servers);
    expect((await toolNames(peer)).filter((name) => name.startsWith("late"))).toEqual([]);
    await peer.until(() => peer.received.some(({ method }) => method === "notifications/tools/list_changed"));
    expect((await toolNames(peer)).filter((name) => name.startsWith("late"))).toHaveLength(6);
  }, 30_000);

  test("questions, progress, cancelling and logs find their way", async () => {
    const at = place();
    const peer = await open(at, { a: one("a", at), b: one("b", at) }, [], { sampling: {} });
    peer.onRequest = (_, params) => ({ role: "assistant", content: { type: "text", text: params.systemPrompt } });
    const answers = await Promise.all([peer.call("a__ask"), peer.call("b__ask")]);
    expect(answers.map(textOf)).toEqual(["a was told a", "b was told b"]);
    const id = 77;
    void peer.request("tools/call", { name: "b__slow", arguments: {}, _meta: { progressToken: "mine" } }, id);
    await peer.until(() => peer.received.some(({ params }) => params?.progressToken === "mine"));
    peer.send({ method: "notifications/cancelled", params: { requestId: id, reason: "enough" } });
    expect(JSON.parse(textOf(await peer.call("b__where"))).cancelled).toBe("enough");
    expect(JSON.parse(textOf(await peer.call("a__where"))).cancelled).toBe("none");
    await peer.request("logging/setLevel", { level: "warning" });
    await peer.until(() => peer.received.filter(({ params }) => params?.data === "heard").length === 2);
    expect(JSON.parse(textOf(await peer.call("a__where"))).level).toBe("warning");
    const loggers = peer.received.filter(({ params }) => params?.data === "heard").map(({ params }) => params.logger);
    expect(loggers.toSorted()).toEqual(["a", "b"]);
  });

  test("changes of several lists are announced once", async () => {
    const at = place();
    const peer = await open(at, { a: one("a", at), b: one("b", at) });
    await toolNames(peer);
    await Promise.all([peer.call("a__grow"), peer.call("b__grow")]);
    const changes = () => peer.received.filter(({ method }) => method === "notifications/tools/list_changed").length;
    await peer.until(() => changes() > 0);
    const names = await toolNames(peer);
    expect(names).toEqual(expect.arrayContaining(["a__grown6", "b__grown6"]));
    expect(changes()).toBeLessThanOrEqual(2);
  });

  test("resources and prompts of each, also when two have the same address", async () => {
    const at = place();
    const peer = await open(at, { a: one("a", at), b: one("b", at) });
    const { resources } = (await peer.request("resources/list")).result;
    expect(resources.map(({ uri }: Json) => uri)).toEqual([
      "test://same",
      "test://a",
      "spillway://server/b/test%3A%2F%2Fsame",
      "test://b",
    ]);
    const read = async (uri: string): Promise<string> =>
      (await peer.request("resources/read", { uri })).result.contents[0].text;
    expect(await read("test://same")).toBe("test://same of a");
    expect(await read("spillway://server/b/test%3A%2F%2Fsame")).toBe("test://same of b");
    expect(await read("b://anything")).toBe("b://anything of b");
    const prompt = await peer.request("prompts/get", { name: "b__greet" });
    expect(prompt.result.messages[0].content.text).toBe("greet b");
    expect((await peer.request("prompts/get", { name: "greet" })).error.message).toBe("Unknown prompt: greet");
  });

  test("what a list denies is neither shown nor called", async () => {
    const at = place();
    const peer = await open(at, { a: one("a", at, { deny: ["fail", "gr*"] }), b: one("b", at, { allow: ["where"] }) });
    const names = (await toolNames(peer)).filter((name) => name.includes("__"));
    expect(names).toEqual(["a__where", "a__ask", "a__slow", "a__big", "b__where"]);
    const refused = await peer.call("a__fail");
    expect(refused.result.isError).toBe(true);
    expect(textOf(refused)).toBe("The tool a__fail is denied by the entry of a.");
    expect((await peer.call("b__big", { lines: 1 })).result.isError).toBe(true);
  });

  test("large results are bounded by the name with the server's, and read by one set of readers", async () => {
    const at = place();
    writeFileSync(join(at.root, "spillway.yaml"), "tool_output_limits:\n  tools:\n    a__big:\n      max_lines: 10\n");
    const peer = await open(at, { a: one("a", at), b: one("b", at) });
    const small = await peer.call("a__big", { lines: 20 });
    expect(small.result._meta["spillway/truncation"]).toMatchObject({ max_lines: 10, original_lines: 20 });
    // Above what fits in memory, too.
    const huge = await peer.call("b__big", { lines: 60_000 });
    const { artifact_id: id, original_lines } = huge.result._meta["spillway/truncation"];
    expect(original_lines).toBe(60_000);
    const found = await peer.call("spillway_read", { id, pattern: "line 59999 of b" });
    expect(JSON.stringify(found.result.content)).toContain("60000:line 59999 of b");
  });

  test("secrets of an entry come from the environment", async () => {
    const at = place();
    const peer = await open(at, { a: one("a", at, { env: { SECRET: "${SECRET_OF_TEST}" } }) });
    expect(JSON.parse(textOf(await peer.call("a__where"))).secret).toBe("s3cret");
  });
});

describe("--tools lazy", () => {
  test("shows two tools and the pinned ones; what was found can be called", async () => {
    const at = place();
    const servers = { a: one("a", at, { pin: ["where"] }), b: one("b", at, { deny: ["fail"] }) };
    const peer = await open(at, servers, ["--tools", "lazy", "--pin", "b__gr*"]);
    const names = await toolNames(peer);
    expect(names.filter((name) => !name.startsWith("spillway_"))).toEqual([
      "find_tools",
      "call_tool",
      "a__where",
      "b__grow",
    ]);
    const found = await peer.call("find_tools", { query: "the big tool of b", limit: 2 });
    const [definition] = JSON.parse(textOf(found));
    expect(definition).toEqual({ name: "b__big", description: "The tool big of b", inputSchema: { type: "object" } });
    expect(found.result.content[1].text).toContain("2 of 11 tools shown");
    expect(found.result.content[1].text).toContain("Instructions of b: Be kind to b.");
    const called = await peer.call("call_tool", { name: "b__big", arguments: { lines: 5000 } });
    expect(called.result._meta["spillway/truncation"].original_lines).toBe(5000);
    expect(called.result._meta["spillway/truncation"].full_output_path).toContain("b__big");
    expect(textOf(await peer.call("call_tool", { name: "b__big", arguments: '{"lines":1}' }))).toBe("line 0 of b");
    expect(textOf(await peer.call("a__where"))).toContain('"name":"a"');
  });

  test("finds the right tool of real servers for plain requests", async () => {
    const at = place();
    const peer = await open(
      at,
      {
        everything: { command: process.execPath, args: [EVERYTHING] },
        filesystem: { command: process.execPath, args: [FILESYSTEM, at.root] },
      },
      ["--tools", "lazy"],
    );
    const file = new URL("../../../../bench/mcp/tools/requests.json", import.meta.url);
    const requests: string[][] = JSON.parse(readFileSync(file, "utf8"));
    const asked = requests.filter(([, right]) => /^(?:everything|filesystem)__/.test(right!));
    expect(asked.length).toBeGreaterThan(15);
    const missed: string[] = [];
    for (const [query, ...right] of asked) {
      const found: Json[] = JSON.parse(textOf(await peer.call("find_tools", { query })));
      if (!found.some(({ name }) => right.includes(name))) missed.push(query!);
    }
    expect(missed).toEqual([]);
  });

  test("says what is wrong with a call", async () => {
    const at = place();
    const peer = await open(at, { a: one("a", at, { deny: ["fail"] }) }, ["--tools", "lazy"]);
    const everything = textOf(await peer.call("find_tools", { query: "" }));
    expect(everything.split("\n")).toEqual(["a__where", "a__ask", "a__slow", "a__grow", "a__big"]);
    expect(textOf(await peer.call("call_tool", { name: "a__bigg", arguments: {} }))).toMatch(
      /^There is no tool "a__bigg"/,
    );
    expect(textOf(await peer.call("call_tool", { name: "b__big" }))).toMatch(/Did you mean a__big/);
    expect(textOf(await peer.call("call_tool", { name: "a__fail" }))).toContain("is denied by the entry of a");
    expect(textOf(await peer.call("call_tool", { name: "a__big", arguments: "[" }))).toContain("call_tool takes name");
    expect(textOf(await peer.call("find_tools", { query: "zzz qqq" }))).toBe("[]");
  });
});
