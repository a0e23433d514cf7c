import type { Frame } from "../../mcp-shared/json-rpc.ts";
import type { LargeMessage } from "../spool/spool.ts";

/** The way back to a client. */
export interface ClientPort {
  send(frame: Frame): void;
  sendLarge(message: LargeMessage): Promise<void>;
}
