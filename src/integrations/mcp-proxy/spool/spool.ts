import type { RequestId, RpcMessage } from "../../mcp-shared/json-rpc.ts";
import type { LargeLine } from "../../mcp-shared/line-frames.ts";
import type { BoundRequest } from "../bound/bound-context.ts";
import type { BoundMessage } from "../bound/bound-message.ts";
import type { MessageHeader } from "./spooled-message.ts";

/** A complete message too large for memory. Whoever receives it discards it. */
export interface LargeMessage {
  readonly header: MessageHeader;
  /** The response to a tool call, bounded. */
  bound(request: BoundRequest): Promise<BoundMessage>;
  /** The bytes as they came. */
  read(): AsyncIterable<Uint8Array>;
  /** The whole message in memory. */
  parse(): Promise<RpcMessage>;
  discard(): Promise<void>;
}

export type LargeArrival =
  | { readonly kind: "message"; readonly message: LargeMessage }
  | {
      readonly kind: "refused";
      readonly header: MessageHeader | undefined;
      readonly bytes: number;
      readonly reason: string;
    }
  | { readonly kind: "garbage"; readonly bytes: number };

/** A tool call whose result may be what arrives. */
export interface ExpectedCall {
  readonly id: RequestId;
  readonly tool: string;
  readonly callId: string;
}

/** Takes large messages off memory. */
export interface Spool {
  /**
   * Opens a place for one message; `onArrival` is called once, unless the line is aborted. When it is clear which of the
   * `expected` calls it answers, its long text goes through the gate while it arrives.
   */
  open(onArrival: (arrival: LargeArrival) => void, expected?: readonly ExpectedCall[]): LargeLine;
  /** Writes what was counted, removes what is left, ends. */
  close(): Promise<void>;
}

export interface SpoolOptions {
  /** A private folder that exists. */
  readonly folder: string;
  readonly maxMessageBytes: number;
}

/** Reads a spool file into one message. */
export async function parseAll(chunks: AsyncIterable<Uint8Array>): Promise<RpcMessage> {
  const parts: Uint8Array[] = [];
  for await (const part of chunks) parts.push(part);
  return JSON.parse(Buffer.concat(parts).toString("utf8")) as RpcMessage;
}
