import type { Governed } from "../../../gate/types.ts";
import type { Limits } from "../../../limits/types.ts";
import type { Outcome } from "../../../protocol/outcome.ts";
import type { RequestId, RpcMessage } from "../../mcp-shared/json-rpc.ts";

/** A string too long for memory: its value as UTF-8 bytes. */
export interface SpooledString {
  /** Bytes of the escaped form, which is never shorter than the value. */
  readonly escapedBytes: number;
  /** Every piece is valid only until the next is asked for. */
  read(): AsyncIterable<Uint8Array>;
  /** Set when it went through the gate while it arrived. */
  readonly early?: GovernedEarly | undefined;
}

/** A text that went through the gate before it was known what else its result holds. */
export interface GovernedEarly {
  /** The text is one JSON document: no preview of it is shown. */
  readonly json: boolean;
  /** The governed text within these limits; undefined means that the text is to be read. */
  claim(
    call: { readonly tool: string; readonly callId: string; readonly outcome: Outcome },
    limits: Limits,
  ): Promise<Governed | undefined>;
}

/** Where the strings of a message are that it holds only tokens of. */
export interface LongStrings {
  /** The string that a token stands for. */
  resolve(text: string): SpooledString | undefined;
  /** The bytes of the whole message. */
  read(): AsyncIterable<Uint8Array>;
}

/** A response that is too large for memory. */
export interface ResultOnDisk extends LongStrings {
  readonly bytes: number;
  readonly id: RequestId | undefined;
  /** The message with tokens in place of long strings; undefined when its structure alone is too large or it is no JSON. */
  parseSkeleton(): RpcMessage | undefined;
}
