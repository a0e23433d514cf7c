import { randomUUID } from "node:crypto";
import { isObject } from "../../../bytes/json/is-object.ts";
import { META_SERVER, META_SUBSCRIPTION, MODERN_VERSION, readEnvelope, stripEnvelope } from "../../mcp-shared/era.ts";
import {
  createError,
  createResult,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  isNotification,
  isRequest,
  type JsonObject,
  METHOD_NOT_FOUND,
  type RequestId,
  type RpcMessage,
  type RpcRequest,
  readMeta,
} from "../../mcp-shared/json-rpc.ts";
import type { PendingIds, Translator, TranslatorHost, UpstreamIdentity } from "./translator.ts";

/** A call that waits for the client's answers to the upstream's questions. */
interface ParkedCall {
  readonly request: PendingIds;
  /** Keys of the questions put to the client, and the upstream's request ids. */
  readonly asked: Map<string, RequestId>;
  /** Questions that came while the client was busy with the first. */
  readonly waiting: RpcMessage[];
}

interface Subscription {
  readonly id: RequestId;
  readonly filter: JsonObject;
}

/** Requests that may be answered by a question, as the specification has it. */
const ASKABLE = new Set(["tools/call", "prompts/get", "resources/read"]);

const LIST_CHANGED: Readonly<Record<string, string>> = {
  "notifications/tools/list_changed": "toolsListChanged",
  "notifications/prompts/list_changed": "promptsListChanged",
  "notifications/resources/list_changed": "resourcesListChanged",
};

/** Serves a client of 2026-07-28 from an upstream that knows only the handshake eras. */
export class ModernClientTranslator implements Translator {
  readonly #host: TranslatorHost;
  readonly #identity: UpstreamIdentity;
  readonly #parked = new Map<string, ParkedCall>();
  readonly #subscriptions: Subscription[] = [];
  #logLevel: string | undefined;
  #questions = 0;

  constructor(host: TranslatorHost, identity: UpstreamIdentity) {
    this.#host = host;
    this.#identity = identity;
  }

  fromClient(message: RpcMessage): void {
    if (isRequest(message)) this.#request(message);
    else if (message.method === "notifications/cancelled" && this.#unsubscribe(message.params?.requestId)) return;
    else this.#host.toUpstream(message);
  }

  fromUpstream(message: RpcMessage): RpcMessage | undefined {
    if (isRequest(message)) {
      this.#question(message);
      return undefined;
    }
    if (!isNotification(message)) return message;
    const wanted = LIST_CHANGED[message.method];
    if (wanted) return this.#publish(message, (filter) => filter[wanted] === true);
    if (message.method !== "notifications/resources/updated") return message;
    const uri = message.params?.uri;
    return this.#publish(
      message,
      ({ resourceSubscriptions }) => Array.isArray(resourceSubscriptions) && resourceSubscriptions.includes(uri),
    );
  }

  forgetQuestions(): void {
    for (const { asked, waiting } of this.#parked.values()) {
      asked.clear();
      waiting.length = 0;
    }
  }

  #request(message: RpcRequest): void {
    const { id, method, params } = message;
    if (method === "server/discover") {
      this.#host.answer(id, this.#discover());
      return;
    }
    if (method === "subscriptions/listen") {
      this.#subscribe(id, isObject(params?.notifications) ? params.notifications : {});
      return;
    }
    const state = params?.requestState;
    if (typeof state === "string") {
      this.#resume(id, state, isObject(params?.inputResponses) ? params.inputResponses : {});
      return;
    }
    const level = readEnvelope(params)?.logLevel;
    if (level !== undefined && level !== this.#logLevel && this.#identity.capabilities.logging) {
      this.#logLevel = level;
      void this.#host.request("logging/setLevel", { level }).catch(() => {});
    }
    const stripped = stripEnvelope(params);
    this.#host.toUpstream({ jsonrpc: "2.0", id, method, ...(stripped === undefined ? {} : { params: stripped }) });
  }

  #discover(): JsonObject {
    const { capabilities, serverInfo, instructions } = this.#identity;
    return {
      resultType: "complete",
      supportedVersions: [MODERN_VERSION],
      capabilities,
      ...(instructions === undefined ? {} : { instructions }),
      ttlMs: 0,
      cacheScope: "private",
      _meta: { [META_SERVER]: serverInfo },
    };
  }

  #subscribe(id: RequestId, filter: JsonObject): void {
    this.#host.forget(id);
    this.#subscriptions.push({ id, filter });
    const uris = Array.isArray(filter.resourceSubscriptions) ? filter.resourceSubscriptions : [];
    for (const uri of uris) void this.#host.request("resources/subscribe", { uri }).catch(() => {});
    this.#host.toClient({
      jsonrpc: "2.0",
      method: "notifications/subscriptions/acknowledged",
      params: { notifications: filter, _meta: { [META_SUBSCRIPTION]: id } },
    });
  }

  #unsubscribe(id: unknown): boolean {
    const index = this.#subscriptions.findIndex((subscription) => subscription.id === id);
    if (index >= 0) this.#subscriptions.splice(index, 1);
    return index >= 0;
  }

  #publish(message: RpcMessage, wants: (filter: JsonObject) => boolean): undefined {
    for (const { id, filter } of this.#subscriptions) {
      if (!wants(filter)) continue;
      const params = { ...message.params, _meta: { ...readMeta(message.params), [META_SUBSCRIPTION]: id } };
      this.#host.toClient({ ...message, params });
    }
    return undefined;
  }

  /** A question of the upstream becomes the answer to the call it belongs to: "input required". */
  #question(message: RpcRequest): void {
    if (message.method === "ping") {
      this.#host.toUpstream(createResult(message.id, {}));
      return;
    }
    const parked = [...this.#parked.values()];
    const request = this.#host
      .pending()
      .filter(
        ({ upstreamId, method }) =>
          ASKABLE.has(method) && !parked.some((call) => call.request.upstreamId === upstreamId),
      )
      .at(-1);
    const asking = parked.at(-1);
    if (request) this.#park(request, [message]);
    else if (asking) asking.waiting.push(message);
    else
      this.#host.toUpstream(createError(message.id, INTERNAL_ERROR, "The client has no open request to be asked in"));
  }

  #park(request: PendingIds, questions: readonly RpcMessage[]): void {
    const asked = new Map<string, RequestId>();
    const inputRequests: JsonObject = {};
    for (const question of questions) {
      const key = `question-${++this.#questions}`;
      asked.set(key, question.id!);
      inputRequests[key] = { method: question.method, ...(question.params ? { params: question.params } : {}) };
    }
    const state = `spillway-${randomUUID()}`;
    this.#parked.set(state, { request, asked, waiting: [] });
    this.#host.park(request.clientId, { resultType: "input_required", inputRequests, requestState: state });
  }

  #resume(clientId: RequestId, state: string, answers: JsonObject): void {
    const call = this.#parked.get(state);
    if (!call) {
      this.#host.fail(clientId, INVALID_PARAMS, "This requestState is not known here, or was used already");
      return;
    }
    this.#parked.delete(state);
    for (const [key, upstreamRequest] of call.asked) {
      const answer = answers[key];
      this.#host.toUpstream(
        isObject(answer)
          ? createResult(upstreamRequest, answer)
          : createError(upstreamRequest, METHOD_NOT_FOUND, "The client did not answer this question"),
      );
    }
    if (call.waiting.length > 0) this.#park({ ...call.request, clientId }, call.waiting);
    this.#host.resume(call.request, clientId);
  }
}
