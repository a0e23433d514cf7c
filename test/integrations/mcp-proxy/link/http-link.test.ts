import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { createSpillway } from "../../../../src/index.ts";
import { createHttpLinks } from "../../../../src/integrations/mcp-proxy/link/http-link.ts";
import type { Link } from "../../../../src/integrations/mcp-proxy/link/link.ts";
import { createInlineSpool } from "../../../../src/integrations/mcp-proxy/spool/create-spool.ts";
import type { RpcMessage } from "../../../../src/integrations/mcp-shared/json-rpc.ts";
import { temporaryRoot } from "../../../support/mcp-peers.ts";

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

/** A server that asks on its own stream, and loses the question when that is not open, as the official ones do. */
class AskingServer {
  readonly #server: Server;
  /** Streams that the proxy asked for, and the server has not opened yet. */
  readonly wanted: ServerResponse[] = [];
  /** Leaves the end of the session without an answer. */
  hangs = false;
  #stream: ServerResponse | undefined;

  constructor() {
    this.#server = createServer(async (request, response) => {
      if (request.method === "GET") {
        this.wanted.push(response);
        return;
      }
      if (this.hangs && request.method === "DELETE") return;
      const message: RpcMessage = request.method === "POST" ? JSON.parse(await text(request)) : {};
      if (message.id === undefined) {
        response.writeHead(202).end();
        return;
      }
      const result = message.method === "initialize" ? { protocolVersion: "2025-11-25" } : {};
      if (message.method === "tools/call") this.#say({ id: `ask-${message.id}`, method: "roots/list" });
      response.writeHead(200, { "content-type": "application/json", "mcp-session-id": "one" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, result }));
    });
  }

  async listen(): Promise<URL> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return new URL(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/mcp`);
  }

  openStream(): void {
    this.#stream = this.wanted.shift()?.writeHead(200, { "content-type": "text/event-stream" });
    this.#stream?.flushHeaders();
  }

  endStream(): void {
    this.#stream?.end();
    this.#stream = undefined;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #say(message: object): void {
    this.#stream?.write(`data: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`);
  }
}

async function connect(server: AskingServer): Promise<{ link: Link; questions: unknown[] }> {
  open.push(server);
  const questions: unknown[] = [];
  const folder = temporaryRoot();
  const openLink = createHttpLinks({
    url: await server.listen(),
    headers: {},
    spool: createInlineSpool(createSpillway({ root: folder }), { folder, maxMessageBytes: 1e9 }),
    report: () => {},
  });
  const link = await openLink({
    onFrame: ({ message }) => {
      if (message.method !== undefined) questions.push(message.id);
    },
    onLarge: () => {},
    expected: () => [],
    onDown: () => {},
  });
  open.push(link);
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };
  await link.send({ message: { jsonrpc: "2.0", id: "init", method: "initialize", params } });
  await link.send({ message: { jsonrpc: "2.0", method: "notifications/initialized" } });
  return { link, questions };
}

const call = (id: number) => ({ message: { jsonrpc: "2.0" as const, id, method: "tools/call", params: {} } });

/** Asked for while no stream is open; a proxy that does not wait would send it now, and the question would be lost. */
async function callBeforeStream(server: AskingServer, link: Link, id: number): Promise<void> {
  await expect.poll(() => server.wanted.length).toBe(1);
  const answered = link.send(call(id));
  await setTimeout(100);
  server.openStream();
  await answered;
}

test("the first request waits until the server can ask", async () => {
  const server = new AskingServer();
  const { link, questions } = await connect(server);
  await callBeforeStream(server, link, 1);
  await expect.poll(() => questions).toEqual(["ask-1"]);
});

test("so does one that comes while the server's stream is opened again", async () => {
  const server = new AskingServer();
  const { link, questions } = await connect(server);
  await callBeforeStream(server, link, 1);
  await expect.poll(() => questions).toEqual(["ask-1"]);
  // A stream that ends sooner is none that the server means to use.
  await setTimeout(300);
  server.endStream();
  await callBeforeStream(server, link, 2);
  await expect.poll(() => questions).toEqual(["ask-1", "ask-2"]);
});

test("a server that does not answer to the end of its session is not waited for", async () => {
  const server = new AskingServer();
  const { link } = await connect(server);
  open.pop();
  server.hangs = true;
  await link.close();
});
