import { timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { hostHeaderValidation, originValidation } from "@modelcontextprotocol/node";
import { invalidArgument } from "../../errors.ts";
import { requestUrl } from "../../platform/platform.ts";
import { LocalMetrics } from "../../telemetry/local-metrics.ts";
import { sendJson } from "./http-body.ts";
import { type ListenOptions, resolveToken } from "./listen-address.ts";

export type ListenHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface Listener {
  readonly url: string;
  /** The token that requests must carry, if one is needed. */
  readonly token?: string | undefined;
  close(): Promise<void>;
}

/** A health check; process managers have neither the token nor our host's name. */
const HEALTH_PATH = "/healthz";
const METRICS_PATH = "/metrics";
const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";
const LOOPBACK_NAMES = ["localhost", "127.0.0.1", "[::1]"];

/** Starts an HTTP server that checks Host, Origin and token before anything else but the question whether it lives. */
export async function listen(options: ListenOptions, handler: ListenHandler): Promise<Listener> {
  const names = [...LOOPBACK_NAMES, hostName(options.host), ...(options.allowedHosts ?? [])];
  const checkHost = hostHeaderValidation(names);
  const checkOrigin = originValidation(names);
  const token = resolveToken(options);
  const path = options.path ?? "/mcp";
  const metrics = LocalMetrics.open();
  const server = createServer((request, response) => {
    const asked = requestUrl(request).pathname;
    if (asked === HEALTH_PATH) {
      sendJson(response, 200, { status: "ok" });
      return;
    }
    if (!checkHost(request, response) || !checkOrigin(request, response)) return;
    if (!hasToken(request, token)) {
      response.setHeader("WWW-Authenticate", "Bearer");
      sendJson(response, 401, { error: "A bearer token is required" });
      return;
    }
    if (asked === METRICS_PATH) {
      response.writeHead(200, { "Content-Type": METRICS_TYPE }).end(metrics.render());
      return;
    }
    if (asked !== path) {
      sendJson(response, 404, { error: `The endpoint is ${path}` });
      return;
    }
    handler(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else sendJson(response, 500, { error: (error as Error).message });
    });
  });
  server.listen(options.port, options.host);
  await once(server, "listening").catch((error: Error) => {
    throw invalidArgument(`Cannot listen on ${options.host}:${options.port}: ${error.message}`);
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://${hostName(options.host)}:${port}${path}`, token, close: () => stop(server, metrics) };
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

async function stop(server: Server, metrics: LocalMetrics): Promise<void> {
  metrics.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
