import { isObject } from "../../../bytes/json/is-object.ts";
import type { QueryContext } from "../../../query/query-context.ts";
import {
  INTERNAL_ERROR,
  INVALID_REQUEST,
  isRequest,
  type JsonObject,
  type RequestId,
  type RpcMessage,
  type RpcRequest,
} from "../../mcp-shared/json-rpc.ts";
import type { ObservedRequest } from "../../mcp-shared/observe-request.ts";
import type { Report } from "../link/link.ts";
import type { MessageHeader } from "../spool/message-header.ts";
import type { ExpectedAnswer, LargeArrival } from "../spool/spool.ts";
import type { PendingIds } from "../translate/translator.ts";
import type { ClientAnswers } from "./client-answers.ts";
import { asksForLogin } from "./handshake.ts";
import { queryOfCall } from "./tool-catalog.ts";

/** Undeliverable messages: their senders get an error, and people are told. */
export class Failures {
  readonly #pending: PendingRequests;
  readonly #answers: ClientAnswers;
  readonly #report: Report;

  constructor(pending: PendingRequests, answers: ClientAnswers, report: Report) {
    this.#pending = pending;
    this.#answers = answers;
    this.#report = report;
  }

  /** A large message of the upstream was not taken. */
  refuse(arrival: Exclude<LargeArrival, { kind: "message" }>): void {
    if (arrival.kind === "lost") {
      this.#report(`a large message was lost: ${arrival.reason}`);
      for (const { id } of arrival.expected)
        if (this.#pending.get(id))
          this.#answers.fail(id, INTERNAL_ERROR, `The answer was lost: ${arrival.reason}. The call can be repeated.`);
      return;
    }
    if (arrival.kind === "garbage") {
      this.#report(`a line of ${arrival.bytes} bytes is not JSON-RPC, skipped`);
      return;
    }
    const reason = `The server's answer of ${arrival.bytes} bytes was refused: ${arrival.reason}`;
    const id = arrival.header?.id;
    if (arrival.bytes > 0) this.#report(reason);
    if (id === undefined || arrival.header?.method !== undefined || !this.#pending.get(id)) return;
    this.#answers.fail(
      id,
      INTERNAL_ERROR,
      arrival.bytes > 0 ? `${reason}. Ask for less.` : `No answer: ${arrival.reason}`,
    );
  }

  /** A message of the upstream could not be passed on. */
  notPassed({ id, method }: Partial<Pick<MessageHeader, "id" | "method">>, error: unknown): void {
    const reason = (error as Error).message;
    if (method === undefined && id !== undefined && this.#pending.get(id))
      this.#answers.fail(id, INTERNAL_ERROR, reason);
    else this.#report(reason);
  }

  /** A large message of the client was not taken. */
  refuseClient(header: MessageHeader | undefined, reason: string): void {
    this.#report(reason);
    if (header?.id !== undefined && header.method !== undefined) this.#answers.fail(header.id, INVALID_REQUEST, reason);
  }

  /** A message could not be sent to the upstream. */
  sendFailed(message: RpcMessage, error: unknown): void {
    const reason = (error as Error).message;
    const pending = isRequest(message) ? this.#pending.get(message.id) : undefined;
    if (pending) this.#answers.failUnanswered(pending, reason, !asksForLogin(error));
    else this.#report(reason);
  }

  /** The upstream went down. */
  failAll(reason: string): void {
    for (const pending of this.#pending.all()) this.#answers.failUnanswered(pending, reason, true);
  }
}

const BOUNDED_METHODS = new Set(["tools/call", "tasks/result"]);

/** A request of the client that waits for the upstream's answer. */
export interface PendingRequest extends PendingIds {
  /** The called tool, for limits and statistics; the method if there is none. */
  readonly tool: string;
  /** True when the answer is a tool's result. */
  readonly bounded: boolean;
  /** The known reasons for the call. */
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

  /** The upstream's next possible answers; `clientBytes` is how much of it the client shows. */
  expected(clientBytes?: number): readonly ExpectedAnswer[] {
    return this.all().map(({ upstreamId, clientId, tool, bounded, query }) => ({
      id: upstreamId,
      call: bounded ? { tool, callId: String(clientId), clientBytes, query } : undefined,
    }));
  }
}
