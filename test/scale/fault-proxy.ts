import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What becomes of a request instead of being passed on; undefined passes it on. */
export type Fault = (request: IncomingMessage, response: ServerResponse) => boolean | undefined;

export interface FaultProxy {
  readonly endpoint: string;
  /** Method and query of each request. */
  readonly seen: string[];
  /** Bytes of answers that were passed on. */
  readonly bytes: number;
  fault: Fault | undefined;
  /** Breaks every connection and takes no new one, or takes them again. */
  away(gone: boolean): Promise<void>;
  close(): Promise<void>;
}

/** A server on loopback that passes requests on as they are signed, until it is told to fail. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const to = new URL(target);
  const seen: string[] = [];
  let bytes = 0;
  const proxy = { fault: undefined as Fault | undefined };
  const server = http.createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    if (proxy.fault?.(request, response) === true) return;
    const { method, url, headers } = request;
    const onward = http.request({ host: to.hostname, port: to.port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
      });
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    request.pipe(onward);
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  return Object.defineProperties(proxy, {
    endpoint: { value: `http://127.0.0.1:${port}` },
    seen: { value: seen },
    bytes: { get: () => bytes },
    away: { value: (gone: boolean) => (gone ? close() : listen(port)) },
    close: { value: close },
  }) as unknown as FaultProxy;
}

/** An answer of S3's that says no. */
export function refuse(response: ServerResponse, status: number, code: string): true {
  response.writeHead(status, { "content-type": "application/xml", connection: "close" });
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code} in a test</Message></Error>`);
  return true;
}
