import type { JsonObject, RequestId, RpcMessage } from "../../mcp-shared/json-rpc.ts";

/** A request of the client: its id on either side. */
export interface PendingIds {
  readonly upstreamId: RequestId;
  readonly clientId: RequestId;
  readonly method: string;
}

/** What a translator may do in its session. */
export interface TranslatorHost {
  toClient(message: RpcMessage): void;
  toUpstream(message: RpcMessage): void;
  /** Sends a request of the proxy's own and gives its result; rejects with the RPC error's message. */
  request(method: string, params?: JsonObject): Promise<JsonObject>;
  /** The client's requests that the upstream has not answered, oldest first. */
  pending(): readonly PendingIds[];
  /** Answers a request of the client that the upstream never saw. */
  answer(clientId: RequestId, result: JsonObject): void;
  /** Ends a request of the client with an error, whatever the upstream still says to it. */
  fail(upstreamId: RequestId, code: number, reason: string, data?: unknown): void;
  /** The upstream no longer has to answer the request. */
  forget(clientId: RequestId): void;
  /** Answers a request of the client with questions; its real answer waits until `resume`. */
  park(clientId: RequestId, result: JsonObject): void;
  /** The client continues a parked request as `clientId`: the upstream's answer, already here or not, goes there. */
  resume(parked: PendingIds, clientId: RequestId): void;
  /** The upstream now knows a request by another id. */
  rekey(from: RequestId, to: RequestId): void;
}

/**
 * Translates between a client and an upstream of different eras. Each method takes a message and either passes it on
 * through the host, in the other era's words, or answers it itself.
 */
export interface Translator {
  fromClient(message: RpcMessage): void;
  /** Returns the message when the session should go on with it (a response, a notification), undefined when it was dealt with. */
  fromUpstream(message: RpcMessage): RpcMessage | undefined;
  /** The upstream went down: its questions will not be repeated. */
  forgetQuestions(): void;
}

/** The upstream's facts, from any source. */
export interface UpstreamIdentity {
  readonly capabilities: JsonObject;
  readonly serverInfo: JsonObject;
  readonly instructions?: string | undefined;
}
