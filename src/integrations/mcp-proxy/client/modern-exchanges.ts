import {
  type InboundModernRoute,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  PerRequestHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { META_SUBSCRIPTION, readEnvelope } from "../../mcp-shared/era.ts";
import {
  type Frame,
  isRequest,
  METHOD_NOT_FOUND,
  type RequestId,
  type RpcMessage,
  readMeta,
  UNSUPPORTED_VERSION,
} from "../../mcp-shared/json-rpc.ts";
import type { ProxySession } from "../session/session.ts";
import type { ClientPort } from "./client-port.ts";
import type { Places } from "./places.ts";

/** A session without exchanges is ended after this time. */
const IDLE_MS = 5 * 60_000;

interface Exchange {
  readonly transport: PerRequestHTTPServerTransport;
  readonly clientId: RequestId;
  readonly progressToken: unknown;
  /** Set when the answer is to have another HTTP status than 200. */
  status?: number;
}

/** The HTTP status of an error that a server without HTTP gave. */
const STATUS_OF: Readonly<Record<number, number>> = {
  [METHOD_NOT_FOUND]: 404,
  [UNSUPPORTED_VERSION]: 400,
  [-32020]: 400,
  [-32021]: 400,
};

interface Shared {
  readonly session: ProxySession;
  readonly exchanges: Map<RequestId, Exchange>;
  /** States of calls that wait for the client's answers. */
  readonly states: Set<string>;
  idle: NodeJS.Timeout | undefined;
}

/** Serves stateless requests of 2026-07-28: every exchange is its own request on a session shared by identity. */
export class ModernExchanges {
  readonly #openSession: (client: ClientPort) => ProxySession;
  readonly #places: Places;
  readonly #shared = new Map<string, Shared[]>();
  #count = 0;

  constructor(openSession: (client: ClientPort) => ProxySession, places: Places) {
    this.#openSession = openSession;
    this.#places = places;
  }

  /** Serves one exchange; `closed` resolves when its client disconnects. */
  async handle(
    message: RpcMessage,
    route: InboundModernRoute,
    headers: Readonly<Record<string, string>>,
    onClosed: (listener: () => void) => void,
  ): Promise<Response | "too many"> {
    const shared = this.#choose(message);
    if (shared === undefined) return "too many";
    const transport = new PerRequestHTTPServerTransport({ classification: route.classification });
    let exchange: Exchange | undefined;
    transport.onmessage = () => {
      exchange = this.#deliver({ message, headers }, transport, shared);
    };
    onClosed(() => void transport.close());
    await transport.start();
    const response = await transport.handleMessage(message as JSONRPCRequest | JSONRPCNotification);
    const status = exchange?.status;
    return status === undefined || response.status !== 200
      ? response
      : new Response(response.body, { status, headers: response.headers });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#shared.values()].flat().map(({ session }) => session.close()));
  }

  /** A session for this client's identity; if its client can answer questions, it serves one exchange at a time. */
  #choose(message: RpcMessage): Shared | undefined {
    const envelope = readEnvelope(message.params);
    const key = JSON.stringify([envelope?.clientInfo, envelope?.capabilities]);
    const asks = Object.keys(envelope?.capabilities ?? {}).length > 0;
    const all = this.#shared.get(key) ?? [];
    this.#shared.set(key, all);
    const state = message.params?.requestState;
    const free =
      (typeof state === "string" ? all.find(({ states }) => states.delete(state)) : undefined) ??
      all.find(({ exchanges, states }) => !asks || (exchanges.size === 0 && states.size === 0));
    if (free) return free;
    if (!this.#places.take()) return undefined;
    const opened = this.#open(() => {
      all.splice(all.indexOf(opened), 1);
      if (all.length === 0) this.#shared.delete(key);
      this.#places.give();
    });
    all.push(opened);
    return opened;
  }

  #open(onIdle: () => void): Shared {
    const exchanges = new Map<RequestId, Exchange>();
    const states = new Set<string>();
    const session = this.#openSession({
      send: (frame) => this.#route(frame, shared, onIdle),
      sendLarge: async (message) => this.#route({ message: await message.parse() }, shared, onIdle),
    });
    const shared: Shared = { session, exchanges, states, idle: undefined };
    void session.start();
    return shared;
  }

  #deliver(frame: Frame, transport: PerRequestHTTPServerTransport, shared: Shared): Exchange | undefined {
    const { message } = frame;
    clearTimeout(shared.idle);
    if (!isRequest(message)) {
      shared.session.fromClient(frame);
      return undefined;
    }
    const id = `exchange-${++this.#count}`;
    const meta = readMeta(message.params);
    const progressToken = meta.progressToken;
    const exchange: Exchange = { transport, clientId: message.id, progressToken };
    shared.exchanges.set(id, exchange);
    const params = {
      ...message.params,
      _meta: { ...meta, ...(progressToken === undefined ? {} : { progressToken: id }) },
    };
    transport.onclose = () => {
      if (!shared.exchanges.delete(id)) return;
      // The client closed the stream: that is how it cancels.
      shared.session.fromClient({
        message: { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } },
      });
    };
    shared.session.fromClient({ ...frame, message: { ...message, id, params } });
    return exchange;
  }

  #route({ message, status }: Frame, shared: Shared, onIdle: () => void): void {
    const id = this.#exchangeOf(message, shared);
    const exchange = id === undefined ? undefined : shared.exchanges.get(id);
    if (!exchange || id === undefined) return;
    const { transport, clientId, progressToken } = exchange;
    const related = { relatedRequestId: clientId };
    if (message.method === undefined) {
      shared.exchanges.delete(id);
      const state = message.result?.requestState;
      if (typeof state === "string") shared.states.add(state);
      const mapped = status ?? (message.error && STATUS_OF[message.error.code]);
      if (mapped !== undefined) exchange.status = mapped;
      void transport.send({ ...message, id: clientId } as JSONRPCMessage);
      if (shared.exchanges.size === 0) this.#rest(shared, onIdle);
      return;
    }
    const meta = readMeta(message.params);
    const params = {
      ...message.params,
      ...(message.params?.progressToken === id ? { progressToken } : {}),
      ...(META_SUBSCRIPTION in meta ? { _meta: { ...meta, [META_SUBSCRIPTION]: clientId } } : {}),
    };
    void transport.send({ ...message, params } as JSONRPCMessage, related);
  }

  #exchangeOf(message: RpcMessage, shared: Shared): RequestId | undefined {
    if (message.method === undefined) return message.id;
    const named = message.params?.progressToken ?? readMeta(message.params)[META_SUBSCRIPTION];
    if (typeof named === "string") return named;
    return [...shared.exchanges.keys()].at(-1);
  }

  #rest(shared: Shared, onIdle: () => void): void {
    shared.idle = setTimeout(() => {
      onIdle();
      void shared.session.close();
    }, IDLE_MS);
    shared.idle.unref();
  }
}
