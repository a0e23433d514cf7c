import type { Spillway } from "../../../gate/types.ts";
import { FIRST_VERSION_WITH_LINKS } from "../../mcp-shared/era.ts";
import type { Frame, JsonObject } from "../../mcp-shared/json-rpc.ts";
import type { BoundRequest } from "../message/bound-context.ts";
import { type BoundMessage, boundMessage } from "../message/bound-message.ts";
import type { LargeMessage } from "../spool/spool.ts";
import type { ClientView } from "./client-view.ts";
import type { Handshake } from "./handshake.ts";
import type { PendingRequest } from "./pending-requests.ts";
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

/** Bounds the answers to calls: knows what the client understands and what the tool promised. */
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
    const { reader } = catalog;
    if (schemaMatters && !catalog.knows(tool)) await catalog.learn(listTools);
    return {
      tool,
      callId: String(clientId),
      query,
      reader: reader === undefined ? otherReader : view.seenName(reader),
      clientBytes: view.client?.maxBytes,
      textOnly: view.textOnly,
      structuredBeside: view.structuredBeside,
      links: handshake.version >= FIRST_VERSION_WITH_LINKS,
      outputSchema: catalog.outputSchema(tool),
      maxMediaBytes: view.maxMediaBytes,
    };
  }
}
