import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { NodeStreamableHTTPServerTransport } from "@modelcontextprotocol/node";
import {
  classifyInboundRequest,
  isInitializeRequest,
  isJsonContentType,
  type JSONRPCMessage,
} from "@modelcontextprotocol/server";
import { isObject } from "../../../bytes/json/is-object.ts";
import { MODERN_VERSION, readEnvelope } from "../../mcp-shared/era.ts";
import { readJsonBody, sendJson, sendWebResponse } from "../../mcp-shared/http-body.ts";
import type { ListenHandler } from "../../mcp-shared/http-listener.ts";
import {
  CONNECTION_CLOSED,
  createError,
  decodeHeaderValue,
  type Frame,
  isRequest,
  isRpcMessage,
  PARSE_ERROR,
  type RequestId,
  type RpcMessage,
  readMeta,
  UNSUPPORTED_VERSION,
} from "../../mcp-shared/json-rpc.ts";
import type { ProxySession } from "../session/session.ts";
import { type ClientPort, RecentEvents } from "./client-port.ts";
import { ModernExchanges } from "./modern-exchanges.ts";
import { Places } from "./places.ts";

const HEADER_MISMATCH = -32020;
/** The value that the header `Mcp-Name` repeats, by method. */
const NAMED_BY: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
};

/** The error for a protocol version that the proxy does not speak; undefined for a known one. */
export function refuseVersion(message: RpcMessage): RpcMessage | undefined {
  const requested = readEnvelope(message.params)?.version;
  if (!isRequest(message) || requested === undefined || requested === MODERN_VERSION) return undefined;
  return createError(message.id, UNSUPPORTED_VERSION, `Unsupported protocol version ${JSON.stringify(requested)}`, {
    supported: [MODERN_VERSION],
    requested,
  });
}

/** The error for a modern request whose headers contradict its body; undefined if they agree. */
export function checkHeaders(message: RpcMessage, headers: IncomingHttpHeaders): RpcMessage | undefined {
  if (!isRequest(message)) return undefined;
  const refuse = (header: string, why: string): RpcMessage =>
    createError(message.id, HEADER_MISMATCH, `Bad Request: headers and body disagree: ${header} ${why}`, {
      mismatch: { header, body: why },
    });
  if (headers["mcp-protocol-version"] === undefined) return refuse("MCP-Protocol-Version", "is absent");
  if (headers["mcp-method"] === undefined) return refuse("Mcp-Method", "is absent");
  const key = Object.hasOwn(NAMED_BY, message.method) ? NAMED_BY[message.method]! : undefined;
  const named = key === undefined ? undefined : message.params?.[key];
  if (typeof named !== "string") return undefined;
  const header = headers["mcp-name"];
  if (typeof header !== "string") return refuse("Mcp-Name", "is absent");
  const decoded = decodeHeaderValue(header.trim());
  if (decoded === undefined) return refuse("Mcp-Name", "is not base64");
  return decoded === named ? undefined : refuse("Mcp-Name", `names another ${key} than the body`);
}

/** The headers of a request that repeat arguments of a call, for the server behind. */
export function paramHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const entries = Object.entries(headers).filter(([name]) => name.startsWith("mcp-param-"));
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}

/** The client's open request that a server's message belongs to; the message goes out on that request's stream. */
export class RequestRoutes {
  readonly #tokens = new Map<unknown, RequestId>();
  #calls: RequestId[] = [];

  note(message: RpcMessage): void {
    // A cancelled request gets no answer, and nothing more on its stream.
    if (message.method === "notifications/cancelled") this.#forget(message.params?.requestId);
    if (!isRequest(message)) return;
    this.#calls.push(message.id);
    const { progressToken } = readMeta(message.params);
    if (progressToken !== undefined) this.#tokens.set(progressToken, message.id);
  }

  optionsFor(message: RpcMessage): { relatedRequestId?: RequestId } {
    if (message.method === undefined) {
      this.#forget(message.id);
      return {};
    }
    const byToken =
      message.method === "notifications/progress" ? this.#tokens.get(message.params?.progressToken) : undefined;
    // A question or log line during a call belongs to that call; changes of lists belong to no request.
    const related =
      byToken ??
      (message.method.endsWith("list_changed") || message.method.endsWith("/updated") ? undefined : this.#calls.at(-1));
    return related === undefined ? {} : { relatedRequestId: related };
  }

  #forget(request: unknown): void {
    this.#calls = this.#calls.filter((id) => id !== request);
    for (const [token, id] of this.#tokens) if (id === request) this.#tokens.delete(token);
  }
}

export interface ServeHttpOptions {
  readonly openSession: (client: ClientPort) => ProxySession;
  readonly maxBodyBytes: number;
  /** Upper bound of sessions at a time: each has its own server. */
  readonly maxSessions: number;
}

interface HttpSession {
  readonly transport: NodeStreamableHTTPServerTransport;
  readonly session: ProxySession;
  /** Requests and streams of the client that are open. */
  open: number;
  /** The protocol version of its last request. */
  version: string;
  idle: NodeJS.Timeout | undefined;
}

/** The id for errors about requests without a readable id, as JSON-RPC requires. */
const NO_ID = null as unknown as RequestId;
/** Delay before a client with a closed stream reconnects. */
const RETRY_MS = 1000;
/** Clients of earlier versions do not know that they should. */
const FIRST_VERSION_WITH_POLLING = "2025-11-25";
/** A session without open streams for this long is ended, with its server. */
const IDLE_MS = 30 * 60_000;

/** Serves Streamable HTTP: handshake sessions have their own upstream, modern requests share one per identity. */
export class HttpClients {
  readonly #options: ServeHttpOptions;
  readonly #sessions = new Map<string, HttpSession>();
  readonly #places: Places;
  readonly #modern: ModernExchanges;

  constructor(options: ServeHttpOptions) {
    this.#options = options;
    this.#places = new Places(options.maxSessions);
    this.#modern = new ModernExchanges(options.openSession, this.#places);
  }

  readonly handle: ListenHandler = async (request, response) => {
    let body: unknown;
    if (request.method === "POST") {
      if (!isJsonContentType(request.headers["content-type"] ?? "")) {
        sendJson(response, 415, createError(NO_ID, CONNECTION_CLOSED, "Content-Type must be application/json"));
        return;
      }
      const read = await readJsonBody(request, this.#options.maxBodyBytes);
      if ("problem" in read) {
        sendJson(response, read.status, createError(NO_ID, PARSE_ERROR, read.problem));
        return;
      }
      body = read.value;
    }
    const route = classifyInboundRequest({ httpMethod: request.method ?? "GET", body, ...routingHeaders(request) });
    if (route.kind === "legacy") await this.#legacy(request, response, body);
    else if (route.kind === "reject")
      sendJson(response, route.httpStatus, createError(idOf(body), route.code, route.message, route.data));
    else {
      const message = body as RpcMessage;
      const refusal = refuseVersion(message) ?? checkHeaders(message, request.headers);
      if (refusal) return sendJson(response, 400, refusal);
      const onClosed = (listener: () => void): void => void response.on("close", listener);
      const answer = await this.#modern.handle(message, route, paramHeaders(request.headers), onClosed);
      if (answer === "too many") this.#refuse(response, body);
      else await sendWebResponse(response, answer);
    }
  };

  #refuse(response: ServerResponse, body: unknown): void {
    response.setHeader("Retry-After", "30");
    const reason = `The proxy serves ${this.#options.maxSessions} sessions already, each with its own server; end one, or try again later`;
    sendJson(response, 503, createError(idOf(body), CONNECTION_CLOSED, reason));
  }

  async close(): Promise<void> {
    await Promise.all(
      [...this.#sessions.values()].map(({ transport, session }) => Promise.all([transport.close(), session.close()])),
    );
    await this.#modern.close();
  }

  async #legacy(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> {
    const id = request.headers["mcp-session-id"];
    const known = typeof id === "string" ? this.#sessions.get(id) : undefined;
    if (known) {
      await this.#serve(known, request, response, body);
      return;
    }
    if (id !== undefined || !isInitializeRequest(body)) {
      const status = id === undefined ? 400 : 404;
      sendJson(
        response,
        status,
        createError(
          idOf(body),
          CONNECTION_CLOSED,
          id === undefined ? "Open with initialize first" : "Session not found",
        ),
      );
      return;
    }
    if (!this.#places.take()) return this.#refuse(response, body);
    await this.#serve(this.#open(), request, response, body);
  }

  async #serve(opened: HttpSession, request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> {
    clearTimeout(opened.idle);
    opened.open += 1;
    const version = request.headers["mcp-protocol-version"];
    if (typeof version === "string") opened.version = version;
    response.on("close", () => {
      opened.open -= 1;
      if (opened.open > 0) return;
      opened.idle = setTimeout(() => void opened.transport.close(), IDLE_MS);
      opened.idle.unref();
    });
    await opened.transport.handleRequest(request, response, body);
  }

  #open(): HttpSession {
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      eventStore: new RecentEvents(),
      retryInterval: RETRY_MS,
      onsessioninitialized: (id) => void this.#sessions.set(id, opened),
    });
    const routes = new RequestRoutes();
    const session = this.#options.openSession({
      send: (frame) =>
        void transport.send(frame.message as JSONRPCMessage, routes.optionsFor(frame.message)).catch(() => {}),
      sendLarge: async (message) => {
        const parsed = await message.parse();
        await transport.send(parsed as JSONRPCMessage, routes.optionsFor(parsed)).catch(() => {});
      },
      closeStream: (id) => {
        if (opened.version >= FIRST_VERSION_WITH_POLLING) transport.closeSSEStream(id);
      },
    });
    transport.onmessage = (message) => {
      const frame: Frame = { message: message as unknown as RpcMessage };
      if (!isRpcMessage(frame.message)) return;
      routes.note(frame.message);
      session.fromClient(frame);
    };
    transport.onclose = () => {
      if (transport.sessionId !== undefined) this.#sessions.delete(transport.sessionId);
      clearTimeout(opened.idle);
      void session.close().finally(() => this.#places.give());
    };
    const opened: HttpSession = { transport, session, open: 0, version: "", idle: undefined };
    void session.start();
    return opened;
  }
}

function idOf(body: unknown): RequestId {
  const id = isObject(body) ? body.id : undefined;
  return typeof id === "string" || typeof id === "number" ? id : NO_ID;
}

function routingHeaders(request: IncomingMessage): {
  protocolVersionHeader?: string;
  mcpMethodHeader?: string;
  mcpNameHeader?: string;
} {
  const { "mcp-protocol-version": version, "mcp-method": method, "mcp-name": name } = request.headers;
  return {
    ...(typeof version === "string" ? { protocolVersionHeader: version } : {}),
    ...(typeof method === "string" ? { mcpMethodHeader: method } : {}),
    ...(typeof name === "string" ? { mcpNameHeader: name } : {}),
  };
}
