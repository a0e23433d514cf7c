import { timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { hostHeaderValidation, originValidation } from "@modelcontextprotocol/node";
import { SpillwayError } from "../../errors.ts";
import { sendJson } from "./http-body.ts";
import type { ListenOptions } from "./listen-address.ts";

export type ListenHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface Listener {
  readonly url: string;
  close(): Promise<void>;
}

const LOOPBACK_NAMES = ["localhost", "127.0.0.1", "[::1]"];

/** Starts an HTTP server that checks Host, Origin and token before anything else. */
export async function listen(options: ListenOptions, handler: ListenHandler): Promise<Listener> {
  const names = [...LOOPBACK_NAMES, hostName(options.host), ...(options.allowedHosts ?? [])];
  const checkHost = hostHeaderValidation(names);
  const checkOrigin = originValidation(names);
  const path = options.path ?? "/mcp";
  const server = createServer((request, response) => {
    if (!checkHost(request, response) || !checkOrigin(request, response)) return;
    if (!hasToken(request, options.token)) {
      response.setHeader("WWW-Authenticate", "Bearer");
      sendJson(response, 401, { error: "A bearer token is required" });
      return;
    }
    if (new URL(request.url ?? "/", "http://localhost").pathname !== path) {
      sendJson(response, 404, { error: `The endpoint is ${path}` });
      return;
    }
    handler(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else sendJson(response, 500, { error: (error as Error).message });
    });
  });
  server.listen(options.port, options.host);
  await Promise.race([
    once(server, "listening"),
    once(server, "error").then(([error]) => {
      throw new SpillwayError(
        "INVALID_ARGUMENT",
        `Cannot listen on ${options.host}:${options.port}: ${(error as Error).message}`,
      );
    }),
  ]);
  const { port } = server.address() as AddressInfo;
  return { url: `http://${hostName(options.host)}:${port}${path}`, close: () => stop(server) };
}

function hostName(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

function hasToken(request: IncomingMessage, token: string | undefined): boolean {
  if (token === undefined) return true;
  const given = Buffer.from(/^Bearer (.+)$/i.exec(request.headers.authorization ?? "")?.[1] ?? "");
  const wanted = Buffer.from(token);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
