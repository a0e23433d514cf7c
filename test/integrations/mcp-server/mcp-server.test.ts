import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { validateToolResponse } from "../../../src/protocol/index.ts";
import { listenOn } from "../../support/listen-on.ts";
import { type ClientKind, connectClient, connectHttp, spillwayArgs, temporaryRoot } from "../../support/mcp-peers.ts";

// biome-ignore lint/suspicious/noExplicitAny: answers are read field by field.
type Json = any;

const READ_ONLY = ["LS", "Glob", "Grep", "Read", "WebFetch", "Explore", "spillway_read"];

function createProject(): string {
  const root = temporaryRoot();
  mkdirSync(join(root, "src"));
  writeFileSync(join(root, "src", "main.ts"), "export const answer = 42;\n");
  writeFileSync(
    join(root, "big.log"),
    Array.from({ length: 30_000 }, (_, at) => (at === 20_000 ? "FATAL disk is full" : `row ${at}`)).join("\n"),
  );
  return root;
}

describe.each<ClientKind>(["v1", "v2", "v2-modern"])("spillway mcp, client %s", (kind) => {
  const root = createProject();
  let client: Json;
  beforeAll(async () => {
    client = await connectClient(kind, await spillwayArgs("mcp", "--root", root));
  });
  afterAll(() => client.close());

  test("offers tools that only read, with annotations that say so", async () => {
    const { tools } = await client.listTools();
    const names = tools.map(({ name }: Json) => name);
    expect(names).toEqual(expect.arrayContaining(READ_ONLY));
    expect(names).not.toEqual(expect.arrayContaining(["Write"]));
    expect(names).not.toEqual(expect.arrayContaining(["Bash"]));
    for (const { annotations, inputSchema } of tools) {
      expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
      expect(inputSchema.type).toBe("object");
    }
    expect(tools.find(({ name }: Json) => name === "WebFetch").annotations.openWorldHint).toBe(true);
  });

  test("answers with envelopes, confined to the root", async () => {
    const read = await client.callTool({ name: "Read", arguments: { path: "src/main.ts" } });
    const envelope = JSON.parse(read.content[0].text);
    expect(validateToolResponse(envelope)).toMatchObject({ ok: true });
    expect(envelope.data.content).toContain("answer = 42");
    const outside = await client.callTool({ name: "Read", arguments: { path: "../../etc/passwd" } });
    expect(outside.isError).toBe(true);
    expect(JSON.parse(outside.content[0].text).error.code).toBe("ACCESS_DENIED");
    await expect(client.callTool({ name: "Write", arguments: { path: "x", content: "y" } })).rejects.toThrow(/Write/);
  });

  test("Explore finds the place, and unknown artifacts are told as errors", async () => {
    const explored = await client.callTool({
      name: "Explore",
      arguments: { path: "big.log", question: "is the disk full" },
    });
    expect(JSON.parse(explored.content[0].text).data.evidence[0].pointer).toBe("big.log:20001");
    expect((await client.callTool({ name: "spillway_read", arguments: { id: "nope" } })).isError).toBe(true);
    expect((await client.listResourceTemplates()).resourceTemplates[0].uriTemplate).toContain("spillway://artifact/");
    await expect(client.readResource({ uri: "spillway://artifact/nope" })).rejects.toThrow(/no artifact/);
  });
});

test("--allow-write and --allow-bash add tools with true annotations; a large output is an artifact", async () => {
  const root = createProject();
  const client: Json = await connectClient(
    "v2",
    await spillwayArgs("mcp", "--root", root, "--allow-write", "--allow-bash"),
  );
  try {
    const { tools } = await client.listTools();
    const annotations = (name: string) => tools.find((tool: Json) => tool.name === name).annotations;
    expect(annotations("Write")).toMatchObject({ readOnlyHint: false, destructiveHint: true, idempotentHint: true });
    expect(annotations("Bash")).toMatchObject({ readOnlyHint: false, openWorldHint: true });
    await client.callTool({ name: "Write", arguments: { path: "new.txt", content: "written" } });
    expect(readFileSync(join(root, "new.txt"), "utf8")).toBe("written");
    const cut = await client.callTool({ name: "Bash", arguments: { command: "cat big.log" } });
    const facts = cut._meta["spillway/truncation"];
    expect(facts.original_lines).toBe(30_000);
    const id = /_([0-9a-z]{20,})\.txt$/.exec(facts.full_output_path)![1]!;
    const found = await client.callTool({ name: "spillway_read", arguments: { id, pattern: "FATAL" } });
    expect(found.content[0].text).toContain("20001:FATAL disk is full");
  } finally {
    await client.close();
  }
});

test("over HTTP, for clients of both eras", async () => {
  const server = await listenOn(
    await spillwayArgs("mcp", "--root", createProject(), "--listen", "127.0.0.1:0", "--no-token"),
  );
  try {
    for (const kind of ["v2", "v2-modern"] as const) {
      const client: Json = await connectHttp(kind, server.url);
      const listed = await client.callTool({ name: "LS", arguments: {} });
      expect(listed.content[0].text).toContain("big.log");
      await client.close();
    }
  } finally {
    await server.close();
  }
});
