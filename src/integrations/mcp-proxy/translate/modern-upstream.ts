import { fieldsOf, isObject } from "../../../bytes/json/is-object.ts";
import { addEnvelope, type Envelope, LEGACY_VERSIONS, META_SUBSCRIPTION } from "../../mcp-shared/era.ts";
import {
  INTERNAL_ERROR,
  isNotification,
  isRequest,
  isResponse,
  type JsonObject,
  type RequestId,
  type RpcMessage,
  type RpcRequest,
  readMeta,
} from "../../mcp-shared/json-rpc.ts";
import type { Translator, TranslatorHost, UpstreamIdentity } from "./translator.ts";

/** A call that was answered with "input required", and whose questions are with the client. */
interface AskingCall {
  readonly request: RpcRequest;
  readonly state: unknown;
  readonly answers: JsonObject;
  readonly open: Map<RequestId, string>;
}

/** Serves a client of the handshake eras from an upstream that knows only 2026-07-28. */
export class ModernUpstreamTranslator implements Translator {
  readonly #host: TranslatorHost;
  readonly #identity: UpstreamIdentity;
  readonly #requests = new Map<RequestId, RpcRequest>();
  readonly #asking = new Set<AskingCall>();
  readonly #watched = new Set<string>();
  #envelope: Envelope;
  #listenId: RequestId | undefined;
  #count = 0;

  constructor(host: TranslatorHost, identity: UpstreamIdentity, envelope: Envelope) {
    this.#host = host;
    this.#identity = identity;
    this.#envelope = envelope;
  }

  /** The answer to the client's `initialize`. */
  initializeResult(requested: unknown): JsonObject {
    const { capabilities, serverInfo, instructions } = this.#identity;
    return {
      protocolVersion:
        typeof requested === "string" && LEGACY_VERSIONS.includes(requested) ? requested : LEGACY_VERSIONS[0],
      capabilities,
      serverInfo,
      ...(instructions === undefined ? {} : { instructions }),
    };
  }

  fromClient(message: RpcMessage): void {
    if (isResponse(message)) this.#answered(message);
    else if (isNotification(message)) this.#notified(message);
    else if (isRequest(message)) this.#requested(message);
  }

  fromUpstream(message: RpcMessage): RpcMessage | undefined {
    if (isNotification(message)) {
      if (message.method === "notifications/subscriptions/acknowledged") return undefined;
      const { [META_SUBSCRIPTION]: subscription, ...meta } = readMeta(message.params);
      if (subscription === undefined) return message;
      const { _meta: _, ...params } = message.params ?? {};
      return { ...message, params: Object.keys(meta).length > 0 ? { ...params, _meta: meta } : params };
    }
    if (!isResponse(message)) return message;
    if (message.id === this.#listenId || String(message.id).startsWith("spillway-listen-")) return undefined;
    const request = this.#requests.get(message.id);
    if (message.result?.resultType === "input_required" && request) {
      this.#ask(request, message.result);
      return undefined;
    }
    this.#requests.delete(message.id);
    return message;
  }

  forgetQuestions(): void {
    for (const requestId of [...this.#asking].flatMap(({ open }) => [...open.keys()]))
      this.#host.toClient({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
    this.#asking.clear();
  }

  #requested(message: RpcRequest): void {
    const { id, method, params } = message;
    const uri = params?.uri;
    const answer = (): void => this.#host.answer(id, {});
    switch (method) {
      case "ping":
        answer();
        break;
      case "logging/setLevel":
        if (typeof params?.level === "string") this.#envelope = { ...this.#envelope, logLevel: params.level };
        answer();
        break;
      case "resources/subscribe":
      case "resources/unsubscribe":
        if (typeof uri === "string") {
          if (method === "resources/subscribe") this.#watched.add(uri);
          else this.#watched.delete(uri);
        }
        this.#listen();
        answer();
        break;
      default:
        this.#requests.set(id, message);
        this.#host.toUpstream({ ...message, params: addEnvelope(params, this.#envelope) });
    }
  }

  #notified(message: RpcMessage & { method: string }): void {
    if (message.method === "notifications/initialized") this.#listen();
    else if (message.method === "notifications/cancelled") this.#host.toUpstream(message);
  }

  #listen(): void {
    if (this.#listenId !== undefined)
      this.#host.toUpstream({
        jsonrpc: "2.0",
        method: "notifications/cancelled",
        params: { requestId: this.#listenId },
      });
    const changes = (key: string): boolean =>
      isObject(this.#identity.capabilities[key]) &&
      (this.#identity.capabilities[key] as JsonObject).listChanged === true;
    const notifications: JsonObject = {
      ...(changes("tools") ? { toolsListChanged: true } : {}),
      ...(changes("prompts") ? { promptsListChanged: true } : {}),
      ...(changes("resources") ? { resourcesListChanged: true } : {}),
      ...(this.#watched.size > 0 ? { resourceSubscriptions: [...this.#watched] } : {}),
    };
    this.#listenId = undefined;
    if (Object.keys(notifications).length === 0) return;
    this.#listenId = `spillway-listen-${++this.#count}`;
    this.#host.toUpstream({
      jsonrpc: "2.0",
      id: this.#listenId,
      method: "subscriptions/listen",
      params: addEnvelope({ notifications }, this.#envelope),
    });
  }

  #ask(request: RpcRequest, result: JsonObject): void {
    const questions = Object.entries(fieldsOf(result.inputRequests));
    const call: AskingCall = { request, state: result.requestState, answers: {}, open: new Map() };
    this.#asking.add(call);
    for (const [key, question] of questions) {
      if (!isObject(question) || typeof question.method !== "string") continue;
      const id = `spillway-ask-${++this.#count}`;
      call.open.set(id, key);
      const { method, params } = question;
      this.#host.toClient({ jsonrpc: "2.0", id, method, ...(isObject(params) ? { params } : {}) });
    }
    if (call.open.size === 0) this.#retry(call);
  }

  #answered(message: RpcMessage & { id: RequestId }): void {
    for (const call of this.#asking) {
      const key = call.open.get(message.id);
      if (key === undefined) continue;
      call.open.delete(message.id);
      if (message.error) {
        this.#asking.delete(call);
        this.#host.fail(
          call.request.id,
          INTERNAL_ERROR,
          `The client refused a question of the server: ${message.error.message}`,
        );
        return;
      }
      call.answers[key] = message.result ?? {};
      if (call.open.size === 0) this.#retry(call);
      return;
    }
  }

  #retry(call: AskingCall): void {
    this.#asking.delete(call);
    const { request } = call;
    const id = `spillway-retry-${++this.#count}`;
    this.#host.rekey(request.id, id);
    this.#requests.set(id, { ...request, id });
    this.#requests.delete(request.id);
    const params = {
      ...request.params,
      ...(Object.keys(call.answers).length > 0 ? { inputResponses: call.answers } : {}),
      ...(call.state === undefined ? {} : { requestState: call.state }),
    };
    this.#host.toUpstream({ ...request, id, params: addEnvelope(params, this.#envelope) });
  }
}
