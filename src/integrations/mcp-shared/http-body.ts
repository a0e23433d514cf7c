import type { IncomingMessage, ServerResponse } from "node:http";
import type { Writable } from "node:stream";
import { stringifyJson } from "../../bytes/json/stringify-json.ts";

/** Settles when a stream has room again, or is gone. */
export function drained(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off("drain", done);
      stream.off("close", done);
      resolve();
    };
    stream.on("drain", done);
    stream.on("close", done);
    if (stream.destroyed || !stream.writableNeedDrain) done();
  });
}

/** A promise with its resolvers. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

export function createDeferred<T = void>(): Deferred<T> {
  let settling: Pick<Deferred<T>, "resolve" | "reject"> | undefined;
  const promise = new Promise<T>((resolve, reject) => {
    settling = { resolve, reject };
  });
  return { promise, ...settling! };
}

export type JsonBody = { readonly value: unknown } | { readonly problem: string; readonly status: number };

/** Reads a request's JSON body up to a limit. */
export async function readJsonBody(request: IncomingMessage, maxBytes: number): Promise<JsonBody> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > maxBytes) return { problem: `The body is larger than the limit of ${maxBytes} bytes`, status: 413 };
    parts.push(part);
  }
  try {
    return { value: JSON.parse(Buffer.concat(parts).toString("utf8")) };
  } catch {
    return { problem: "Parse error: the body is not JSON", status: 400 };
  }
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "Content-Type": "application/json" }).end(stringifyJson(value));
}

/** Writes a web-standard response to a node one; the client's going away cancels the body. */
export async function sendWebResponse(response: ServerResponse, web: Response): Promise<void> {
  response.writeHead(web.status, Object.fromEntries(web.headers));
  if (!web.body) {
    response.end();
    return;
  }
  response.flushHeaders();
  const reader = web.body.getReader();
  response.on("close", () => void reader.cancel().catch(() => {}));
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    if (!response.write(value)) await drained(response);
    if (response.destroyed) break;
  }
  response.end();
}
