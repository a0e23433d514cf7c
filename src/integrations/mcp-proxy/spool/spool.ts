import type { LargeLine } from "../../../bytes/line-frames.ts";
import type { QueryContext } from "../../../query/query-context.ts";
import type { RequestId, RpcMessage } from "../../mcp-shared/json-rpc.ts";
import type { BoundRequest } from "../message/bound-context.ts";
import type { BoundMessage } from "../message/bound-message.ts";
import type { MessageHeader } from "./message-header.ts";

/** A complete message too large for memory. Whoever receives it discards it. */
export interface LargeMessage {
  readonly header: MessageHeader;
  /** The response to a tool call, bounded. */
  bound(request: BoundRequest): Promise<BoundMessage>;
  /** The bytes as they came; fails for the answer to a call, which is there to be bounded. */
  read(): AsyncIterable<Uint8Array>;
  /** The whole message in memory; fails where `read` fails. */
  parse(): Promise<RpcMessage>;
  discard(): Promise<void>;
}

/** What came, but is not taken. */
export type UntakenArrival =
  | {
      readonly kind: "refused";
      readonly header: MessageHeader | undefined;
      readonly bytes: number;
      readonly reason: string;
    }
  | { readonly kind: "garbage"; readonly bytes: number };

export type LargeArrival =
  | { readonly kind: "message"; readonly message: LargeMessage }
  | UntakenArrival
  | {
      readonly kind: "lost";
      /** As much of it as was seen. */
      readonly header: MessageHeader;
      /** If it was an answer, then to one of these requests; only one when its id was seen. */
      readonly expected: readonly ExpectedAnswer[];
      readonly reason: string;
    };

/** A request whose answer may be what arrives. */
export interface ExpectedAnswer {
  readonly id: RequestId;
  /** Set when the answer is to be bounded. */
  readonly call?:
    | {
        readonly tool: string;
        readonly callId: string;
        readonly clientBytes?: number | undefined;
        readonly query?: QueryContext | undefined;
      }
    | undefined;
}

/** Takes large messages off memory. */
export interface Spool {
  /**
   * Opens a place for one message; `onArrival` is called once, unless the line is aborted. `expected` holds every request
   * without an answer: when it is clear that this is the answer to a call, its text may go through the gate while it arrives.
   */
  open(onArrival: (arrival: LargeArrival) => void, expected?: readonly ExpectedAnswer[]): LargeLine;
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
