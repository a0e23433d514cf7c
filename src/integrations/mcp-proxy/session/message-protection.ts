import { countsOf } from "../../../gate/capture.ts";
import { renderMcpError } from "../../../gate/render/mcp-blocks.ts";
import { redactInTurns, restoreValue } from "../../../redact/redact-value.ts";
import type { Redaction } from "../../../redact/redaction.ts";
import { SecretNumbers } from "../../../redact/secret-numbers.ts";
import { createResult, type Frame, isRequest, type JsonObject, type RpcMessage } from "../../mcp-shared/json-rpc.ts";

/** A call that must not go on, with the answer to it. */
export interface Refused {
  readonly refusal: RpcMessage;
}

/** Keeps secrets from one client: takes them out of what the server says, and puts them back into what tools are given. */
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

  /** A call of a tool with this session's secrets in it; one whose placeholders nobody knows is refused. */
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
