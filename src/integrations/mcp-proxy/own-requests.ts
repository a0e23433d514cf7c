import { SpillwayError } from "../../errors.ts";
import { isResponse, type JsonObject, type RequestId, type RpcError, type RpcMessage } from "../mcp-shared/json-rpc.ts";
import type { ExpectedAnswer } from "./spool/spool.ts";

/** An RPC error that came back to the proxy's own request. */
class RpcFailure extends SpillwayError {
  readonly rpcError: RpcError;

  constructor(error: RpcError) {
    super("UPSTREAM_FAILED", error.message);
    this.rpcError = error;
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
    const id = `spillway-own-${++this.#count}`;
    return new Promise((resolve, reject) => {
      const timer =
        timeoutMs === undefined
          ? undefined
          : setTimeout(() => {
              this.#open.delete(id);
              reject(new SpillwayError("UPSTREAM_FAILED", `The server did not answer ${method} in ${timeoutMs} ms`));
            }, timeoutMs);
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
