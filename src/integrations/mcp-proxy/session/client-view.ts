import type { Spillway } from "../../../gate/types.ts";
import type { JsonObject } from "../../mcp-shared/json-rpc.ts";
import { type FindClient, type McpClient, seenName } from "../../mcp-shared/mcp-client.ts";
import { MAX_MEDIA_BYTES } from "../../mcp-shared/read-artifact.ts";
import type { ReaderLimits } from "../../mcp-shared/reader-tool.ts";
import type { StructuredMode } from "../message/bound-context.ts";

/** Most characters that a client may be asked to show of one result. */
const LONGEST_RESULT = 500_000;

export interface ClientViewOptions {
  readonly spillway: Spillway;
  readonly clients: FindClient;
  /** How the client's configuration names this server. */
  readonly serverName?: string | undefined;
  readonly structured: StructuredMode;
  readonly maxMediaBytes?: number | undefined;
}

/** How a session's client shows results, by the client's name. */
export class ClientView {
  readonly #options: ClientViewOptions;
  readonly #name: () => string;

  constructor(options: ClientViewOptions, name: () => string) {
    this.#options = options;
    this.#name = name;
  }

  /** Undefined if the client is unknown. */
  get client(): McpClient | undefined {
    return this.#options.clients(this.#name());
  }

  /** True if the notice of a cut result must be text alone. */
  get textOnly(): boolean {
    const { structured } = this.#options;
    return structured === "text" || (structured === "auto" && this.client?.structured !== undefined);
  }

  get structuredBeside(): boolean {
    return this.client?.structured === "beside";
  }

  /** Whether it is sent output schemas. */
  get schemas(): boolean {
    return this.#options.structured !== "hide-schema" && !this.textOnly;
  }

  get maxMediaBytes(): number {
    return this.#options.maxMediaBytes ?? this.client?.maxMediaBytes ?? MAX_MEDIA_BYTES;
  }

  get readerLimits(): ReaderLimits {
    return { maxBytes: this.client?.maxBytes.success, maxMediaBytes: this.maxMediaBytes };
  }

  /** A tool of this server as the client's model sees it. */
  seenName(tool: string): string {
    return seenName(tool, this.client, this.#options.serverName);
  }

  /** Asks the client not to cut a tool's results sooner than was configured. */
  async metaOf(tool: string): Promise<JsonObject | undefined> {
    const { client } = this;
    if (client?.longResultsKey === undefined) return undefined;
    const { limits, origin } = await this.#options.spillway.limits({ tool });
    if (origin.maxBytes.startsWith("built-in") || limits.maxBytes <= client.maxBytes.success) return undefined;
    return { [client.longResultsKey]: Math.min(limits.maxBytes, LONGEST_RESULT) };
  }
}
