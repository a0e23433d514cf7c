import { SpillwayError } from "../../../errors.ts";
import {
  isResponse,
  type JsonObject,
  type RequestId,
  type RpcError,
  type RpcMessage,
} from "../../mcp-shared/json-rpc.ts";
import type { ExpectedAnswer } from "../spool/spool.ts";

/** A server that has not answered a ping by then answers none. */
const SILENCE_MS = 15_000;

/** An RPC error that came back to the proxy's own request. */
export class RpcFailure extends SpillwayError {
  readonly rpcError: RpcError;

  constructor(error: RpcError) {
    super("UPSTREAM_FAILED", error.message);
    this.rpcError = error;
  }
}

/** The server is alive and left a request unanswered. */
export class Unanswered extends SpillwayError {
  constructor(method: string, ms: number) {
    super("UPSTREAM_FAILED", `The server did not answer ${method} in ${ms} ms`);
  }
}

/** Requests that the proxy makes for itself; their ids cannot be a client's. */
export class OwnRequests {
  readonly #send: (message: RpcMessage, now: boolean) => Promise<void>;
  readonly #open = new Map<RequestId, { resolve: (result: JsonObject) => void; reject: (error: Error) => void }>();
  #count = 0;

  constructor(send: (message: RpcMessage, now: boolean) => Promise<void>) {
    this.#send = send;
  }

  /** What the upstream may answer next. */
  expected(): readonly ExpectedAnswer[] {
    return [...this.#open.keys()].map((id) => ({ id }));
  }

  has(id: RequestId): boolean {
    return this.#open.has(id);
  }

  /** Sends a request; `now` also on a link that is not ready. Rejects with RpcFailure, or when the link goes down. */
  request(method: string, params?: JsonObject, now = false, timeoutMs?: number): Promise<JsonObject> {
    const { answer, giveUpAfter } = this.#begin(method, params, now);
    if (timeoutMs !== undefined) giveUpAfter(timeoutMs);
    return answer;
  }

  /**
   * Sends a request that a server may leave unanswered. The time runs from when it has answered a ping that is sent
   * behind, in whatever way: one that is only slow to start, or has little of the machine, is waited for.
   */
  probe(method: string, params: JsonObject, timeoutMs: number): Promise<JsonObject> {
    const { answer, giveUpAfter } = this.#begin(method, params, false);
    const alive = (): void => giveUpAfter(timeoutMs);
    this.request("ping", params, false, SILENCE_MS).then(alive, alive);
    return answer;
  }

  #begin(method: string, params: JsonObject | undefined, now: boolean) {
    const id = `spillway-own-${++this.#count}`;
    let timer: NodeJS.Timeout | undefined;
    const answer = new Promise<JsonObject>((resolve, reject) => {
      const settle =
        <T>(done: (value: T) => void) =>
        (value: T): void => {
          clearTimeout(timer);
          this.#open.delete(id);
          done(value);
        };
      this.#open.set(id, { resolve: settle(resolve), reject: settle(reject) });
      this.#send({ jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) }, now).catch(
        settle(reject),
      );
    });
    const giveUpAfter = (ms: number): void => {
      const error = new Unanswered(method, ms);
      if (this.#open.has(id)) timer = setTimeout(() => this.#open.get(id)?.reject(error), ms);
    };
    return { answer, giveUpAfter };
  }

  /** Sends a notification on a link that may not be ready yet. */
  notify(method: string): Promise<void> {
    return this.#send({ jsonrpc: "2.0", method }, true);
  }

  /** True when the message answered a request of ours. */
  settle(message: RpcMessage): boolean {
    const open = isResponse(message) ? this.#open.get(message.id) : undefined;
    if (!open) return isResponse(message) && String(message.id).startsWith("spillway-own-");
    if (message.error) open.reject(new RpcFailure(message.error));
    else open.resolve(message.result ?? {});
    return true;
  }

  failAll(reason: string): void {
    for (const { reject } of [...this.#open.values()]) reject(new SpillwayError("UPSTREAM_FAILED", reason));
  }
}
