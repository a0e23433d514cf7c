import { isObject } from "../../../bytes/json/is-object.ts";
import { renderMcpError } from "../../../gate/render/mcp-notice.ts";
import type { Spillway } from "../../../gate/types.ts";
import { FIRST_VERSION_WITH_LINKS, shapeResult } from "../../mcp-shared/era.ts";
import {
  CONNECTION_CLOSED,
  createError,
  createResult,
  type Frame,
  type JsonObject,
  type RequestId,
  type RpcMessage,
} from "../../mcp-shared/json-rpc.ts";
import { readerRoom } from "../../mcp-shared/reader-tool.ts";
import type { ClientPort } from "../client/client-port.ts";
import type { BoundRequest } from "../message/bound-context.ts";
import { type BoundMessage, boundMessage } from "../message/bound-message.ts";
import type { LargeMessage } from "../spool/spool.ts";
import type { ClientView } from "./client-view.ts";
import type { Handshake } from "./handshake.ts";
import type { OwnOffer } from "./own-offer.ts";
import type { PendingRequest, PendingRequests } from "./pending-requests.ts";
import type { ToolCatalog } from "./tool-catalog.ts";

/** A smaller answer is within any sensible limit, and its tool's schema does not matter. */
const SCHEMA_FROM_BYTES = 4096;

export interface AnswerBounderOptions {
  readonly spillway: Spillway;
  readonly catalog: ToolCatalog;
  readonly handshake: Handshake;
  readonly view: ClientView;
  /** The reader of another server that the client has, as its model sees it. */
  readonly otherReader?: string | undefined;
  /** Asks the upstream for a page of its tools. */
  readonly listTools: (params?: JsonObject) => Promise<JsonObject>;
}

/** Bounds the answers to calls, for the client's capabilities and the tool's declared output. */
export class AnswerBounder {
  readonly #options: AnswerBounderOptions;

  constructor(options: AnswerBounderOptions) {
    this.#options = options;
  }

  async bound({ message, raw, redacted }: Frame, call: PendingRequest): Promise<BoundMessage> {
    const structured = message.result?.structuredContent !== undefined;
    const large = raw === undefined || raw.length > SCHEMA_FROM_BYTES;
    const request = { ...(await this.#describe(call, structured && large)), redacted };
    return boundMessage(message, request, this.#options.spillway);
  }

  async boundLarge(message: LargeMessage, call: PendingRequest): Promise<BoundMessage> {
    return message.bound(await this.#describe(call, true));
  }

  async #describe({ tool, clientId, query }: PendingRequest, schemaMatters: boolean): Promise<BoundRequest> {
    const { catalog, handshake, view, otherReader, listTools } = this.#options;
    const { reader, query: queryTool } = catalog;
    if (schemaMatters && !catalog.knows(tool)) await catalog.learn(listTools);
    return {
      tool,
      callId: String(clientId),
      query,
      reader: reader === undefined ? otherReader : view.seenName(reader),
      queryTool: queryTool === undefined ? undefined : view.seenName(queryTool),
      readerBytes: readerRoom(view.readerLimits.maxBytes),
      clientBytes: view.client?.maxBytes,
      textOnly: view.textOnly,
      structuredBeside: view.structuredBeside,
      links: handshake.version >= FIRST_VERSION_WITH_LINKS,
      outputSchema: catalog.outputSchema(tool),
      maxMediaBytes: view.maxMediaBytes,
    };
  }
}

/** Answers the client's requests: each once, by the id that the client knows, in the client's era. */
export class ClientAnswers {
  readonly #client: ClientPort;
  readonly #pending: PendingRequests;
  readonly #handshake: Handshake;
  readonly #offer: OwnOffer;

  constructor(client: ClientPort, pending: PendingRequests, handshake: Handshake, offer: OwnOffer) {
    this.#client = client;
    this.#pending = pending;
    this.#handshake = handshake;
    this.#offer = offer;
  }

  /** Answers a request that the upstream never saw. */
  answer(clientId: RequestId, result: JsonObject): void {
    const method = this.#pending.take(clientId, { result })?.method ?? "";
    this.#send(createResult(clientId, shapeResult(method, result, this.#handshake.era)));
  }

  fail(upstreamId: RequestId, code: number, reason: string, data?: unknown): void {
    const pending = this.#pending.take(upstreamId, { error: { code, message: reason } });
    this.#send(createError(pending?.clientId ?? upstreamId, code, reason, data));
  }

  /** A request that lost its server; for a tool call that is a result, which the model gets to read. */
  failUnanswered({ upstreamId, clientId, method }: PendingRequest, reason: string, restarts: boolean): void {
    const next = restarts ? "The proxy starts the server again; the call" : "The call";
    const text = `No answer: ${reason}. ${next} can be repeated then.`;
    this.#pending.take(upstreamId, { error: { code: CONNECTION_CLOSED, message: reason } });
    if (method !== "tools/call") {
      this.#send(createError(clientId, CONNECTION_CLOSED, text, { reason }));
      return;
    }
    this.#send(createResult(clientId, shapeResult(method, renderMcpError(text), this.#handshake.era)));
  }

  /** Sends a bounded answer, unless its request was cancelled. */
  async deliverBounded(upstreamId: RequestId, frame: Frame, { message, artifacts }: BoundMessage): Promise<void> {
    if (!this.#pending.get(upstreamId)) return;
    this.#offer.remember(artifacts);
    await this.deliver(upstreamId, frame, message);
  }

  /** Sends an answer, with the proxy's additions to lists. */
  async deliver(upstreamId: RequestId, frame: Frame, message: RpcMessage): Promise<void> {
    const pending = this.#pending.take(upstreamId, message);
    if (!pending) return;
    let shown = message;
    if (isObject(message.result)) {
      const added = await this.#addOwn(pending, message.result);
      const { translator, era } = this.#handshake;
      const result = translator ? shapeResult(pending.method, added, era) : added;
      if (result !== message.result) shown = { ...message, result };
    }
    if (pending.clientId !== pending.upstreamId) shown = { ...shown, id: pending.clientId };
    const { status } = frame;
    this.#client.send(shown === frame.message ? frame : { message: shown, ...(status !== undefined && { status }) });
  }

  #addOwn(pending: PendingRequest, result: JsonObject): JsonObject | Promise<JsonObject> {
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

  #send(message: RpcMessage): void {
    this.#client.send({ message });
  }
}
