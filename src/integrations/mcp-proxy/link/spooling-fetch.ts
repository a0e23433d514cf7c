import type { LargeLine } from "../../../bytes/line-frames.ts";
import { createDeferred, type Deferred } from "../../mcp-shared/http-body.ts";
import type { LargeArrival, LargeMessage, Spool } from "../spool/spool.ts";
import { LARGE_BYTES } from "./byte-peer.ts";
import type { LinkEvents } from "./link.ts";

/** How long requests wait for the stream to open, once the server has shown that it answers. */
const WAIT_MS = 5000;
/** A server that ends its stream sooner does not intend to use it; no request waits for the next one. */
const SHORTEST_LIFE_MS = 250;

/**
 * Tracks whether the stream for a server's messages without a request is open. Requests that it sends while the
 * stream is closed are lost, and the call that needs their answers would never end: requests wait until it is open.
 */
export class ServerStream {
  #open = 0;
  #late: NodeJS.Timeout | undefined;
  #expected: Deferred<void> | undefined;

  /** The stream is about to open: requests wait from now on. */
  expect(): void {
    this.#expected ??= createDeferred();
  }

  /** The server answers: when it opens no stream now, it means to open none. */
  answered(): void {
    if (this.#expected) this.#late ??= setTimeout(() => this.#stopWaiting(), WAIT_MS).unref();
  }

  async ready(): Promise<void> {
    await this.#expected?.promise;
  }

  /** Fetches a possible stream; the response is watched for its end. */
  async watch(fetching: Promise<Response>): Promise<Response> {
    try {
      const response = await fetching;
      if (!response.ok || !response.body) return response;
      const { status, statusText, headers } = response;
      return new Response(ReadableStream.from(this.#follow(response.body)), { status, statusText, headers });
    } finally {
      this.#stopWaiting();
    }
  }

  async *#follow(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const openedAt = Date.now();
    this.#open += 1;
    try {
      yield* chunks;
    } finally {
      this.#open -= 1;
      if (this.#open === 0 && Date.now() - openedAt >= SHORTEST_LIFE_MS) {
        this.expect();
        this.answered();
      }
    }
  }

  #stopWaiting(): void {
    clearTimeout(this.#late);
    this.#late = undefined;
    this.#expected?.resolve();
    this.#expected = undefined;
  }
}

/** Replaces the result in a small stub. */
export const SPOOLED_KEY = "spillway/spooled";

const LINE_FEED = 0x0a;
const DATA = Buffer.from("data:");

/** Opens a place in the spool for one message. */
type OpenLine = (onArrival: (arrival: LargeArrival) => void) => LargeLine;

/** A fetch whose response bodies hold a stub in place of every large message; the message itself goes to `larges`. */
export function createSpoolingFetch(
  spool: Spool,
  larges: Map<string, LargeMessage>,
  { onLarge, expected }: Pick<LinkEvents, "onLarge" | "expected">,
): typeof fetch {
  let count = 0;
  const openLine: OpenLine = (onArrival) => spool.open(onArrival, expected());
  const toStub = (arrival: LargeArrival): string | undefined => {
    if (arrival.kind !== "message" || arrival.message.header.method !== undefined) {
      // The request of a lost answer is known when its stream ends without one.
      onLarge(arrival.kind === "lost" ? { ...arrival, expected: [] } : arrival);
      return undefined;
    }
    const key = String(count++);
    larges.set(key, arrival.message);
    return JSON.stringify({ jsonrpc: "2.0", id: arrival.message.header.id, result: { [SPOOLED_KEY]: key } });
  };
  return async (input, init) => {
    const response = await fetch(input, init);
    const type = response.headers.get("content-type") ?? "";
    if (!response.body || !response.ok) return response;
    const events = type.includes("text/event-stream");
    if (!events && !type.includes("application/json")) return response;
    const body = events ? spoolEvents(response.body, openLine, toStub) : spoolBody(response.body, openLine, toStub);
    const headers = new Headers(response.headers);
    headers.delete("content-length");
    headers.delete("content-encoding");
    return new Response(ReadableStream.from(body), {
      status: response.status,
      statusText: response.statusText,
      headers,
    });
  };
}

type ToStub = (arrival: LargeArrival) => string | undefined;

async function* spoolBody(
  chunks: AsyncIterable<Uint8Array>,
  openLine: OpenLine,
  toStub: ToStub,
): AsyncGenerator<Uint8Array> {
  const held: Uint8Array[] = [];
  let bytes = 0;
  let spooling: Spooling | undefined;
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (!spooling && bytes > LARGE_BYTES) {
        spooling = new Spooling(openLine);
        for (const part of held.splice(0)) await spooling.write(part);
      }
      if (spooling) await spooling.write(chunk);
      else held.push(chunk);
    }
    const stub = spooling ? toStub(await spooling.end()) : undefined;
    if (!spooling) yield Buffer.concat(held);
    else if (stub) yield Buffer.from(stub);
  } finally {
    spooling?.abort();
  }
}

/** Server-sent events line by line; only a `data:` line can be large. */
async function* spoolEvents(
  chunks: AsyncIterable<Uint8Array>,
  openLine: OpenLine,
  toStub: ToStub,
): AsyncGenerator<Uint8Array> {
  let parts: Buffer[] = [];
  let size = 0;
  let spooling: Spooling | undefined;
  try {
    for await (const chunk of chunks) {
      const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      for (let start = 0, end = 0; start < buffer.length; start = end) {
        const newline = buffer.indexOf(LINE_FEED, start);
        end = newline < 0 ? buffer.length : newline + 1;
        const piece = buffer.subarray(start, end);
        if (spooling) await spooling.write(newline < 0 ? piece : piece.subarray(0, -1));
        else {
          parts.push(piece);
          size += piece.length;
          if (size > LARGE_BYTES) {
            const held = Buffer.concat(parts);
            parts = [];
            size = 0;
            if (held.subarray(0, DATA.length).equals(DATA)) {
              spooling = new Spooling(openLine);
              await spooling.write(held.subarray(DATA.length, newline < 0 ? held.length : held.length - 1));
            } else yield held;
          }
        }
        if (newline < 0) continue;
        if (spooling) {
          const stub = toStub(await spooling.end());
          spooling = undefined;
          yield Buffer.from(stub ? `data: ${stub}\n` : ": skipped\n");
        } else if (parts.length > 0) yield parts.length === 1 ? parts[0]! : Buffer.concat(parts);
        parts = [];
        size = 0;
      }
    }
    if (parts.length > 0) yield Buffer.concat(parts);
  } finally {
    spooling?.abort();
  }
}

/** One large message that is being spooled. */
class Spooling {
  readonly #line: LargeLine;
  readonly #arrival: Promise<LargeArrival>;
  #ended = false;

  constructor(openLine: OpenLine) {
    const { promise, resolve } = createDeferred<LargeArrival>();
    this.#arrival = promise;
    this.#line = openLine(resolve);
  }

  async write(chunk: Uint8Array): Promise<void> {
    await this.#line.write(Uint8Array.from(chunk));
  }

  end(): Promise<LargeArrival> {
    this.#ended = true;
    this.#line.end();
    return this.#arrival;
  }

  /** Gives up a message that did not end. */
  abort(): void {
    if (!this.#ended) this.#line.abort();
  }
}
