import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listenOn } from "../../../support/listen-on.ts";
import { HOSTILE, proxyArgs, temporaryRoot } from "../../../support/mcp-peers.ts";

const VERSION = "2026-07-28";

interface Asked {
  readonly id?: number;
  readonly params?: Record<string, unknown>;
  readonly version?: string;
  readonly headers?: Record<string, string | undefined>;
}

let server: Awaited<ReturnType<typeof listenOn>>;

beforeAll(async () => {
  server = await listenOn(
    await proxyArgs(temporaryRoot(), [HOSTILE], ["--listen", "127.0.0.1:0", "--no-token", "--max-sessions", "2"]),
  );
});
afterAll(() => server.close());

function post(body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const all = { "Content-Type": "application/json", Accept: "application/json, text/event-stream", ...headers };
  return fetch(server.url, { method: "POST", headers: all, body: JSON.stringify(body) });
}

/** A request of 2026-07-28, with the headers that it needs unless they are given as undefined. */
function ask(method: string, { id = 7, params = {}, version = VERSION, headers = {} }: Asked = {}): Promise<Response> {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": version,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  };
  const all = { "MCP-Protocol-Version": version, "Mcp-Method": method, ...headers };
  const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return post({ jsonrpc: "2.0", id, method, params: { ...params, _meta } }, Object.fromEntries(given));
}

describe("over HTTP, a request of 2026-07-28", () => {
  test("of a version that nobody speaks is refused with 400, its own id and what is spoken", async () => {
    const response = await ask("tools/list", { version: "2099-01-01" });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      id: 7,
      error: { code: -32022, data: { supported: [VERSION], requested: "2099-01-01" } },
    });
  });

  test("for a method that the server does not have gets 404 and the error", async () => {
    const response = await ask("no/such", { id: 8 });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ id: 8, error: { code: -32601 } });
  });

  test.each([
    ["no method header", "tools/list", {}, { "Mcp-Method": undefined }],
    ["no name header", "tools/call", { name: "small" }, {}],
    ["the name of another tool", "tools/call", { name: "small" }, { "Mcp-Name": "large" }],
    ["a name that is no base64", "tools/call", { name: "small" }, { "Mcp-Name": "=?base64?!?=" }],
  ])("with %s is refused", async (_, method, params, headers) => {
    const response = await ask(method, { params, headers });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ id: 7, error: { code: -32020 } });
  });

  test("with its name in base64 is served", async () => {
    const name = `=?base64?${Buffer.from("small").toString("base64")}?=`;
    const response = await ask("tools/call", { params: { name: "small" }, headers: { "Mcp-Name": name } });
    expect(await response.json()).toMatchObject({ id: 7, result: { resultType: "complete" } });
  });

  test("that listens is acknowledged at once, by the id that it has", async () => {
    const response = await ask("subscriptions/listen", {
      id: 11,
      params: { notifications: { toolsListChanged: true } },
    });
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    const reader = response.body!.getReader();
    const first = new TextDecoder().decode((await reader.read()).value);
    expect(first).toContain("notifications/subscriptions/acknowledged");
    expect(first).toContain('"io.modelcontextprotocol/subscriptionId":11');
    await reader.cancel();
  });
});

describe("over HTTP, a session of the handshake eras", () => {
  const initialize = {
    jsonrpc: "2.0",
    id: 3,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
  };

  test("is one of so many; one too many gets 503, its own id and the reason, until one ends", async () => {
    // The requests above have a session of their own.
    const first = await post(initialize);
    const session = first.headers.get("mcp-session-id")!;
    expect(await first.text()).toMatch(/^id: .*\nretry: 1000\ndata: \n\n/);
    const refused = await post({ ...initialize, id: 4 });
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).toBe("30");
    expect(await refused.json()).toMatchObject({ id: 4, error: { message: expect.stringContaining("2 sessions") } });
    await fetch(server.url, {
      method: "DELETE",
      headers: { "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" },
    });
    await expect.poll(async () => (await post(initialize)).status, { timeout: 20_000 }).toBe(200);
  });

  test("errors answer with the request's own id", async () => {
    const response = await post({ jsonrpc: "2.0", id: 42, method: "tools/list" });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ id: 42 });
    const lost = await post({ jsonrpc: "2.0", id: 43, method: "tools/list" }, { "mcp-session-id": "gone" });
    expect(lost.status).toBe(404);
    expect(await lost.json()).toMatchObject({ id: 43 });
  });
});

test("a server that refuses the version of 2026-07-28 says so to who asks, and is opened with the one that it names", async () => {
  const root = temporaryRoot();
  const script = join(root, "old-server.mjs");
  writeFileSync(
    script,
    `import { createInterface } from "node:readline";
    createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method, params } = JSON.parse(line);
      if (id === undefined) return;
      const answer =
        method === "initialize"
          ? { result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "old", version: params.protocolVersion } } }
          : method === "tools/list"
            ? { result: { tools: [{ name: "t", inputSchema: { type: "object" } }] } }
            : { error: { code: -32022, message: "Unsupported protocol version", data: { supported: ["2025-06-18", "2024-11-05"] } } };
      process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...answer }) + "\\n");
    });`,
  );
  const old = server;
  server = await listenOn(await proxyArgs(root, [script], ["--listen", "127.0.0.1:0", "--no-token"]));
  try {
    const refused = (await (await ask("server/discover")).json()) as { error: unknown };
    const data = { supported: ["2025-06-18", "2024-11-05"] };
    expect(refused.error).toEqual({ code: -32_022, message: "Unsupported protocol version", data });
    const listed = (await (await ask("tools/list")).json()) as {
      result: { tools: { name: string }[]; _meta: Record<string, { version: string }> };
    };
    expect(listed.result.tools.map(({ name }) => name)).toContain("t");
  } finally {
    await server.close();
    server = old;
  }
});
