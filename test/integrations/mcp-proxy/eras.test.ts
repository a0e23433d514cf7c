import { realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { afterEach, describe, expect, test, vi } from "vitest";
import { PROJECT } from "../../support/build.ts";
import { type Listening, listenOn } from "../../support/listen-on.ts";
import {
  type ClientKind,
  connectClient,
  connectHttp,
  EVERYTHING,
  HOSTILE,
  MODERN,
  proxyArgs,
  RawPeer,
  spillwayArgs,
  temporaryRoot,
} from "../../support/mcp-peers.ts";

// biome-ignore lint/suspicious/noExplicitAny: answers are read field by field.
type Json = any;

const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

function keep<T extends { close(): Promise<unknown> }>(each: T): T {
  open.push(each);
  return each;
}

const SERVERS = { "the handshake": HOSTILE, "2026-07-28 only": MODERN } as const;
const CLIENTS: readonly ClientKind[] = ["v1", "v2", "v2-auto", "v2-modern"];
const PAIRS = CLIENTS.flatMap((client) => Object.entries(SERVERS).map(([era, server]) => ({ client, era, server })));

async function exercise(client: Client, server: string, kind: ClientKind): Promise<void> {
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names).toContain("spillway_read");
  const whole = (await client.callTool({ name: "lines", arguments: { count: 2 } })) as Json;
  expect(whole.content).toEqual([{ type: "text", text: "line 1 of the output\nline 2 of the output" }]);
  const cut = (await client.callTool({ name: "lines", arguments: { count: 30_000 } })) as Json;
  const id = cut._meta["spillway/truncation"].artifact_id;
  const page = (await client.callTool({ name: "spillway_read", arguments: { id, offset: 29_999, limit: 1 } })) as Json;
  expect(page.content[0].text).toContain("line 29999 of the output");
  const question = {
    method: "elicitation/create",
    params: {
      mode: "form",
      message: "Name?",
      requestedSchema: { type: "object", properties: { name: { type: "string" } } },
    },
  };
  const asked = (await client.callTool({ name: "ask", arguments: server === HOSTILE ? question : {} })) as Json;
  expect(asked.content[0].text).toContain("Ada");
  let progress = 0;
  const slow = server === HOSTILE ? { name: "slow", arguments: { steps: 3 } } : { name: "progress", arguments: {} };
  // The official clients drop progress that comes in one read with the answer, so one call may be too few.
  for (let attempt = 0; attempt < 5 && progress === 0; attempt += 1) {
    const options = { onprogress: () => progress++ };
    // The v1 client takes a result schema in between.
    await (client.callTool as Json)(slow, ...(kind === "v1" ? [undefined] : []), options);
  }
  expect(progress).toBeGreaterThan(0);
  await expect(client.callTool({ name: "no_such_tool", arguments: {} })).rejects.toThrow();
}

describe("stdio on both sides", () => {
  test.each(PAIRS)("client $client, server of $era", async ({ client: kind, server }) => {
    const client = keep(await connectClient(kind, await proxyArgs(temporaryRoot(), [server])));
    await exercise(client, server, kind);
  });

  test.each(["2025-06-18", "2025-11-25"])("a client of %s gets the version it asked for", async (version) => {
    for (const server of [HOSTILE, MODERN]) {
      const peer = keep(new RawPeer(await proxyArgs(temporaryRoot(), [server])));
      const answer = await peer.initialize(version);
      expect(answer.result.protocolVersion).toBe(version);
      expect(answer.result.capabilities.resources).toBeDefined();
    }
  });
});

describe("Streamable HTTP", () => {
  test.each<ClientKind>(["v2", "v2-auto", "v2-modern"])(
    "downstream, client %s, over a stdio server of either era",
    async (kind) => {
      for (const server of [HOSTILE, MODERN]) {
        const proxy = keep(
          await listenOn(await proxyArgs(temporaryRoot(), [server], ["--listen", "127.0.0.1:0", "--no-token"])),
        );
        const client = keep(await connectHttp(kind, proxy.url));
        await exercise(client, server, kind);
      }
    },
  );

  test("upstream of 2026-07-28, for clients of both eras", async () => {
    const server = keep(await listenOn([MODERN, "--http"]));
    for (const kind of ["v2", "v2-modern"] as const) {
      const args = await spillwayArgs("proxy", "--root", temporaryRoot(), "--url", server.url);
      const client = keep(await connectClient(kind, args));
      await exercise(client, MODERN, kind);
    }
  });

  test("upstream with sessions: server-everything, large answers included", async () => {
    const server = keep(await startEverything());
    const args = await spillwayArgs("proxy", "--root", temporaryRoot(), "--url", server.url);
    for (const kind of ["v2", "v2-modern"] as const) {
      const client = keep(await connectClient(kind, args));
      const message = "a long row of text\n".repeat(60_000);
      const cut = (await client.callTool({ name: "echo", arguments: { message } })) as Json;
      expect(cut._meta["spillway/truncation"].original_bytes).toBe(Buffer.byteLength(`Echo: ${message}`));
      const sampled = (await client.callTool({
        name: "trigger-sampling-request",
        arguments: { prompt: "hi", maxTokens: 5 },
      })) as Json;
      expect(JSON.stringify(sampled.content)).toContain("sampled");
    }
  });

  test("two clients at once do not see each other's answers", async () => {
    const proxy = keep(
      await listenOn(await proxyArgs(temporaryRoot(), [HOSTILE], ["--listen", "127.0.0.1:0", "--no-token"])),
    );
    const clients = await Promise.all(
      (["v2", "v2-modern", "v2-modern"] as const).map((kind) => connectHttp(kind, proxy.url)),
    );
    for (const client of clients) keep(client);
    const answers = await Promise.all(
      clients.flatMap((client, index) =>
        [1, 2, 3].map((round) => client.callTool({ name: "echo", arguments: { value: `${index}-${round}` } })),
      ),
    );
    expect(answers.map((answer: Json) => answer.content[0].text)).toEqual([
      "0-1",
      "0-2",
      "0-3",
      "1-1",
      "1-2",
      "1-3",
      "2-1",
      "2-2",
      "2-3",
    ]);
  });
});

describe("the era of the server stays what it is", () => {
  const FILESYSTEM = join(PROJECT, "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js");
  const discover = async (peer: RawPeer) => {
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": { roots: {} },
      "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
    };
    return peer.request("server/discover", { _meta: meta }) as Promise<Json>;
  };

  test.each([HOSTILE, FILESYSTEM, EVERYTHING])(
    "an older one refuses server/discover as it does alone: %s",
    async (server) => {
      const args = [server, ...(server === FILESYSTEM ? [temporaryRoot()] : [])];
      const alone = keep(new RawPeer(args));
      const proxied = keep(new RawPeer(await proxyArgs(temporaryRoot(), args)));
      const { error } = await discover(alone);
      expect(error.code).toBe(-32_601);
      expect((await discover(proxied)).error).toEqual(error);
      expect((await discover(proxied)).error).toEqual(error);
      expect((await proxied.initialize("2025-11-25")).result.protocolVersion).toBe("2025-11-25");
    },
  );

  test("one that leaves server/discover unanswered does not know it", async () => {
    const script = `
      process.stdin.on("data", (chunk) => {
        for (const line of String(chunk).split("\\n").filter(Boolean)) {
          const { id, method } = JSON.parse(line);
          const result = method === "ping" ? {} : { protocolVersion: "2025-06-18", capabilities: {}, serverInfo: { name: "mute", version: "1" } };
          if (method === "ping" || method === "initialize") console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
        }
      });`;
    const peer = keep(new RawPeer(await proxyArgs(temporaryRoot(), ["-e", script])));
    expect((await discover(peer)).error.code).toBe(-32_601);
    expect((await peer.initialize("2025-06-18")).result.serverInfo.name).toBe("mute");
  });

  test.each<ClientKind>(["v1", "v2", "v2-auto"])(
    "client %s: the server asks for roots and uses them, as without the proxy",
    async (kind) => {
      const allowed = async (args: readonly string[]): Promise<string> => {
        const client = keep(await connectClient(kind, args));
        const told = async (): Promise<string> =>
          ((await client.callTool({ name: "list_allowed_directories", arguments: {} })) as Json).content[0].text;
        await vi.waitFor(async () => expect((await told()).split("\n")).toContain(realpathSync(tmpdir())), 10_000);
        return told();
      };
      const start = temporaryRoot();
      const alone = await allowed([FILESYSTEM, start]);
      expect(alone).not.toContain(start);
      expect(await allowed(await proxyArgs(temporaryRoot(), [FILESYSTEM, start]))).toBe(alone);
    },
  );

  test("a client that takes 2026-07-28 only is refused by an older server, as without the proxy", async () => {
    await expect(connectClient("v2-pinned", [HOSTILE])).rejects.toThrow();
    await expect(connectClient("v2-pinned", await proxyArgs(temporaryRoot(), [HOSTILE]))).rejects.toThrow();
    const client = keep(await connectClient("v2-pinned", await proxyArgs(temporaryRoot(), [MODERN])));
    expect((await client.listTools()).tools.length).toBeGreaterThan(3);
  });
});

describe("--listen", () => {
  test("refuses foreign Host and Origin, and asks for the token", async () => {
    const token = "a-token-of-enough-length";
    const proxy = keep(
      await listenOn(await proxyArgs(temporaryRoot(), [HOSTILE], ["--listen", "127.0.0.1:0"]), {
        SPILLWAY_TOKEN: token,
      }),
    );
    const { request } = await import("undici");
    const post = async (headers: Record<string, string>): Promise<number> => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
      const answer = await request(proxy.url, {
        method: "POST",
        body,
        headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
      });
      await answer.body.dump();
      return answer.statusCode;
    };
    const authorization = `Bearer ${token}`;
    expect(await post({})).toBe(401);
    expect(await post({ authorization: "Bearer wrong" })).toBe(401);
    expect(await post({ authorization, host: "evil.example" })).toBe(403);
    expect(await post({ authorization, origin: "https://evil.example" })).toBe(403);
    expect(await post({ authorization })).toBe(400);
    const client = keep(await connectHttp("v2", proxy.url, { authorization }));
    expect((await client.listTools()).tools.length).toBeGreaterThan(3);
  });

  test.each([
    ["proxy", () => proxyArgs(temporaryRoot(), [HOSTILE], ["--listen", "127.0.0.1:0"])],
    ["mcp", () => spillwayArgs("mcp", "--root", temporaryRoot(), "--listen", "127.0.0.1:0")],
  ])(
    "of %s prints a token of its own, new at each start, without which only the health check is answered",
    async (_command, args) => {
      const { request } = await import("undici");
      const env = { SPILLWAY_TOKEN: "" };
      const [first, second] = [keep(await listenOn(await args(), env)), keep(await listenOn(await args(), env))];
      const tokens = await Promise.all([first, second].map((server) => server.told(/Bearer ([\w-]{32,})"/)));
      expect(tokens[0]).not.toBe(tokens[1]);
      const status = async (path: string, token?: string): Promise<number> => {
        const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
        const answer = await request(new URL(path, first.url), { headers });
        await answer.body.dump();
        return answer.statusCode;
      };
      expect(await Promise.all([status("/mcp"), status("/metrics"), status("/mcp", tokens[1])])).toEqual([
        401, 401, 401,
      ]);
      expect(await status("/metrics", tokens[0])).toBe(200);
      expect(await status("/healthz")).toBe(200);
      const client = keep(await connectHttp("v2", first.url, { authorization: `Bearer ${tokens[0]}` }));
      expect((await client.listTools()).tools.length).toBeGreaterThan(3);
    },
  );

  test.each([
    [["--listen", "127.0.0.1:0", "--no-token"], { SPILLWAY_TOKEN: "a-token-of-enough-length" }, /exclude each other/],
    [["--listen", "0.0.0.0:0", "--allow-remote", "--no-token"], { SPILLWAY_TOKEN: "" }, /needs a token/],
    [["--listen", "0.0.0.0:0"], {}, /not a loopback address/],
    [["--listen", "0.0.0.0:0", "--allow-remote"], { SPILLWAY_TOKEN: "" }, /needs a token/],
    [["--listen", "nonsense"], {}, /HOST:PORT/],
  ])("%s is a usage error", async (flags, env, message) => {
    await expect(
      listenOn(await proxyArgs(temporaryRoot(), [HOSTILE], flags), env as Record<string, string>),
    ).rejects.toThrow(message);
  });
});

/** server-everything over Streamable HTTP, on a port that the system chooses and on this machine only. */
function startEverything(): Promise<Listening> {
  const script = `
    import { Server } from "node:net";
    const { listen } = Server.prototype;
    Server.prototype.listen = function (port, ...rest) {
      this.once("listening", () => console.error(\`http://127.0.0.1:\${this.address().port}/mcp\`));
      return listen.call(this, 0, "127.0.0.1", ...rest);
    };
    process.argv[2] = "streamableHttp";
    await import(${JSON.stringify(EVERYTHING)});`;
  return listenOn(["--input-type=module", "-e", script, "everything"]);
}
