import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { NodeStreamableHTTPServerTransport } from "@modelcontextprotocol/node";
import {
  classifyInboundRequest,
  isInitializeRequest,
  isJsonContentType,
  type JSONRPCMessage,
} from "@modelcontextprotocol/server";
import { readJsonBody, sendJson, sendWebResponse } from "../../mcp-shared/http-body.ts";
import type { ListenHandler } from "../../mcp-shared/http-listener.ts";
import {
  CONNECTION_CLOSED,
  createError,
  type Frame,
  isObject,
  isRpcMessage,
  PARSE_ERROR,
  type RequestId,
  type RpcMessage,
} from "../../mcp-shared/json-rpc.ts";
import type { ProxySession } from "../session.ts";
import type { ClientPort } from "./client-port.ts";
import { ModernExchanges } from "./modern-exchanges.ts";
import { RequestRoutes } from "./request-routes.ts";

export interface ServeHttpOptions {
  readonly openSession: (client: ClientPort) => ProxySession;
  readonly maxBodyBytes: number;
}

interface HttpSession {
  readonly transport: NodeStreamableHTTPServerTransport;
  readonly session: ProxySession;
  /** Requests and streams of the client that are open. */
  open: number;
  idle: NodeJS.Timeout | undefined;
}

/** A session whose client has nothing open for this long is ended, and its server with it. */
const IDLE_MS = 30 * 60_000;

/** Serves clients over Streamable HTTP: each session of the handshake eras has an upstream of its own, modern requests share one per identity. */
export class HttpClients {
  readonly #options: ServeHttpOptions;
  readonly #sessions = new Map<string, HttpSession>();
  readonly #modern: ModernExchanges;

  constructor(options: ServeHttpOptions) {
    this.#options = options;
    this.#modern = new ModernExchanges(options.openSession);
  }

  readonly handle: ListenHandler = async (request, response) => {
    let body: unknown;
    if (request.method === "POST") {
      if (!isJsonContentType(request.headers["content-type"] ?? "")) {
        sendJson(response, 415, createError(0, CONNECTION_CLOSED, "Content-Type must be application/json"));
        return;
      }
      const read = await readJsonBody(request, this.#options.maxBodyBytes);
      if ("problem" in read) {
        sendJson(response, read.status, createError(0, PARSE_ERROR, read.problem));
        return;
      }
      body = read.value;
    }
    const route = classifyInboundRequest({ httpMethod: request.method ?? "GET", body, ...routingHeaders(request) });
    if (route.kind === "legacy") await this.#legacy(request, response, body);
    else if (route.kind === "reject")
      sendJson(response, route.httpStatus, createError(idOf(body), route.code, route.message, route.data));
    else {
      const answer = this.#modern.handle(body as RpcMessage, route, (listener) => response.on("close", listener));
      await sendWebResponse(response, await answer);
    }
  };

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
        createError(0, CONNECTION_CLOSED, id === undefined ? "Open with initialize first" : "Session not found"),
      );
      return;
    }
    await this.#serve(this.#open(), request, response, body);
  }

  async #serve(opened: HttpSession, request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> {
    clearTimeout(opened.idle);
    opened.open += 1;
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
    });
    transport.onmessage = (message) => {
      const frame: Frame = { message: message as unknown as RpcMessage };
      if (!isRpcMessage(frame.message)) return;
      routes.note(frame.message);
      session.fromClient(frame);
    };
    transport.onclose = () => {
      if (transport.sessionId !== undefined) this.#sessions.delete(transport.sessionId);
      void session.close();
    };
    const opened: HttpSession = { transport, session, open: 0, idle: undefined };
    void session.start();
    return opened;
  }
}

function idOf(body: unknown): RequestId {
  const id = isObject(body) ? body.id : undefined;
  return typeof id === "string" || typeof id === "number" ? id : 0;
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
