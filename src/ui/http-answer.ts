import type { ServerResponse } from "node:http";

/** Nothing but this server's own files runs, and no other page may frame or embed it. */
export const CONTENT_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS = {
  "Content-Security-Policy": CONTENT_POLICY,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cache-Control": "no-store",
};

/** Answers with bytes of a type. */
export function send(
  response: ServerResponse,
  type: string,
  body: string | Uint8Array,
  more: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(200, { ...HEADERS, "Content-Type": type, "Content-Length": Buffer.byteLength(body), ...more });
  response.end(body);
}

/** Answers with JSON. */
export function sendJson(response: ServerResponse, value: unknown): void {
  send(response, "application/json; charset=utf-8", JSON.stringify(value));
}

/** Answers with an error as JSON. */
export function sendError(response: ServerResponse, status: number, message: string): void {
  const body = JSON.stringify({ error: message });
  response.writeHead(status, { ...HEADERS, "Content-Type": "application/json; charset=utf-8" });
  response.end(body);
}

/** Starts a streamed response. */
export function begin(response: ServerResponse, more: Readonly<Record<string, string | number>>): void {
  response.writeHead(200, { ...HEADERS, ...more });
}

/** A stream of server-sent events. */
export class EventStream {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
    begin(response, { "Content-Type": "text/event-stream; charset=utf-8" });
    response.write(": open\n\n");
  }

  send(event: string, value: unknown): void {
    this.#response.write(`event: ${event}\ndata: ${JSON.stringify(value)}\n\n`);
  }

  /** Keeps proxies from closing an idle connection. */
  beat(): void {
    this.#response.write(": still here\n\n");
  }

  end(): void {
    this.#response.end();
  }
}
