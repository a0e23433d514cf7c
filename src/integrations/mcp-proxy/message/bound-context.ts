import type { NoticeReader } from "../../../gate/render/mcp-notice.ts";
import type { Spillway } from "../../../gate/types.ts";
import type { ConfiguredStrategy, Limits } from "../../../limits/types.ts";
import type { Outcome } from "../../../protocol/outcome.ts";
import type { QueryContext } from "../../../query/query-context.ts";
import type { JsonObject, RpcMessage } from "../../mcp-shared/json-rpc.ts";
import type { ClientBytes } from "../../mcp-shared/mcp-client.ts";
import type { LongStrings } from "./result-on-disk.ts";

/**
 * What becomes of `structuredContent` over the limit: `shrink` keeps it valid for its schema, `hide-schema` shrinks it
 * freely, `text` leaves it out in favour of the text blocks; the latter two advertise no schema. `auto` is `text` for
 * clients whose model would see no text beside it, else `shrink`.
 */
export type StructuredMode = "auto" | "shrink" | "hide-schema" | "text";

/** Everything about a call that bounding its result needs; plain data, so that it can cross to a worker. */
export interface BoundRequest extends Pick<NoticeReader, "reader" | "readerBytes" | "queryTool"> {
  readonly tool: string;
  readonly callId: string;
  /** What is known of why the tool was called. */
  readonly query?: QueryContext | undefined;
  /** What the client shows of a result, for calls whose bytes nobody configured. */
  readonly clientBytes?: ClientBytes | undefined;
  /** A result of which anything was cut has no `structuredContent`: the client would show nothing else, or both. */
  readonly textOnly?: boolean | undefined;
  /** The client shows texts and `structuredContent`: both together have to be within the limit. */
  readonly structuredBeside?: boolean | undefined;
  /** Whether the client knows `resource_link` (since 2025-06-18). */
  readonly links: boolean;
  readonly outputSchema?: JsonObject | undefined;
  /** Most bytes that images and audio may take together, as base64. @default the call's maxBytes */
  readonly maxMediaBytes?: number | undefined;
  /** How many secrets of each kind were taken out of the answer. */
  readonly redacted?: Readonly<Record<string, number>> | undefined;
}

export interface BoundContext extends BoundRequest, Pick<NoticeReader, "words"> {
  readonly spillway: Spillway;
  readonly limits: Limits;
  readonly strategy: ConfiguredStrategy;
  /** How the tool says that it ended. */
  readonly outcome: Outcome;
  /** The message that is bounded, with what is on disk named only. */
  readonly message: RpcMessage;
  /** Where long strings of the result are, when it was too large for memory. */
  readonly spooled?: LongStrings | undefined;
}
