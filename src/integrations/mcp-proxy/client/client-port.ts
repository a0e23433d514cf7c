import type { EventStore, JSONRPCMessage } from "@modelcontextprotocol/server";
import { createResult, type Frame, isResponse, type JsonObject, type RequestId } from "../../mcp-shared/json-rpc.ts";
import type { LargeMessage } from "../spool/spool.ts";

/**
 * The channel to a client whose requests may be parked: a request that was answered with a question gets its real
 * answer later, under the id with which the client continues it.
 */
export class ParkingPort implements ClientPort {
  readonly #port: ClientPort;
  /** Requests put off, with the answers that came meanwhile. */
  readonly #parked = new Map<RequestId, Frame | undefined>();

  constructor(port: ClientPort) {
    this.#port = port;
  }

  send(frame: Frame): void {
    const { message } = frame;
    if (!isResponse(message) || !this.#parked.has(message.id)) this.#port.send(frame);
    else if (!this.#parked.get(message.id)) this.#parked.set(message.id, frame);
  }

  sendLarge(message: LargeMessage): Promise<void> {
    return this.#port.sendLarge(message);
  }

  closeStream(id: RequestId): void {
    this.#port.closeStream?.(id);
  }

  /** Answers a request for the time being. */
  park(id: RequestId, result: JsonObject): void {
    this.#port.send({ message: createResult(id, result) });
    this.#parked.set(id, undefined);
  }

  /** The client continues a parked request under another id; that one may be parked too. */
  resume(parked: RequestId, id: RequestId): void {
    const frame = this.#parked.get(parked);
    this.#parked.delete(parked);
    if (frame) this.send({ message: { ...frame.message, id } });
  }
}

/** A client that reconnects gets the events it missed, as far as they are kept. */
const MOST_BYTES = 16 * 1024 * 1024;

interface StoredEvent {
  readonly stream: string;
  readonly message: JSONRPCMessage;
  readonly bytes: number;
}

/** The latest events of a session's streams, for clients whose stream broke. */
export class RecentEvents implements EventStore {
  /** In the order of sending. */
  readonly #events = new Map<string, StoredEvent>();
  #bytes = 0;
  #count = 0;

  async storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    const id = `${stream}/${++this.#count}`;
    const bytes = JSON.stringify(message).length;
    this.#events.set(id, { stream, message, bytes });
    this.#bytes += bytes;
    for (const [oldest, event] of this.#events) {
      if (this.#bytes <= MOST_BYTES || oldest === id) break;
      this.#events.delete(oldest);
      this.#bytes -= event.bytes;
    }
    return id;
  }

  async getStreamIdForEventId(id: string): Promise<string | undefined> {
    return this.#events.get(id)?.stream;
  }

  async replayEventsAfter(
    last: string,
    { send }: { send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const stream = this.#events.get(last)?.stream;
    if (stream === undefined) return "";
    let missed = false;
    for (const [id, event] of this.#events) {
      if (missed && event.stream === stream && "jsonrpc" in event.message) await send(id, event.message);
      if (id === last) missed = true;
    }
    return stream;
  }
}

/** The channel to a client. */
export interface ClientPort {
  send(frame: Frame): void;
  sendLarge(message: LargeMessage): Promise<void>;
  /** Closes the stream of a request whose client is to reconnect for the answer, if it can. */
  closeStream?(id: RequestId): void;
}
