import { isObject } from "../../../bytes/json/is-object.ts";
import type { QueryContext } from "../../../query/query-context.ts";
import type { JsonObject, RequestId, RpcMessage, RpcRequest } from "../../mcp-shared/json-rpc.ts";
import type { ObservedRequest } from "../../mcp-shared/observe-request.ts";
import type { ExpectedAnswer } from "../spool/spool.ts";
import type { PendingIds } from "../translate/translator.ts";
import { queryOfCall } from "./query-of-call.ts";

const BOUNDED_METHODS = new Set(["tools/call", "tasks/result"]);

/** A request of the client that waits for the upstream's answer. */
export interface PendingRequest extends PendingIds {
  /** The tool that was called, for limits and statistics; the method where there is none. */
  readonly tool: string;
  /** True when the answer is a tool's result. */
  readonly bounded: boolean;
  /** What is known of why the tool was called. */
  readonly query?: QueryContext | undefined;
  /** There where somebody looks. */
  readonly observed?: ObservedRequest | undefined;
}

export interface PendingRequestsOptions {
  /** False for a session behind another that bounds. @default true */
  readonly bounds?: boolean | undefined;
  /** The tool that a call really is for. @default the one it names */
  readonly toolOf?: ((params: JsonObject) => string | undefined) | undefined;
}

/** The client's requests that wait for an answer, by the id under which the upstream knows them. */
export class PendingRequests {
  readonly #options: PendingRequestsOptions;
  readonly #requests = new Map<RequestId, PendingRequest>();
  /** Tools by the task that runs them. */
  readonly #taskTools = new Map<string, string>();

  constructor(options: PendingRequestsOptions = {}) {
    this.#options = options;
  }

  /** Oldest first. */
  all(): readonly PendingRequest[] {
    return [...this.#requests.values()];
  }

  add(message: RpcRequest, observed?: ObservedRequest): void {
    const { id, method, params } = message;
    const task = method === "tasks/result" ? this.#taskTools.get(String(params?.taskId)) : undefined;
    const tool = this.toolOf(message) ?? (typeof params?.name === "string" ? params.name : (task ?? method));
    const bounded = (this.#options.bounds ?? true) && BOUNDED_METHODS.has(method);
    const query = bounded ? queryOfCall(params) : undefined;
    this.#requests.set(id, { upstreamId: id, clientId: id, method, tool, bounded, query, observed });
  }

  toolOf({ method, params = {} }: RpcMessage): string | undefined {
    if (method !== "tools/call") return undefined;
    return this.#options.toolOf?.(params) ?? (typeof params.name === "string" ? params.name : undefined);
  }

  get(upstreamId: RequestId): PendingRequest | undefined {
    return this.#requests.get(upstreamId);
  }

  /** Takes a request out that has its answer, or needs none; undefined when it does not wait any more. */
  take(upstreamId: RequestId, answer?: Pick<RpcMessage, "result" | "error">): PendingRequest | undefined {
    const request = this.#requests.get(upstreamId);
    this.#requests.delete(upstreamId);
    request?.observed?.end(answer);
    return request;
  }

  findByClientId(clientId: RequestId): PendingRequest | undefined {
    return this.all().find((request) => request.clientId === clientId);
  }

  /** The upstream's answer to `upstreamId` now goes to the client's request `clientId`. */
  answerAs(upstreamId: RequestId, clientId: RequestId): void {
    if (upstreamId !== clientId) this.take(clientId, {});
    const request = this.#requests.get(upstreamId);
    if (request) this.#requests.set(upstreamId, { ...request, clientId });
  }

  /** The upstream now knows a request by another id. */
  rekey(from: RequestId, to: RequestId): void {
    const request = this.#requests.get(from);
    this.#requests.delete(from);
    if (request) this.#requests.set(to, { ...request, upstreamId: to });
  }

  /** Takes note when a tool answers with a task instead of its result. */
  noteTask(tool: string, result: JsonObject): void {
    const { task } = result;
    if (isObject(task) && typeof task.taskId === "string") this.#taskTools.set(task.taskId, tool);
  }

  /** What the upstream may answer next; `clientBytes` is what the client shows of it. */
  expected(clientBytes?: number): readonly ExpectedAnswer[] {
    return this.all().map(({ upstreamId, clientId, tool, bounded, query }) => ({
      id: upstreamId,
      call: bounded ? { tool, callId: String(clientId), clientBytes, query } : undefined,
    }));
  }
}
