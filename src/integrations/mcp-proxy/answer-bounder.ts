import type { Spillway } from "../../gate/types.ts";
import { FIRST_VERSION_WITH_LINKS } from "../mcp-shared/era.ts";
import type { Frame, JsonObject } from "../mcp-shared/json-rpc.ts";
import type { BoundRequest } from "./bound/bound-context.ts";
import { type BoundMessage, boundMessage } from "./bound/bound-message.ts";
import type { Handshake } from "./handshake.ts";
import type { PendingRequest } from "./pending-requests.ts";
import type { LargeMessage } from "./spool/spool.ts";
import type { ToolCatalog } from "./tool-catalog.ts";

/** A smaller answer is within any sensible limit, and its tool's schema does not matter. */
const SCHEMA_FROM_BYTES = 4096;

export interface AnswerBounderOptions {
  readonly spillway: Spillway;
  readonly catalog: ToolCatalog;
  readonly handshake: Handshake;
  readonly maxMediaBytes: number | undefined;
  /** Asks the upstream for a page of its tools. */
  readonly listTools: (params?: JsonObject) => Promise<JsonObject>;
}

/** Bounds the answers to calls: knows what the client understands and what the tool promised. */
export class AnswerBounder {
  readonly #options: AnswerBounderOptions;

  constructor(options: AnswerBounderOptions) {
    this.#options = options;
  }

  async bound({ message, raw }: Frame, call: PendingRequest): Promise<BoundMessage> {
    const structured = message.result?.structuredContent !== undefined;
    const large = raw === undefined || raw.length > SCHEMA_FROM_BYTES;
    return boundMessage(message, await this.#describe(call, structured && large), this.#options.spillway);
  }

  async boundLarge(message: LargeMessage, call: PendingRequest): Promise<BoundMessage> {
    return message.bound(await this.#describe(call, true));
  }

  async #describe({ tool, clientId }: PendingRequest, schemaMatters: boolean): Promise<BoundRequest> {
    const { catalog, handshake, maxMediaBytes, listTools } = this.#options;
    if (schemaMatters && !catalog.knows(tool)) await catalog.learn(listTools);
    return {
      tool,
      callId: String(clientId),
      readers: catalog.readers,
      links: handshake.version >= FIRST_VERSION_WITH_LINKS,
      outputSchema: catalog.outputSchema(tool),
      maxMediaBytes,
    };
  }
}
