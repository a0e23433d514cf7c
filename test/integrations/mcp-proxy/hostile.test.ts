import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { HOSTILE, proxyArgs, RawPeer, spillwayArgs, temporaryRoot } from "../../support/mcp-peers.ts";
import { spillway } from "../../support/spillway-command.ts";

const peers: RawPeer[] = [];
afterEach(async () => {
  await Promise.all(peers.splice(0).map((peer) => peer.close()));
});

async function open(flags: readonly string[] = [], server: readonly string[] = [HOSTILE], root = temporaryRoot()) {
  const peer = new RawPeer(await proxyArgs(root, server, flags));
  peers.push(peer);
  await peer.initialize();
  return { peer, root };
}

let shared: { peer: RawPeer; root: string } | undefined;
afterAll(() => shared?.peer.close());

/** One proxy for every test that leaves its server alive and asks nothing of an empty folder. */
async function openShared() {
  if (!shared) {
    const root = temporaryRoot();
    const peer = new RawPeer(await proxyArgs(root, [HOSTILE]));
    shared = { peer, root };
    await peer.initialize();
  }
  return shared;
}

const truncation = (answer: { result: { _meta: Record<string, never> } }) =>
  answer.result._meta["spillway/truncation"] as never as {
    artifact_id: string;
    full_output_path: string;
    original_bytes: number;
    parts: { part: string; action: string; kept_bytes: number; cuts?: unknown[] }[];
  };
const textOf = (answer: { result: { content: { type: string; text?: string }[] } }) =>
  answer.result.content.map((block) => block.text ?? "").join("\n");

describe("within limits", () => {
  test("a result passes byte for byte, unknown fields and numbers included", async () => {
    const { peer } = await openShared();
    const small = await peer.call("small");
    expect(small.result).toEqual({
      content: [{ type: "text", text: "small" }],
      _meta: { "example.com/trace": "abc" },
      extra: { kept: true },
    });
    await peer.call("number_fidelity");
    expect(peer.lines.at(-1)).toContain('{"big":12345678901234567890,"one":1.0}');
    expect((await peer.call("crlf")).result.content[0].text).toBe("crlf");
  });

  test("no file is written", async () => {
    const { peer, root } = await open();
    await peer.call("lines", { count: 2000 });
    expect(existsSync(join(root, ".agents", "tool-output"))).toBe(false);
  });
});

describe("over the limits", () => {
  test("text is bounded, the whole is kept, facts are typed, _meta and isError stay", async () => {
    const { peer, root } = await openShared();
    const answer = await peer.call("lines", { count: 9000 });
    const facts = truncation(answer);
    const whole = Array.from({ length: 9000 }, (_, index) => `line ${index + 1} of the output`).join("\n");
    expect(readFileSync(join(root, facts.full_output_path), "utf8")).toBe(whole);
    expect(facts.original_bytes).toBe(Buffer.byteLength(whole));
    expect(Buffer.byteLength(textOf(answer))).toBeLessThanOrEqual(51_200);
    expect(textOf(answer).split("\n").length).toBeLessThanOrEqual(2000);
    expect(answer.result._meta["example.com/trace"]).toBe("abc");
    expect(answer.result.content.at(-1)).toMatchObject({
      type: "resource_link",
      uri: `spillway://artifact/${facts.artifact_id}`,
    });
    const failing = await peer.call("failing", { count: 9000 });
    expect(failing.result.isError).toBe(true);
    expect(truncation(failing).artifact_id).toBeTruthy();
  });

  test("blocks share the limit fairly: small ones stay whole, block fields stay", async () => {
    const { peer } = await openShared();
    const answer = await peer.call("blocks", { sizes: [100, 40_000, 90_000] });
    const [small, middle, large] = answer.result.content;
    expect(small).toMatchObject({ type: "text", annotations: { priority: 0 } });
    expect(small.text).toMatch(/^0:[^…]{98}$/);
    expect(middle.annotations).toEqual({ priority: 0.1 });
    expect(Buffer.byteLength(middle.text)).toBeGreaterThan(5000);
    expect(Buffer.byteLength(large.text)).toBeGreaterThan(5000);
    expect(Buffer.byteLength(textOf(answer))).toBeLessThanOrEqual(51_200);
  });

  test("images, audio and binary resources are saved decoded and replaced by a description and a link", async () => {
    const { peer, root } = await openShared();
    for (const [tool, part, extension, fill] of [
      ["image", "image", "png", 7],
      ["audio", "audio", "wav", 9],
      ["binary_resource", "resource", "zip", 3],
    ] as const) {
      const answer = await peer.call(tool, { bytes: 4_000_000 });
      const facts = truncation(answer);
      expect(facts.parts[0]).toMatchObject({ part, action: "replaced" });
      expect(facts.full_output_path.endsWith(`.${extension}`)).toBe(true);
      expect(readFileSync(join(root, facts.full_output_path)).equals(Buffer.alloc(4_000_000, fill))).toBe(true);
      expect(textOf(answer)).toContain("4,000,000 bytes");
      expect(answer.result.content.at(-1).type).toBe("resource_link");
    }
    const small = await peer.call("image", { bytes: 900_000 });
    expect(small.result.content[1]).toMatchObject({ type: "image", annotations: { audience: ["user"] } });
    const lowered = await open(["--max-media-bytes", "100KB"]);
    expect((await lowered.peer.call("image", { bytes: 900_000 })).result.content[1].type).toBe("text");
  });

  test("JSON text stays JSON, and the notice is a block of its own", async () => {
    const { peer } = await openShared();
    const answer = await peer.call("json", { items: 20_000 });
    const shown = JSON.parse(answer.result.content[0].text);
    expect(shown.total).toBe(20_000);
    expect(shown.items.length).toBeGreaterThan(10);
    expect(shown.items[3]).toEqual({ id: 3, name: "item number 3" });
    expect(answer.result.content[1].text).toContain("spillway");
    const huge = await peer.call("json_huge", { bytes: 3_000_000 });
    expect(huge.result.content[0].text).not.toContain("spillway");
    expect(huge.result.content[1].text).toContain("spillway_read");
  });

  test("code points are never split", async () => {
    const { peer } = await openShared();
    for (const count of [20_000, 300_000]) {
      const text = textOf(await peer.call("emoji", { count }));
      expect(Buffer.from(text, "utf8").toString("utf8")).toBe(text);
      expect(text).not.toContain("\ufffd");
    }
  });

  test("an error response is bounded too", async () => {
    const { peer } = await openShared();
    const answer = await peer.call("rpc_error", { count: 9000 });
    expect(answer.error.code).toBe(-32050);
    expect(Buffer.byteLength(answer.error.message)).toBeLessThanOrEqual(51_200);
    expect(answer.error.data.hint).toBe("x");
    expect(answer.error.data["spillway/truncation"].artifact_id).toBeTruthy();
  });

  test("limits and strategies per tool come from the YAML file", async () => {
    const root = temporaryRoot();
    writeFileSync(
      join(root, "spillway.yaml"),
      "tool_output_limits:\n  tools:\n    lines: { max_lines: 40, strategy: tail }\n",
    );
    const { peer } = await open([], [HOSTILE], root);
    const bounded = await peer.call("lines", { count: 100 });
    expect(textOf(bounded)).toContain("line 100 of the output");
    expect(textOf(bounded)).not.toContain("line 1 of the output");
    expect((await peer.call("echo", { value: "a\n".repeat(100) })).result._meta).toBeUndefined();
  });
});

describe("structured content", () => {
  test("is shrunk so that it still fits its schema", async () => {
    const { peer } = await openShared();
    const answer = await peer.call("structured", { items: 20_000 });
    const { structuredContent } = answer.result;
    expect(structuredContent.total).toBe(20_000);
    expect(structuredContent.items.length).toBeGreaterThan(100);
    expect(Buffer.byteLength(JSON.stringify(structuredContent))).toBeLessThanOrEqual(51_200);
    const part = truncation(answer).parts.find((each) => each.part === "structuredContent");
    expect(part).toMatchObject({ action: "shrunk" });
    expect(part?.cuts).toContainEqual({
      pointer: "/items",
      unit: "items",
      kept: structuredContent.items.length,
      total: 20_000,
    });
    const string = await peer.call("structured_string", { bytes: 5_000_000 });
    expect(string.result.structuredContent.ok).toBe(true);
    expect(string.result.structuredContent.log.length).toBeGreaterThan(10_000);
    expect(string.result.isError).toBeUndefined();
  });

  test("that nothing smaller can replace becomes an error result that says so, or its schema is hidden", async () => {
    const { peer } = await openShared();
    const answer = await peer.call("structured_fixed");
    expect(answer.result.isError).toBe(true);
    expect(answer.result.structuredContent).toBeUndefined();
    expect(textOf(answer)).toContain("structuredContent");
    const hidden = await open(["--structured", "hide-schema"]);
    const list = await hidden.peer.request("tools/list");
    expect(list.result.tools.every((tool: { outputSchema?: unknown }) => tool.outputSchema === undefined)).toBe(true);
    const shown = await hidden.peer.call("structured_fixed");
    expect(shown.result.isError).toBeUndefined();
    expect(shown.result.structuredContent.rows.length).toBeGreaterThan(10);
  });

  describe.each(["text", "structuredContent", "block", "meta", "error"])("JSON nested deep in %s", (place) => {
    test("comes as it was written when it is within the limits", async () => {
      const { peer } = await openShared();
      const before = peer.lines.length;
      await peer.call("nested", { depth: 8000, place });
      const deep = '{"a":['.repeat(4000);
      expect(peer.lines[before]).toContain(place === "text" ? JSON.stringify(deep).slice(1, -1) : deep);
      expect(peer.lines[before]).not.toContain("spillway");
    });

    test.each([
      [8000, "x".repeat(200_000)],
      [20_000, ""],
      [1_000_000, ""],
    ])("is answered within the limits at %d levels", async (depth, beside) => {
      const { peer } = await openShared();
      const before = peer.lines.length;
      await peer.call("nested", { depth, place, beside });
      expect(Buffer.byteLength(peer.lines[before]!)).toBeLessThan(150_000);
      expect(peer.lines[before]).toContain("spillway");
    });
  });

  test("a message whose structure alone is huge is kept as text", async () => {
    const { peer } = await openShared();
    const answer = await peer.call("deep_huge", { rows: 320_000 });
    expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThan(120_000);
    const id = truncation(answer).artifact_id;
    expect(id).toBeTruthy();
    expect(textOf(answer)).toContain(`Complete in artifact ${id}`);
    expect(answer.result.content.at(-1)).toMatchObject({ type: "resource_link", uri: `spillway://artifact/${id}` });
  });
});

describe("large messages", () => {
  test("do not hold up other calls, whatever the order of their fields", async () => {
    const { peer, root } = await openShared();
    const huge = peer.call("id_last_huge", { bytes: 30_000_000 });
    const small = peer.call("small");
    await small;
    const facts = truncation(await huge);
    const bytes = readFileSync(join(root, facts.full_output_path));
    expect(bytes.length).toBe(30_000_000);
    expect(bytes.subarray(0, 57).toString()).toBe(
      '2026-11-15T10:00:00Z INFO worker "job" handled \t request\n'.slice(0, 57),
    );
  });

  test("above the limit are refused with a clear error", async () => {
    const { peer } = await open(["--max-message-bytes", "2MB"]);
    const answer = await peer.call("id_last_huge", { bytes: 5_000_000 });
    expect(answer.error.message).toMatch(/refused: it is larger than the limit of \d+ bytes/);
    const asked = await peer.call("echo", { value: "z".repeat(5_000_000) });
    expect(asked.error.message).toMatch(/client's message was refused: it is larger than the limit of \d+ bytes/);
    expect((await peer.call("small")).result.content[0].text).toBe("small");
  });

  test("of other methods pass whole, and large arguments arrive", async () => {
    const { peer } = await openShared();
    const answer = await peer.request("resources/read", { uri: "demo://huge" });
    expect(answer.result.contents[0].text.length).toBe(3_000_000);
    const echoed = await peer.call("echo", { value: "z".repeat(2_000_000) });
    expect(truncation(echoed).original_bytes).toBe(2_000_000);
  });
});

describe("misbehaviour", () => {
  test("garbage on the server's output is reported and skipped; its stderr passes", async () => {
    const { peer } = await open();
    const answer = await peer.call("garbage");
    expect(answer.result.content[0].text).toBe("after garbage");
    await peer.until(
      () => peer.stderr.includes("npm notice something new") && peer.stderr.includes("a line of 700000 bytes"),
    );
    expect(peer.stderr).toContain("hostile server is up");
  });

  test("a malformed response is an error, one that nobody asked for is dropped", async () => {
    const { peer } = await open();
    expect((await peer.call("malformed")).error.message).toContain("malformed");
    expect((await peer.call("unknown_id")).result.content[0].text).toBe("asked");
    expect(peer.received.some((message) => message.id === "nobody-asked")).toBe(false);
  });

  test("a server that dies: pending calls get an error result, the session lives on", async () => {
    const { peer } = await open();
    const [first] = (await peer.call("pid")).result.content;
    const hanging = peer.call("hang");
    const dying = peer.call("die");
    for (const answer of [await hanging, await dying]) {
      expect(answer.result.isError).toBe(true);
      expect(answer.result.content[0].text).toContain("ended with exit code 3");
    }
    const [second] = (await peer.call("pid")).result.content;
    expect(second.text).not.toBe(first.text);
    expect(peer.received.some((message) => message.method === "notifications/tools/list_changed")).toBe(true);
    expect((await peer.call("crash_midway")).result.isError).toBe(true);
    expect((await peer.call("small")).result.content[0].text).toBe("small");
  });

  test("a server that never starts ends the proxy with an error", async () => {
    const peer = new RawPeer(await spillwayArgs("proxy", "--root", temporaryRoot(), "--", "no-such-command-anywhere"));
    peers.push(peer);
    const answer = await peer.request("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "raw", version: "1" },
    });
    expect(answer.error.message).toContain("no-such-command-anywhere");
    await peer.until(() => peer.stderr.includes('"no-such-command-anywhere": no such command'));
    expect(await peer.close()).toBe(1);
    // Nobody on the other side, as when it is tried by hand.
    const alone = await spillway(["proxy", "--root", temporaryRoot(), "--", "no-such-command-anywhere"]);
    expect(alone).toMatchObject({ exitCode: 1, err: expect.stringContaining("no such command") });
  });

  test("no orphan stays when the client goes", async () => {
    const { peer } = await open();
    const pid = Number((await peer.call("pid")).result.content[0].text);
    expect(await peer.close()).toBe(0);
    expect(() => process.kill(pid, 0)).toThrow();
  });
});

describe("what passes through", () => {
  test("progress, cancellation, logging, questions, list_changed", async () => {
    const { peer } = await open();
    expect((await peer.call("slow", { steps: 3 }, { progressToken: "token-1" })).result.content[0].text).toBe(
      "slow done",
    );
    expect(
      peer.received.filter(({ method }) => method === "notifications/progress").map(({ params }) => params.progress),
    ).toEqual([1, 2, 3]);
    void peer.request("tools/call", { name: "hang", arguments: {} }, "to-cancel");
    peer.send({ method: "notifications/cancelled", params: { requestId: "to-cancel", reason: "test" } });
    expect((await peer.call("cancelled")).result.content[0].text).toBe('["to-cancel"]');
    peer.onRequest = (method) => ({ answeredTo: method });
    for (const method of ["sampling/createMessage", "roots/list", "elicitation/create"])
      expect((await peer.call("ask", { method })).result.content[0].text).toBe(JSON.stringify({ answeredTo: method }));
    await peer.call("log");
    await peer.call("change_lists");
    const methods = peer.received.map(({ method }) => method);
    for (const method of [
      "notifications/message",
      "notifications/tools/list_changed",
      "notifications/prompts/list_changed",
    ])
      expect(methods).toContain(method);
    expect((await peer.request("prompts/list")).result).toEqual({ prompts: [{ name: "p" }] });
    expect((await peer.request("no/such/method")).error.code).toBe(-32601);
  });

  test("tools/list keeps order, schema, annotations and _meta; readers come last and never collide", async () => {
    const { peer } = await open([], [HOSTILE, "--collide", "--pages"]);
    const pages = [await peer.request("tools/list")];
    while (pages.at(-1)!.result.nextCursor)
      pages.push(await peer.request("tools/list", { cursor: pages.at(-1)!.result.nextCursor }));
    const tools = pages.flatMap(({ result }) => result.tools);
    expect(tools[0]).toEqual({
      name: "small",
      description: "does small",
      inputSchema: { type: "object" },
      annotations: { readOnlyHint: true },
      _meta: { "example.com/order": "small" },
    });
    expect(tools.slice(-3).map(({ name }: { name: string }) => name)).toEqual([
      "spillway_read",
      "spillway_read_2",
      "spillway_query",
    ]);
    expect(tools.at(-1).annotations).toMatchObject({ readOnlyHint: true, openWorldHint: false });
    const bounded = await peer.call("lines", { count: 9000 });
    expect(textOf(bounded)).toContain("spillway_read_2 {");
  });

  test("readers can be switched off; the notice then names the resource", async () => {
    const { peer } = await open(["--no-readers"], [HOSTILE, "--bare"]);
    const names = (await peer.request("tools/list")).result.tools.map(({ name }: { name: string }) => name);
    expect(names.some((name: string) => name.startsWith("spillway"))).toBe(false);
    const bounded = await peer.call("lines", { count: 9000 });
    expect(textOf(bounded)).not.toContain("spillway_read");
    const uri = /spillway:\/\/artifact\/[^\s,]+\?lines=\d+-\d+/.exec(textOf(bounded))![0];
    const page = await peer.request("resources/read", { uri });
    expect(page.result.contents[0].text).toMatch(/^line \d+ of the output\n/);
    expect((await peer.request("resources/list")).result.resources).toHaveLength(1);
    expect((await peer.request("resources/templates/list")).result.resourceTemplates).toHaveLength(1);
  });

  test("an old client gets no resource_link, and an artifact that is not there is an error", async () => {
    const peer = new RawPeer(await proxyArgs(temporaryRoot(), [HOSTILE]));
    peers.push(peer);
    await peer.initialize("2025-03-26");
    const bounded = await peer.call("lines", { count: 9000 });
    expect(bounded.result.content.some(({ type }: { type: string }) => type === "resource_link")).toBe(false);
    expect((await peer.request("resources/read", { uri: "spillway://artifact/nope" })).error.code).toBe(-32002);
    expect((await peer.call("spillway_read", { id: "nope" })).result.isError).toBe(true);
  });
});

test("calls are counted and flushed when the client leaves", async () => {
  const { peer, root } = await open();
  await peer.call("small");
  await peer.call("lines", { count: 9000 });
  await peer.call("id_last_huge", { bytes: 2_000_000 });
  await peer.close();
  const stats = readFileSync(join(root, ".agents", "stats.jsonl"), "utf8");
  expect(stats).toContain('"proxy"');
  for (const tool of ["small", "lines", "id_last_huge"]) expect(stats).toContain(`"${tool}"`);
  expect(readdirSync(join(root, ".agents", "tool-output")).some((name) => name.includes("lines"))).toBe(true);
});

describe("a client that uses an id twice at once", () => {
  test("gets an error for the second, and the answer to the first", async () => {
    const { peer } = await open();
    const call = { id: 77, method: "tools/call", params: { name: "slow", arguments: { steps: 5, ms: 100 } } };
    peer.send(call);
    peer.send(call);
    const answers = () => peer.received.filter((message) => message.id === 77);
    await peer.until(() => answers().length === 2);
    expect(answers()[0]).toMatchObject({
      error: { code: -32600, message: expect.stringContaining("The id 77 belongs") },
    });
    expect(textOf(answers()[1] as never)).toBe("slow done");
    expect(textOf((await peer.call("small")) as never)).toBe("small");
  });
});
