import type { LargeArrival, LargeMessage, Spool } from "../spool/spool.ts";
import { LARGE_BYTES } from "./byte-peer.ts";
import { SPOOLED_KEY } from "./http-link.ts";

const LINE_FEED = 0x0a;
const DATA = Buffer.from("data:");

/** A fetch whose response bodies hold a stub in place of every large message; the message itself goes to `larges`. */
export function createSpoolingFetch(
  spool: Spool,
  larges: Map<string, LargeMessage>,
  onProblem: (arrival: LargeArrival) => void,
): typeof fetch {
  let count = 0;
  const toStub = (arrival: LargeArrival): string | undefined => {
    if (arrival.kind !== "message" || arrival.message.header.method !== undefined) {
      onProblem(arrival);
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
    const body = events ? spoolEvents(response.body, spool, toStub) : spoolBody(response.body, spool, toStub);
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

async function* spoolBody(chunks: AsyncIterable<Uint8Array>, spool: Spool, toStub: ToStub): AsyncGenerator<Uint8Array> {
  const held: Uint8Array[] = [];
  let bytes = 0;
  let writer: Spooling | undefined;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (!writer && bytes > LARGE_BYTES) {
      writer = new Spooling(spool);
      for (const part of held.splice(0)) await writer.write(part);
    }
    if (writer) await writer.write(chunk);
    else held.push(chunk);
  }
  if (!writer) yield Buffer.concat(held);
  else {
    const stub = toStub(await writer.end());
    if (stub) yield Buffer.from(stub);
  }
}

/** Server-sent events line by line; only a `data:` line can be large. */
async function* spoolEvents(
  chunks: AsyncIterable<Uint8Array>,
  spool: Spool,
  toStub: ToStub,
): AsyncGenerator<Uint8Array> {
  let held: Buffer = Buffer.alloc(0);
  let parts: Buffer[] = [];
  let size = 0;
  let writer: Spooling | undefined;
  for await (const chunk of chunks) {
    const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    while (start < buffer.length) {
      const newline = buffer.indexOf(LINE_FEED, start);
      const end = newline < 0 ? buffer.length : newline + 1;
      const piece = buffer.subarray(start, end);
      start = end;
      if (writer) await writer.write(newline < 0 ? piece : piece.subarray(0, -1));
      else {
        parts.push(piece);
        size += piece.length;
        if (size > LARGE_BYTES) {
          held = Buffer.concat(parts);
          parts = [];
          if (held.subarray(0, DATA.length).equals(DATA)) {
            writer = new Spooling(spool);
            await writer.write(held.subarray(DATA.length, newline < 0 ? held.length : held.length - 1));
          } else yield held;
          size = 0;
        }
      }
      if (newline < 0) continue;
      if (writer) {
        const stub = toStub(await writer.end());
        writer = undefined;
        yield Buffer.from(stub ? `data: ${stub}\n` : ": skipped\n");
      } else if (parts.length > 0) yield parts.length === 1 ? parts[0]! : Buffer.concat(parts);
      parts = [];
      size = 0;
    }
  }
  if (parts.length > 0) yield Buffer.concat(parts);
}

class Spooling {
  readonly #line: ReturnType<Spool["open"]>;
  readonly #arrival: Promise<LargeArrival>;

  constructor(spool: Spool) {
    let resolve: (arrival: LargeArrival) => void = () => {};
    this.#arrival = new Promise((settle) => {
      resolve = settle;
    });
    this.#line = spool.open(resolve);
  }

  async write(chunk: Uint8Array): Promise<void> {
    await this.#line.write(Uint8Array.from(chunk));
  }

  end(): Promise<LargeArrival> {
    this.#line.end();
    return this.#arrival;
  }
}
