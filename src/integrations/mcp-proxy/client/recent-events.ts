import type { EventStore, JSONRPCMessage } from "@modelcontextprotocol/server";

/** A client that comes back finds what it missed, as far as this holds it. */
const MOST_BYTES = 16 * 1024 * 1024;

interface StoredEvent {
  readonly stream: string;
  readonly message: JSONRPCMessage;
  readonly bytes: number;
}

/** The last events of a session's streams, for clients whose stream was cut. */
export class RecentEvents implements EventStore {
  /** In the order in which they were sent. */
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
