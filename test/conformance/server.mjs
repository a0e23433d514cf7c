// What the conformance suite asks a server for, over HTTP and in both eras, by the official SDK's own transports.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import {
  hostHeaderValidation,
  NodeStreamableHTTPServerTransport,
  originValidation,
  toNodeHandler,
} from "@modelcontextprotocol/node";
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  ProtocolError,
  Server,
} from "@modelcontextprotocol/server";
import { CAPABILITIES, METHODS, SERVER_INFO } from "../support/conformance-tables.mjs";

const MODERN_METHODS = [
  "completion/complete",
  "tools/list",
  "tools/call",
  "prompts/list",
  "prompts/get",
  "resources/list",
  "resources/templates/list",
  "resources/read",
];
const NAMES = ["localhost", "127.0.0.1", "[::1]"];
const sessions = new Map();

const modern = toNodeHandler(
  createMcpHandler(() => {
    const { logging: _, ...capabilities } = CAPABILITIES;
    const server = new Server(SERVER_INFO, { capabilities });
    for (const method of MODERN_METHODS)
      server.setRequestHandler(method, async ({ params }, context) => {
        const result = await METHODS[method](params ?? {}, {
          notify: (name, value) => void context.mcpReq.notify({ method: name, params: value }),
          ask: () => Promise.reject(new Error("Nobody can be asked here")),
        });
        if (method === "resources/read" && result.contents.some(({ mimeType }) => mimeType === undefined))
          throw new ProtocolError(-32602, "Resource not found", { uri: params.uri });
        return result;
      });
    return server;
  }),
);

const checkHost = hostHeaderValidation(NAMES);
const checkOrigin = originValidation(NAMES);
const server = createServer(async (request, response) => {
  if (!checkHost(request, response) || !checkOrigin(request, response)) return;
  const body = request.method === "POST" ? await readJson(request) : undefined;
  const web = new Request(`http://localhost${request.url}`, {
    method: request.method,
    headers: Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  });
  if (!(await isLegacyRequest(web, body))) return modern(request, response, body);
  const id = request.headers["mcp-session-id"];
  const transport = sessions.get(id) ?? (id === undefined && isInitializeRequest(body) ? openSession() : undefined);
  if (transport) return transport.handleRequest(request, response, body);
  response.writeHead(id === undefined ? 400 : 404, { "content-type": "application/json" });
  response.end(
    JSON.stringify({ jsonrpc: "2.0", id: body?.id ?? null, error: { code: -32000, message: "No session" } }),
  );
});

function openSession() {
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    onsessioninitialized: (id) => void sessions.set(id, transport),
    eventStore: createEventStore(),
    retryInterval: 500,
  });
  const waiting = new Map();
  transport.onclose = () => sessions.delete(transport.sessionId);
  transport.onmessage = async ({ id, method, params = {}, result, error }) => {
    if (method === undefined) {
      if (error) waiting.get(id)?.reject(new Error(error.message));
      else waiting.get(id)?.resolve(result);
      return;
    }
    if (id === undefined) return;
    const send = (message) => transport.send({ jsonrpc: "2.0", ...message }, { relatedRequestId: id });
    const extra = {
      notify: (name, value) => void send({ method: name, params: value }),
      ask: (name, value) =>
        new Promise((resolve, reject) => {
          const question = `ask-${id}-${waiting.size + 1}`;
          waiting.set(question, { resolve, reject });
          void send({ id: question, method: name, params: value });
        }),
      closeStream: () => transport.closeSSEStream(id),
    };
    if (METHODS[method]) await transport.send({ jsonrpc: "2.0", id, result: await METHODS[method](params, extra) });
    else await transport.send({ jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } });
  };
  return transport;
}

function createEventStore() {
  const events = [];
  return {
    storeEvent: async (stream, message) => `${stream}_${events.push({ stream, message })}`,
    getStreamIdForEventId: async (id) => id.slice(0, id.lastIndexOf("_")),
    replayEventsAfter: async (id, { send }) => {
      const stream = id.slice(0, id.lastIndexOf("_"));
      for (const [at, event] of events.entries())
        if (at >= Number(id.slice(stream.length + 1)) && event.stream === stream && event.message.jsonrpc)
          await send(`${stream}_${at + 1}`, event.message);
      return stream;
    },
  };
}

async function readJson(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    return undefined;
  }
}

server.listen(Number(process.env.PORT ?? 0), "127.0.0.1", () =>
  console.error(`listening on http://127.0.0.1:${server.address().port}/mcp`),
);
