import type { Frame, RequestId } from "../../mcp-shared/json-rpc.ts";
import type { LargeMessage } from "../spool/spool.ts";

/** The way back to a client. */
export interface ClientPort {
  send(frame: Frame): void;
  sendLarge(message: LargeMessage): Promise<void>;
  /** Closes the stream of a request whose client is to come back for the answer, where it can. */
  closeStream?(id: RequestId): void;
}
