import { setTimeout as delay } from "node:timers/promises";
import { InsufficientScopeError, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { fieldsOf, isObject } from "../../../bytes/json/is-object.ts";
import { parseJson } from "../../../bytes/json/parse-json.ts";
import { readEnvelope } from "../../mcp-shared/era.ts";
import {
  encodeHeaderValue,
  type Frame,
  isRequest,
  isRpcMessage,
  type JsonObject,
  METHOD_NOT_FOUND,
  type RequestId,
  type RpcError,
  type RpcMessage,
} from "../../mcp-shared/json-rpc.ts";
import { SavedLogin } from "../oauth/saved-login.ts";
import type { LargeArrival, LargeMessage, Spool } from "../spool/spool.ts";
import type { Link, LinkEvents, OpenLink, Report } from "./link.ts";
import { createSpoolingFetch, ServerStream, SPOOLED_KEY } from "./spooling-fetch.ts";

interface Declaration {
  readonly path: readonly string[];
  readonly header: string;
}

/** Learns from lists which arguments of a tool are repeated in headers, as servers of 2026-07-28 may require. */
class ParamHeaders {
  readonly #declared = new Map<string, readonly Declaration[]>();

  /** Reads a result that may be a page of tools. */
  learn({ tools }: JsonObject): void {
    if (!Array.isArray(tools)) return;
    for (const tool of tools)
      if (isObject(tool)) this.#declared.set(String(tool.name), [...declarationsIn(tool.inputSchema, [])]);
  }

  /** The headers of a call. */
  of(params: JsonObject | undefined): Record<string, string> {
    const declared = this.#declared.get(String(params?.name)) ?? [];
    return Object.fromEntries(
      declared.flatMap(({ path, header }) => {
        const value = path.reduce<unknown>(
          (inner, key) => (isObject(inner) ? inner[key] : undefined),
          params?.arguments,
        );
        return ["string", "number", "boolean"].includes(typeof value)
          ? [[`Mcp-Param-${header}`, encodeHeaderValue(String(value))]]
          : [];
      }),
    );
  }
}

function* declarationsIn(schema: unknown, path: readonly string[]): Generator<Declaration> {
  const properties = fieldsOf(fieldsOf(schema).properties);
  for (const [key, property] of Object.entries(properties)) {
    if (!isObject(property)) continue;
    const header = property["x-mcp-header"];
    if (typeof header === "string" && /^[\w!#$%&'*+.^`|~-]+$/.test(header)) yield { path: [...path, key], header };
    yield* declarationsIn(property, [...path, key]);
  }
}

/** Time for the server to take note that the session ends. */
const GOODBYE_MS = 2000;

export interface HttpLinkOptions {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly spool: Spool;
  readonly report: Report;
}

/** Talks Streamable HTTP through the official client transport; large messages are taken out on the way. */
export function createHttpLinks(options: HttpLinkOptions): OpenLink {
  return async (events) => {
    const larges = new Map<string, LargeMessage>();
    const spooling = createSpoolingFetch(options.spool, larges, events);
    const serverStream = new ServerStream();
    const polls = new Map<string, RequestId>();
    // A given authorization replaces a saved login.
    const login = hasAuthorization(options.headers) ? undefined : new SavedLogin(options.url);
    const transport = new StreamableHTTPClientTransport(options.url, {
      requestInit: { headers: { ...options.headers } },
      ...(login ? { authProvider: login } : {}),
      fetch: (url, init) => {
        const last = init?.method === "GET" ? new Headers(init.headers).get("last-event-id") : null;
        const polled = last === null ? undefined : polls.get(last);
        const fetching = spooling(url, init);
        if (polled !== undefined) events.onPolled?.(polled);
        return init?.method === "GET" && polled === undefined ? serverStream.watch(fetching) : fetching;
      },
    });
    return connect(transport, larges, options, events, { serverStream, polls, login });
  };
}

interface LinkParts {
  readonly serverStream: ServerStream;
  readonly polls: Map<string, RequestId>;
  readonly login: SavedLogin | undefined;
}

async function connect(
  transport: StreamableHTTPClientTransport,
  larges: Map<string, LargeMessage>,
  options: HttpLinkOptions,
  events: LinkEvents,
  { serverStream, polls, login }: LinkParts,
): Promise<Link> {
  const paramHeaders = new ParamHeaders();
  const streams = new Map<RequestId, AbortController>();
  const unanswered = new Set<RequestId>();
  let down = false;
  const goDown = (reason: string): void => {
    if (down) return;
    down = true;
    events.onDown(reason);
  };
  transport.onmessage = (received) => {
    const message = received as unknown as RpcMessage;
    if (message.method === undefined && message.id !== undefined) {
      streams.delete(message.id);
      unanswered.delete(message.id);
      for (const [event, id] of polls) if (id === message.id) polls.delete(event);
    }
    if (message.result) paramHeaders.learn(message.result);
    const version = message.result?.protocolVersion;
    if (typeof version === "string") transport.setProtocolVersion(version);
    const key = String(message.result?.[SPOOLED_KEY]);
    const large = larges.get(key);
    larges.delete(key);
    if (large) events.onLarge({ kind: "message", message: large });
    else if (isRpcMessage(message)) events.onFrame({ message });
    else options.report("the server sent a message that is not JSON-RPC, skipped");
  };
  transport.onerror = (error) => {
    // An answer with an HTTP error goes to the request's sender.
    const { data } = error as { readonly data?: unknown };
    if (isObject(data) && parseErrorBody(data.text, 0)) return;
    if (!down && error.name !== "AbortError") options.report(`the connection to the server: ${error.message}`);
  };
  transport.onclose = () => goDown("the connection to the server was closed");
  await transport.start();

  const send = async ({ message, headers }: Frame): Promise<void> => {
    const cancelled = message.method === "notifications/cancelled" ? message.params?.requestId : undefined;
    const stream = typeof cancelled === "string" || typeof cancelled === "number" ? streams.get(cancelled) : undefined;
    if (stream) {
      // Since 2026-07-28 a client cancels by closing the request's stream.
      streams.delete(cancelled as RequestId);
      stream.abort();
      return;
    }
    // The transport opens the server's stream after this message.
    if (message.method === "notifications/initialized") serverStream.expect();
    else if (isRequest(message)) await serverStream.ready();
    const abort = isRequest(message) && readEnvelope(message.params) ? new AbortController() : undefined;
    if (abort) streams.set(message.id!, abort);
    if (isRequest(message)) unanswered.add(message.id);
    try {
      await transport.send(message as Parameters<typeof transport.send>[0], {
        ...(abort ? { requestSignal: abort.signal } : {}),
        ...(abort && message.method === "tools/call" ? { headers: headers ?? paramHeaders.of(message.params) } : {}),
        onresumptiontoken: (event) => {
          if (isRequest(message) && unanswered.has(message.id)) polls.set(event, message.id);
        },
        onRequestStreamEnd: () => {
          if (isRequest(message) && unanswered.delete(message.id)) events.onLarge(unansweredArrival(message.id));
        },
      });
    } catch (error) {
      if (abort?.signal.aborted) return;
      if (isRequest(message)) unanswered.delete(message.id);
      if (error instanceof InsufficientScopeError && login) throw await login.wider(error);
      const { status, text } = fieldsOf(fieldsOf(error).data);
      const answer = isRequest(message) ? parseErrorBody(text, message.id) : undefined;
      if (status === 404 && !isAnswer(answer, transport.sessionId)) {
        // The server forgot the session: the next life starts with a new one.
        goDown("the server ended the session");
        void transport.close();
        throw error;
      }
      if (!answer) throw error;
      events.onFrame({ message: answer, ...(typeof status === "number" ? { status } : {}) });
    } finally {
      if (message.method === "notifications/initialized") serverStream.answered();
    }
  };
  return {
    send,
    close: async () => {
      // A server that does not answer any more must not keep us.
      await Promise.race([transport.terminateSession().catch(() => {}), delay(GOODBYE_MS, undefined, { ref: false })]);
      await transport.close();
      goDown("closed");
    },
  };
}

function hasAuthorization(headers: Readonly<Record<string, string>>): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
}

function unansweredArrival(id: RequestId): LargeArrival {
  return {
    kind: "refused",
    header: { id, method: undefined },
    bytes: 0,
    reason: "its stream ended without an answer",
  };
}

/** True when the body of a 404 answers its request: servers without sessions say so of a method that they do not have. */
function isAnswer(answer: RpcMessage | undefined, session: string | undefined): boolean {
  return answer !== undefined && (session === undefined || answer.error?.code === METHOD_NOT_FOUND);
}

/** The JSON-RPC error in the body of an HTTP error, as the answer to a request. */
function parseErrorBody(text: unknown, id: RequestId): RpcMessage | undefined {
  const { error } = fieldsOf(parseJson(String(text)));
  return isObject(error) ? { jsonrpc: "2.0", id, error: error as RpcError } : undefined;
}
