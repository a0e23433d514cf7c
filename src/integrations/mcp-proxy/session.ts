import type { Spillway } from "../../gate/types.ts";
import { type Era, eraOf, shapeResult } from "../mcp-shared/era.ts";
import {
  CONNECTION_CLOSED,
  createError,
  createResult,
  type Frame,
  INTERNAL_ERROR,
  INVALID_REQUEST,
  isNotification,
  isObject,
  isRequest,
  isResponse,
  type JsonObject,
  type RequestId,
  type RpcMessage,
} from "../mcp-shared/json-rpc.ts";
import { AnswerBounder } from "./answer-bounder.ts";
import type { StructuredMode } from "./bound/bound-context.ts";
import type { BoundMessage } from "./bound/bound-message.ts";
import type { ClientPort } from "./client/client-port.ts";
import { ParkingPort } from "./client/parking-port.ts";
import { Handshake } from "./handshake.ts";
import type { OpenLink, Report } from "./link/link.ts";
import { OwnOffer } from "./own-offer.ts";
import { OwnRequests } from "./own-requests.ts";
import { type PendingRequest, PendingRequests } from "./pending-requests.ts";
import type { ExpectedAnswer, LargeArrival, LargeMessage } from "./spool/spool.ts";
import type { MessageHeader } from "./spool/spooled-message.ts";
import { ToolCatalog } from "./tool-catalog.ts";
import type { PendingIds, TranslatorHost } from "./translate/translator.ts";
import { Upstream } from "./upstream.ts";

export interface SessionOptions {
  readonly spillway: Spillway;
  readonly openLink: OpenLink;
  readonly report: Report;
  readonly structured: StructuredMode;
  readonly readers: boolean;
  readonly maxMediaBytes?: number | undefined;
  readonly onFatal: (error: Error) => void;
}

/** One client's conversation with one upstream: passes everything on, bounds what tools answer. */
export class ProxySession implements TranslatorHost {
  readonly #options: SessionOptions;
  readonly #client: ParkingPort;
  readonly #upstream: Upstream;
  readonly #catalog: ToolCatalog;
  readonly #offer: OwnOffer;
  readonly #own: OwnRequests;
  readonly #handshake: Handshake;
  readonly #bounder: AnswerBounder;
  readonly #pending = new PendingRequests();
  /** Requests of the upstream that the client has not answered. */
  readonly #asked = new Set<RequestId>();
  #era: Era | undefined;
  #inbound: Promise<void> = Promise.resolve();
  #outbound: Promise<void> = Promise.resolve();

  constructor(client: ClientPort, options: SessionOptions) {
    this.#client = new ParkingPort(client);
    this.#options = options;
    this.#catalog = new ToolCatalog(options);
    this.#offer = new OwnOffer(this.#catalog, options.spillway.store);
    this.#upstream = new Upstream(
      options.openLink,
      {
        onFrame: (frame) => this.#receive(frame),
        onLarge: (arrival) => void this.#receiveLarge(arrival),
        expected: () => this.#expected(),
        onOpen: () => this.#handshake.replay(),
        onDown: (reason) => this.#failAll(reason),
        onFatal: options.onFatal,
      },
      options.report,
    );
    this.#own = new OwnRequests((message, now) =>
      now ? this.#upstream.sendNow({ message }) : this.#upstream.send({ message }),
    );
    this.#handshake = new Handshake(this, this.#own);
    this.#bounder = new AnswerBounder({
      spillway: options.spillway,
      catalog: this.#catalog,
      handshake: this.#handshake,
      maxMediaBytes: options.maxMediaBytes,
      listTools: (params) => this.request("tools/list", params),
    });
  }

  start(): Promise<void> {
    return this.#upstream.start();
  }

  async close(): Promise<void> {
    await this.#upstream.close();
  }

  /** Takes a message of the client. */
  fromClient(frame: Frame): void {
    this.#outbound = this.#outbound
      .then(() => this.#fromClient(frame))
      .catch((error: unknown) => this.#sendFailed(frame.message, error));
  }

  /** Takes a message of the client that was too large for memory. */
  fromClientLarge(arrival: LargeArrival): void {
    if (arrival.kind !== "message") {
      const header = arrival.kind === "refused" ? arrival.header : undefined;
      const reason = arrival.kind === "garbage" ? "it is not JSON-RPC" : arrival.reason;
      this.#refuseClient(header, `The client's message was refused: ${reason}`);
      return;
    }
    const { message } = arrival;
    this.#outbound = this.#outbound
      .then(async () => {
        // Large arguments are rare and go through memory once, so that the same rules hold for them.
        const parsed = await message.parse().finally(() => message.discard());
        await this.#fromClient({ message: parsed });
      })
      .catch((error: unknown) => this.#refuseClient(message.header, (error as Error).message));
  }

  toClient(message: RpcMessage): void {
    this.#client.send({ message });
  }

  toUpstream(message: RpcMessage): void {
    void this.#upstream.send({ message }).catch((error: unknown) => this.#sendFailed(message, error));
  }

  request(method: string, params?: JsonObject): Promise<JsonObject> {
    return this.#own.request(method, this.#handshake.envelop(params));
  }

  pending(): readonly PendingIds[] {
    return this.#pending.all();
  }

  answer(clientId: RequestId, result: JsonObject): void {
    const method = this.#pending.take(clientId)?.method ?? "";
    this.toClient(createResult(clientId, shapeResult(method, result, this.#era ?? "legacy")));
  }

  fail(upstreamId: RequestId, code: number, reason: string): void {
    const pending = this.#pending.take(upstreamId);
    this.toClient(createError(pending?.clientId ?? upstreamId, code, reason));
  }

  forget(clientId: RequestId): void {
    this.#pending.take(clientId);
  }

  park(clientId: RequestId, result: JsonObject): void {
    this.#client.park(clientId, result);
  }

  resume(parked: PendingIds, clientId: RequestId): void {
    this.#pending.answerAs(parked.upstreamId, clientId);
    this.#client.resume(parked.clientId, clientId);
  }

  rekey(from: RequestId, to: RequestId): void {
    this.#pending.rekey(from, to);
  }

  async #fromClient(frame: Frame): Promise<void> {
    const { message } = frame;
    if (isRequest(message)) await this.#fromClientRequest(frame, message);
    else if (isNotification(message)) await this.#fromClientNotification(frame, message);
    else if (isResponse(message)) {
      if (this.#asked.delete(message.id) || this.#handshake.translator) await this.#pass(frame);
    }
  }

  async #fromClientRequest(frame: Frame, message: RpcMessage & { id: RequestId; method: string }): Promise<void> {
    this.#era ??= eraOf(message);
    const local = await this.#offer.answer(message, this.#era, this.#handshake.addedResources);
    if (local) {
      this.toClient(local);
      return;
    }
    this.#pending.add(message);
    if (await this.#handshake.open(message, this.#era)) await this.#pass(frame);
  }

  async #fromClientNotification(frame: Frame, message: RpcMessage & { method: string }): Promise<void> {
    const cancelled = message.method === "notifications/cancelled" ? message.params?.requestId : undefined;
    const pending = this.#pending.findByClientId(cancelled as RequestId);
    if (!pending) {
      await this.#pass(frame);
      return;
    }
    this.#pending.take(pending.upstreamId);
    if (pending.upstreamId === pending.clientId) await this.#pass(frame);
    else await this.#pass({ message: { ...message, params: { ...message.params, requestId: pending.upstreamId } } });
  }

  async #pass(frame: Frame): Promise<void> {
    if (this.#handshake.translator) this.#handshake.translator.fromClient(frame.message);
    else {
      this.#handshake.watch(frame.message);
      void this.#upstream.send(frame).catch((error: unknown) => this.#sendFailed(frame.message, error));
    }
  }

  #receive(frame: Frame): void {
    // The proxy's own requests may be what the queue waits for.
    if (this.#own.settle(frame.message)) return;
    this.#inbound = this.#inbound
      .then(() => this.#fromUpstream(frame))
      .catch((error: unknown) => this.#options.report((error as Error).message));
  }

  async #fromUpstream(frame: Frame): Promise<void> {
    const translator = this.#handshake.translator;
    const message = translator ? translator.fromUpstream(frame.message) : frame.message;
    if (!message) return;
    const same = message === frame.message;
    if (isResponse(message)) await this.#answered(same ? frame : { message });
    else {
      if (isRequest(message)) this.#asked.add(message.id);
      if (message.method === "notifications/tools/list_changed") this.#catalog.expire();
      this.#client.send(same ? frame : { message });
    }
  }

  async #answered(frame: Frame): Promise<void> {
    const upstreamId = frame.message.id!;
    const pending = this.#pending.get(upstreamId);
    // Not asked, or cancelled since: nobody waits for it, and it must not pass unbounded.
    if (!pending) return;
    const { message } = frame;
    if (!isObject(message.result) && !isObject(message.error)) {
      this.fail(upstreamId, INTERNAL_ERROR, "The server sent a malformed response");
      return;
    }
    if (pending.method === "initialize" || pending.method === "server/discover") {
      await this.#handshake.answered(pending.method, message);
      if (this.#handshake.translator) return;
    }
    if (pending.bounded) this.#deliverBounded(upstreamId, frame, await this.#bounder.bound(frame, pending));
    else this.#deliver(upstreamId, frame, message);
  }

  #expected(): readonly ExpectedAnswer[] {
    return [...this.#pending.expected(), ...this.#own.expected()];
  }

  async #receiveLarge(arrival: LargeArrival): Promise<void> {
    if (arrival.kind !== "message") {
      this.#refuse(arrival);
      return;
    }
    const { message } = arrival;
    const { id, method } = message.header;
    try {
      if (method !== undefined) {
        if (id !== undefined) this.#asked.add(id);
        await this.#client.sendLarge(message);
        return;
      }
      const pending = id === undefined ? undefined : this.#pending.get(id);
      if (!pending) {
        if (id !== undefined && this.#own.has(id)) this.#own.settle(await message.parse());
        return;
      }
      await this.#answeredLarge(pending, message);
    } catch (error) {
      if (id !== undefined && this.#pending.get(id)) this.fail(id, INTERNAL_ERROR, (error as Error).message);
    } finally {
      await message.discard();
    }
  }

  async #answeredLarge(pending: PendingRequest, message: LargeMessage): Promise<void> {
    if (pending.bounded) {
      const bounded = await this.#bounder.boundLarge(message, pending);
      this.#deliverBounded(pending.upstreamId, { message: bounded.message }, bounded);
    } else if (this.#passesAsItIs(pending)) {
      this.#pending.take(pending.upstreamId);
      await this.#client.sendLarge(message);
    } else this.#receive({ message: await message.parse() });
  }

  #passesAsItIs(pending: PendingRequest): boolean {
    const listed =
      pending.method.endsWith("/list") || pending.method === "initialize" || pending.method === "server/discover";
    return !listed && pending.clientId === pending.upstreamId && !this.#handshake.translator;
  }

  #deliverBounded(upstreamId: RequestId, frame: Frame, { message, artifacts }: BoundMessage): void {
    if (!this.#pending.get(upstreamId)) return;
    this.#offer.remember(artifacts);
    this.#deliver(upstreamId, frame, message);
  }

  /** Sends a response on, in the client's era, with what the proxy adds to lists. */
  #deliver(upstreamId: RequestId, frame: Frame, message: RpcMessage): void {
    const pending = this.#pending.take(upstreamId);
    if (!pending) return;
    let shown = message;
    if (isObject(message.result)) {
      const added = this.#addOwn(pending, message.result);
      const result = this.#handshake.translator ? shapeResult(pending.method, added, this.#era ?? "legacy") : added;
      if (result !== message.result) shown = { ...message, result };
    }
    if (pending.clientId !== pending.upstreamId) shown = { ...shown, id: pending.clientId };
    this.#client.send(shown === frame.message ? frame : { message: shown });
  }

  #addOwn(pending: PendingRequest, result: JsonObject): JsonObject {
    switch (pending.method) {
      case "initialize":
      case "server/discover":
        return this.#handshake.advertise(result);
      case "tools/call":
        this.#pending.noteTask(pending.tool, result);
        return result;
      default:
        return this.#offer.addTo(pending.method, result);
    }
  }

  #refuse(arrival: Exclude<LargeArrival, { kind: "message" }>): void {
    if (arrival.kind === "lost") {
      this.#options.report(`a large message was lost: ${arrival.reason}`);
      for (const { id } of arrival.expected)
        if (this.#pending.get(id))
          this.fail(id, INTERNAL_ERROR, `The answer was lost: ${arrival.reason}. The call can be repeated.`);
      return;
    }
    if (arrival.kind === "garbage") {
      this.#options.report(`a line of ${arrival.bytes} bytes is not JSON-RPC, skipped`);
      return;
    }
    const reason = `The server's answer of ${arrival.bytes} bytes was refused: ${arrival.reason}`;
    const id = arrival.header?.id;
    if (arrival.bytes > 0) this.#options.report(reason);
    if (id === undefined || arrival.header?.method !== undefined || !this.#pending.get(id)) return;
    this.fail(id, INTERNAL_ERROR, arrival.bytes > 0 ? `${reason}. Ask for less.` : `No answer: ${arrival.reason}`);
  }

  #refuseClient(header: MessageHeader | undefined, reason: string): void {
    this.#options.report(reason);
    if (header?.id !== undefined && header.method !== undefined) this.fail(header.id, INVALID_REQUEST, reason);
  }

  #sendFailed(message: RpcMessage, error: unknown): void {
    const reason = (error as Error).message;
    const pending = isRequest(message) ? this.#pending.get(message.id) : undefined;
    if (pending) this.#failCall(pending, reason);
    else this.#options.report(reason);
  }

  #failAll(reason: string): void {
    for (const pending of this.#pending.all()) this.#failCall(pending, reason);
    this.#own.failAll(reason);
    this.#handshake.translator?.forgetQuestions();
    for (const id of this.#asked)
      this.toClient({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id, reason } });
    this.#asked.clear();
  }

  #failCall(pending: PendingRequest, reason: string): void {
    const text = `No answer: ${reason}. The proxy starts the server again; the call can be repeated then.`;
    if (pending.method !== "tools/call") {
      this.fail(pending.upstreamId, CONNECTION_CLOSED, text);
      return;
    }
    this.#pending.take(pending.upstreamId);
    const result = { content: [{ type: "text", text }], isError: true };
    this.toClient(createResult(pending.clientId, shapeResult(pending.method, result, this.#era ?? "legacy")));
  }
}
