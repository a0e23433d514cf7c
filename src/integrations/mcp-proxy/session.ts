import type { Spillway } from "../../gate/types.ts";
import {
  type Frame,
  INTERNAL_ERROR,
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
import type { ClientPort } from "./client/client-port.ts";
import { ParkingPort } from "./client/parking-port.ts";
import { ClientAnswers } from "./client-answers.ts";
import { Failures } from "./failures.ts";
import { Handshake } from "./handshake.ts";
import type { OpenLink, Report } from "./link/link.ts";
import { OwnOffer } from "./own-offer.ts";
import { OwnRequests } from "./own-requests.ts";
import { type PendingRequest, PendingRequests } from "./pending-requests.ts";
import type { LargeArrival, LargeMessage } from "./spool/spool.ts";
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
  readonly #answers: ClientAnswers;
  readonly #failures: Failures;
  readonly #pending = new PendingRequests();
  /** Requests of the upstream that the client has not answered. */
  readonly #asked = new Set<RequestId>();
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
        expected: () => [...this.#pending.expected(), ...this.#own.expected()],
        onOpen: () => this.#handshake.replay(),
        onDown: (reason) => this.#wentDown(reason),
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
    this.#answers = new ClientAnswers(this.#client, this.#pending, this.#handshake, this.#offer);
    this.#failures = new Failures(this.#pending, this.#answers, options.report);
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
      .catch((error: unknown) => this.#failures.sendFailed(frame.message, error));
  }

  /** Takes a message of the client that was too large for memory. */
  fromClientLarge(arrival: LargeArrival): void {
    if (arrival.kind !== "message") {
      const header = arrival.kind === "garbage" ? undefined : arrival.header;
      const reason = arrival.kind === "garbage" ? "it is not JSON-RPC" : arrival.reason;
      this.#failures.refuseClient(header, `The client's message was refused: ${reason}`);
      return;
    }
    const { message } = arrival;
    this.#outbound = this.#outbound
      .then(async () => {
        // Large arguments are rare and go through memory once, so that the same rules hold for them.
        const parsed = await message.parse().finally(() => message.discard());
        await this.#fromClient({ message: parsed });
      })
      .catch((error: unknown) => this.#failures.refuseClient(message.header, (error as Error).message));
  }

  toClient(message: RpcMessage): void {
    this.#client.send({ message });
  }

  toUpstream(message: RpcMessage): void {
    void this.#upstream.send({ message }).catch((error: unknown) => this.#failures.sendFailed(message, error));
  }

  request(method: string, params?: JsonObject): Promise<JsonObject> {
    return this.#own.request(method, this.#handshake.envelop(params));
  }

  pending(): readonly PendingIds[] {
    return this.#pending.all();
  }

  answer(clientId: RequestId, result: JsonObject): void {
    this.#answers.answer(clientId, result);
  }

  fail(upstreamId: RequestId, code: number, reason: string): void {
    this.#answers.fail(upstreamId, code, reason);
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
    this.#handshake.meet(message);
    const local = await this.#offer.answer(message, this.#handshake.era, this.#handshake.addedResources);
    if (local) {
      this.toClient(local);
      return;
    }
    this.#pending.add(message);
    if (await this.#handshake.open(message)) await this.#pass(frame);
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
      void this.#upstream.send(frame).catch((error: unknown) => this.#failures.sendFailed(frame.message, error));
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
      this.#answers.fail(upstreamId, INTERNAL_ERROR, "The server sent a malformed response");
      return;
    }
    if (pending.method === "initialize" || pending.method === "server/discover") {
      await this.#handshake.answered(pending.method, message);
      if (this.#handshake.translator) return;
    }
    if (pending.bounded) this.#answers.deliverBounded(upstreamId, frame, await this.#bounder.bound(frame, pending));
    else this.#answers.deliver(upstreamId, frame, message);
  }

  async #receiveLarge(arrival: LargeArrival): Promise<void> {
    if (arrival.kind !== "message") {
      this.#failures.refuse(arrival);
      return;
    }
    const { message } = arrival;
    const { id, method } = message.header;
    try {
      if (method !== undefined) await this.#saidLarge(message);
      else if (id !== undefined) await this.#answeredLarge(id, message);
    } catch (error) {
      const reason = (error as Error).message;
      if (method === undefined && id !== undefined && this.#pending.get(id))
        this.#answers.fail(id, INTERNAL_ERROR, reason);
      else this.#options.report(reason);
    } finally {
      await message.discard();
    }
  }

  /** A large question or notification of the upstream. */
  async #saidLarge(message: LargeMessage): Promise<void> {
    if (this.#handshake.translator) {
      this.#receive({ message: await message.parse() });
      return;
    }
    if (message.header.id !== undefined) this.#asked.add(message.header.id);
    await this.#client.sendLarge(message);
  }

  async #answeredLarge(id: RequestId, message: LargeMessage): Promise<void> {
    const pending = this.#pending.get(id);
    if (!pending) {
      if (this.#own.has(id)) this.#own.settle(await message.parse());
    } else if (pending.bounded) {
      const bounded = await this.#bounder.boundLarge(message, pending);
      const { translator } = this.#handshake;
      const shown = translator ? translator.fromUpstream(bounded.message) : bounded.message;
      if (shown) this.#answers.deliverBounded(id, { message: shown }, { ...bounded, message: shown });
    } else if (this.#passesAsItIs(pending)) {
      this.#pending.take(id);
      await this.#client.sendLarge(message);
    } else this.#receive({ message: await message.parse() });
  }

  #passesAsItIs({ method, clientId, upstreamId }: PendingRequest): boolean {
    const listed = method.endsWith("/list") || method === "initialize" || method === "server/discover";
    return !listed && clientId === upstreamId && !this.#handshake.translator;
  }

  #wentDown(reason: string): void {
    this.#failures.failAll(reason);
    this.#own.failAll(reason);
    this.#handshake.translator?.forgetQuestions();
    for (const id of this.#asked)
      this.toClient({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id, reason } });
    this.#asked.clear();
  }
}
