import type { Hint } from "../../../gate/hint.ts";
import type { Spillway } from "../../../gate/types.ts";
import type { ConfiguredStrategy, Limits } from "../../../limits/types.ts";
import type { JsonObject, RpcMessage } from "../../mcp-shared/json-rpc.ts";
import type { LongStrings } from "../spool/spooled-message.ts";

/** The names under which the client can call the reader tools. */
export interface ReaderNames {
  readonly read: string;
  readonly grep: string;
  readonly search: string;
}

/** How `structuredContent` over the limit is kept from breaking a validating client. */
export type StructuredMode = "shrink" | "hide-schema";

/** Everything about a call that bounding its result needs; plain data, so that it can cross to a worker. */
export interface BoundRequest {
  readonly tool: string;
  readonly callId: string;
  readonly readers?: ReaderNames | undefined;
  /** Whether the client knows `resource_link` (since 2025-06-18). */
  readonly links: boolean;
  readonly outputSchema?: JsonObject | undefined;
  /** Most bytes that images, audio and binary resources may take together, as base64. @default the call's maxBytes */
  readonly maxMediaBytes?: number | undefined;
}

export interface BoundContext extends BoundRequest {
  readonly spillway: Spillway;
  readonly limits: Limits;
  readonly strategy: ConfiguredStrategy;
  /** The message that is bounded, with what is on disk named only. */
  readonly message: RpcMessage;
  /** The host's own wording of what to do next. */
  readonly words?: ((hint: Hint) => string) | undefined;
  /** Where long strings of the result are, when it was too large for memory. */
  readonly spooled?: LongStrings | undefined;
}
