import type { Frame, RequestId } from "../../mcp-shared/json-rpc.ts";
import type { ExpectedAnswer, LargeArrival } from "../spool/spool.ts";

/** Callbacks of a link. None of them may throw. */
export interface LinkEvents {
  onFrame(frame: Frame): void;
  onLarge(arrival: LargeArrival): void;
  /** The server closed the stream of a request and lets its client reconnect for the answer. */
  onPolled?(id: RequestId): void;
  /** The requests that wait for an answer. */
  expected(): readonly ExpectedAnswer[];
  /** The link is gone and will say nothing more; called once, also after `close`. */
  onDown(reason: string): void;
}

/** One life of the connection to the upstream server. */
export interface Link {
  /** Sends a message. Rejects when it certainly did not arrive. */
  send(frame: Frame): Promise<void>;
  close(): Promise<void>;
}

/** Opens a link; called again after it went down. */
export type OpenLink = (events: LinkEvents) => Promise<Link>;

/** Messages of the proxy for people. */
export type Report = (message: string) => void;
