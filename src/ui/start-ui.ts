import { randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { invalidArgument } from "../errors.ts";
import { requestUrl } from "../platform/platform.ts";
import { send, sendError } from "./http-answer.ts";
import { Inspector, type InspectorOptions } from "./inspector.ts";
import { readPageFile } from "./page-files.ts";
import { answerApi } from "./routes.ts";

/** Cookies do not know ports: without it another inspector, or another server of this machine, would be sent the token. */
const cookieName = ({ socket }: IncomingMessage): string => `spillway_ui_${socket.localPort}`;
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Admits only holders of the token, through a cookie that scripts cannot read, and only pages of this server. */
class Guard {
  /** Part of the opened URL, once; afterwards the cookie holds it. */
  readonly token = randomBytes(24).toString("base64url");

  /** Answers the request itself and gives false, unless it may go on. */
  admits(request: IncomingMessage, response: ServerResponse, url: URL): boolean {
    const host = request.headers.host ?? "";
    if (!LOOPBACK.has(host.replace(/:\d+$/, ""))) return refuse(response, "This server answers on loopback only.");
    const { origin } = request.headers;
    if (origin !== undefined && origin !== `http://${host}`) return refuse(response, "Another page may not ask this.");
    const site = request.headers["sec-fetch-site"];
    const foreign = site !== undefined && site !== "same-origin" && site !== "none";
    if (foreign && url.pathname.startsWith("/api/")) return refuse(response, "Another page may not ask this.");
    const given = url.searchParams.get("token");
    if (given !== null) return this.#exchange(given, url, request, response);
    const header = /^Bearer (.+)$/i.exec(request.headers.authorization ?? "")?.[1];
    if (this.#isToken(header ?? cookieOf(request))) return true;
    sendError(response, 401, "Open the address that `spillway ui` printed; it holds the token of this run.");
    return false;
  }

  /** The token leaves the address, and with it histories and screenshots. */
  #exchange(given: string, url: URL, request: IncomingMessage, response: ServerResponse): false {
    if (!this.#isToken(given)) {
      sendError(response, 401, "That token is of another run; open the address that `spillway ui` printed.");
      return false;
    }
    url.searchParams.delete("token");
    response.writeHead(303, {
      "Set-Cookie": `${cookieName(request)}=${this.token}; HttpOnly; SameSite=Strict; Path=/`,
      Location: `${url.pathname}${url.search}`,
      "Cache-Control": "no-store",
      "Referrer-Policy": "no-referrer",
    });
    response.end();
    return false;
  }

  #isToken(text: string | undefined): boolean {
    const given = Buffer.from(text ?? "");
    const wanted = Buffer.from(this.token);
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  }
}

function refuse(response: ServerResponse, message: string): false {
  sendError(response, 403, message);
  return false;
}

function cookieOf(request: IncomingMessage): string | undefined {
  const pairs = (request.headers.cookie ?? "").split(";").map((pair) => pair.trim().split("="));
  return pairs.find(([name]) => name === cookieName(request))?.[1];
}

export interface UiOptions extends InspectorOptions {
  /** 0 takes any free port. @default 0 */
  readonly port?: number | undefined;
}

export interface RunningUi {
  /** The address to open, with the token of this run. */
  readonly url: string;
  /** Resolves when the server has ended. */
  readonly done: Promise<void>;
  close(): Promise<void>;
}

/** Serves the inspector on loopback. */
export async function startUi(options: UiOptions): Promise<RunningUi> {
  const inspector = new Inspector(options);
  const guard = new Guard();
  const server = createServer((request, response) => {
    const url = requestUrl(request);
    if (!guard.admits(request, response, url)) return;
    const answer = url.pathname.startsWith("/api/v1/")
      ? answerApi(inspector, request, response, url)
      : answerPage(url.pathname);
    answer.catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else sendError(response, 500, (error as Error).message);
    });

    async function answerPage(pathname: string): Promise<void> {
      if (request.method !== "GET" && request.method !== "HEAD") return sendError(response, 405, "Only GET here.");
      const file = await readPageFile(pathname);
      if (file === undefined) return sendError(response, 404, "There is no such page.");
      send(response, file.type, file.bytes);
    }
  });
  server.listen(options.port ?? 0, "127.0.0.1");
  await once(server, "listening").catch((error: Error) => {
    throw invalidArgument(`Cannot listen on port ${options.port}: ${error.message}`);
  });
  await inspector.log.follow();
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/?token=${guard.token}`,
    done: once(server, "close").then(() => undefined),
    async close() {
      inspector.log.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
