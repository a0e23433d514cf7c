import type { Client } from "@modelcontextprotocol/client";
import { afterEach, describe, expect, test } from "vitest";
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
const CLIENTS: readonly ClientKind[] = ["v1", "v2", "v2-modern"];
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
  test.each<ClientKind>(["v2", "v2-modern"])(
    "downstream, client %s, over a stdio server of either era",
    async (kind) => {
      for (const server of [HOSTILE, MODERN]) {
        const proxy = keep(await listenOn(await proxyArgs(temporaryRoot(), [server], ["--listen", "127.0.0.1:0"])));
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
    const proxy = keep(await listenOn(await proxyArgs(temporaryRoot(), [HOSTILE], ["--listen", "127.0.0.1:0"])));
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
