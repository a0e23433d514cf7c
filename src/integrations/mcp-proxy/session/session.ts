import { countsOf } from "../../../gate/capture.ts";
import { renderMcpError } from "../../../gate/render/mcp-notice.ts";
import { redactInTurns, restoreValue } from "../../../redact/redact-value.ts";
import type { Redaction } from "../../../redact/redaction.ts";
import { SecretNumbers } from "../../../redact/secret-numbers.ts";
import { isObserved } from "../../../telemetry/telemetry.ts";
import {
  createError,
  createResult,
  type Frame,
  INVALID_REQUEST,
  isNotification,
  isRequest,
  isResponse,
  type JsonObject,
  type RequestId,
  type RpcMessage,
  type RpcRequest,
} from "../../mcp-shared/json-rpc.ts";
import { type ObservedRequest, observeRequest } from "../../mcp-shared/observe-request.ts";
import type { ClientPort } from "../client/client-port.ts";
import { ParkingPort } from "../client/client-port.ts";
import { refuseVersion } from "../client/serve-http.ts";
import type { OpenLink, Report } from "../link/link.ts";
import { Upstream } from "../link/upstream.ts";
import type { LargeArrival } from "../spool/spool.ts";
import type { PendingIds, TranslatorHost } from "../translate/translator.ts";
import { AnswerBounder, ClientAnswers } from "./client-answers.ts";
import { ClientView, type ClientViewOptions } from "./client-view.ts";
import { Handshake } from "./handshake.ts";
import { OwnOffer, OwnRequests } from "./own-offer.ts";
import { Failures, PendingRequests, type PendingRequestsOptions } from "./pending-requests.ts";
import { ToolCatalog } from "./tool-catalog.ts";
import { UpstreamInbox } from "./upstream-inbox.ts";

/** A call that must not go on, with the answer to it. */
export interface Refused {
  readonly refusal: RpcMessage;
}

/** Keeps secrets from one client: redacts what the server sends, and restores placeholders in what tools receive. */
export class MessageProtection {
  readonly #redaction: Redaction;
  readonly #secrets = new SecretNumbers();

  constructor(redaction: Redaction) {
    this.#redaction = redaction;
  }

  /** The very frame when it holds no secret. */
  async toClient(frame: Frame): Promise<Frame> {
    const { value, counts } = await redactInTurns(this.#redaction, frame.message, this.#secrets);
    const redacted = countsOf(counts);
    return redacted === undefined ? frame : { message: value as RpcMessage, redacted };
  }

  /** A tool call with this session's secrets restored; a call with unknown placeholders is refused. */
  toUpstream(frame: Frame): Frame | Refused {
    const { message } = frame;
    if (message.method !== "tools/call" || !isRequest(message)) return frame;
    const { value, unknown, changed } = restoreValue(message.params, this.#secrets);
    if (unknown.length > 0) {
      const text = `CONFLICT: what ${unknown.slice(0, 5).join(", ")} stands for is not known in this session; the call was not made. Read the secret's source again, or let the user put it there.`;
      return { refusal: createResult(message.id, renderMcpError(text)) };
    }
    return changed ? { message: { ...message, params: value as JsonObject } } : frame;
  }
}

export interface SessionOptions extends ClientViewOptions, PendingRequestsOptions {
  /** Keeps secrets from the client; absent where they pass. */
  readonly protection?: MessageProtection | undefined;
  readonly openLink: OpenLink;
  readonly report: Report;
  /** How the client is connected, for traces. */
  readonly transport: "pipe" | "tcp";
  /** Adds the reader; the name of another server's in its place, as the client's model sees it. */
  readonly readers: boolean | string;
  readonly onFatal: (error: Error) => void;
}

/** One client's conversation with one upstream: passes everything on, and bounds tool results. */
export class ProxySession implements TranslatorHost {
  readonly #options: SessionOptions;
  readonly #client: ParkingPort;
  readonly #upstream: Upstream;
  readonly #offer: OwnOffer;
  readonly #own: OwnRequests;
  readonly #handshake: Handshake;
  readonly #inbox: UpstreamInbox;
  readonly #answers: ClientAnswers;
  readonly #failures: Failures;
  readonly #pending: PendingRequests;
  #outbound: Promise<void> = Promise.resolve();

  constructor(client: ClientPort, options: SessionOptions) {
    this.#options = options;
    this.#client = new ParkingPort(client);
    this.#pending = new PendingRequests(options);
    const view = new ClientView(options, () => this.#handshake.clientName);
    const catalog = new ToolCatalog({
      reader: options.readers === true,
      schemas: () => view.schemas,
      metaOf: (tool) => view.metaOf(tool),
    });
    this.#offer = new OwnOffer(catalog, options.spillway.store, () => view.readerLimits);
    this.#upstream = new Upstream(
      options.openLink,
      {
        onFrame: (frame) => this.#inbox.receive(frame),
        onLarge: (arrival) => void this.#inbox.receiveLarge(arrival),
        onPolled: (id) => {
          const pending = this.#pending.get(id);
          if (pending) this.#client.closeStream(pending.clientId);
        },
        expected: () => [...this.#pending.expected(view.client?.maxBytes.success), ...this.#own.expected()],
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
    const bounder = new AnswerBounder({
      spillway: options.spillway,
      catalog,
      handshake: this.#handshake,
      view,
      otherReader: typeof options.readers === "string" ? options.readers : undefined,
      listTools: (params) => this.request("tools/list", params),
    });
    this.#answers = new ClientAnswers(this.#client, this.#pending, this.#handshake, this.#offer);
    this.#failures = new Failures(this.#pending, this.#answers, options.report);
    this.#inbox = new UpstreamInbox({
      spillway: options.spillway,
      protection: options.protection,
      client: this.#client,
      catalog,
      own: this.#own,
      handshake: this.#handshake,
      bounder,
      answers: this.#answers,
      failures: this.#failures,
      pending: this.#pending,
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

  fail(upstreamId: RequestId, code: number, reason: string, data?: unknown): void {
    this.#answers.fail(upstreamId, code, reason, data);
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
      if (this.#inbox.asked.delete(message.id) || this.#handshake.translator) await this.#pass(frame);
    }
  }

  async #fromClientRequest(frame: Frame, message: RpcRequest): Promise<void> {
    this.#handshake.meet(message);
    const refusal = refuseVersion(message);
    if (refusal) {
      this.toClient(refusal);
      return;
    }
    const observed = await this.#observe(message);
    const answer = () => this.#offer.answer(message, this.#handshake.era, this.#handshake.addedResources);
    const local = await (observed ? observed.run(answer) : answer());
    if (local) {
      observed?.end(local);
      this.toClient((await this.#options.protection?.toClient({ message: local }))?.message ?? local);
      return;
    }
    const sent = this.#options.protection?.toUpstream(frame) ?? frame;
    if ("refusal" in sent) {
      observed?.end(sent.refusal);
      this.toClient(sent.refusal);
      return;
    }
    if (this.#pending.findByClientId(message.id) !== undefined) {
      const reason = `The id ${JSON.stringify(message.id)} belongs to a request that still waits for its answer`;
      const refused = createError(message.id, INVALID_REQUEST, reason);
      observed?.end(refused);
      this.toClient(refused);
      return;
    }
    this.#pending.add(message, observed);
    if (await this.#handshake.open(message)) await this.#pass(observed ? addContext(sent, observed) : sent);
  }

  /** A session behind another has its requests observed there. */
  async #observe(message: RpcRequest): Promise<ObservedRequest | undefined> {
    const { bounds = true, transport } = this.#options;
    if (!bounds || !isObserved()) return undefined;
    return observeRequest(message, { tool: this.#pending.toolOf(message), transport });
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

  #wentDown(reason: string): void {
    this.#failures.failAll(reason);
    this.#own.failAll(reason);
    this.#handshake.translator?.forgetQuestions();
    for (const id of this.#inbox.asked)
      this.toClient({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id, reason } });
    this.#inbox.asked.clear();
  }
}

/** The frame with our trace context; the same frame if there is none. */
function addContext(frame: Frame, observed: ObservedRequest): Frame {
  const message = observed.withContext(frame.message);
  if (message === frame.message) return frame;
  const { raw: _, ...rest } = frame;
  return { ...rest, message };
}
