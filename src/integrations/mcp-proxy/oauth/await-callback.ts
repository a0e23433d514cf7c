import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { SpillwayError } from "../../../errors.ts";
import { requestUrl } from "../../../platform/request-url.ts";
import { createDeferred } from "../../mcp-shared/deferred.ts";

/** What the login page sent the browser back with. */
export interface Callback {
  readonly code: string;
  readonly iss?: string | undefined;
}

export interface CallbackListener {
  readonly redirectUrl: string;
  /** Settles with the first answer that belongs to this login. */
  readonly answer: Promise<Callback>;
  /** Takes an address that was pasted, for a browser on another machine; false when it is not an answer. */
  paste(address: string): boolean;
  close(): Promise<void>;
}

const PATH = "/callback";

/** Listens on loopback for the browser to come back; on the port of the last time where that is free. */
export async function listenForCallback(state: string, lastUrl?: string | undefined): Promise<CallbackListener> {
  const { promise: answer, resolve, reject } = createDeferred<Callback>();
  answer.catch(() => {});
  /** What to tell the person in front of the browser; undefined when this is not the answer that is waited for. */
  const take = (query: URLSearchParams): string | undefined => {
    if (query.get("state") !== state) return undefined;
    const error = query.get("error");
    const code = query.get("code");
    if (error !== null || code === null) {
      const reason = query.get("error_description") ?? error ?? "no code came back";
      reject(new SpillwayError("UPSTREAM_FAILED", `The login was refused: ${reason}`));
      return "The login was refused.";
    }
    resolve({ code, iss: query.get("iss") ?? undefined });
    return "Logged in. You can close this page.";
  };
  const server = createServer((request, response) => {
    const url = requestUrl(request);
    const said = url.pathname === PATH ? take(url.searchParams) : undefined;
    response.writeHead(said === undefined ? 404 : 200, {
      "Content-Type": "text/plain; charset=utf-8",
      Connection: "close",
    });
    response.end(said ?? "Not found");
  });
  const wished = lastUrl === undefined ? 0 : Number(new URL(lastUrl).port);
  await bind(server, wished).catch(() => bind(server, 0));
  const { port } = server.address() as AddressInfo;
  return {
    redirectUrl: `http://127.0.0.1:${port}${PATH}`,
    answer,
    paste: (address) => URL.canParse(address.trim()) && take(new URL(address.trim()).searchParams) !== undefined,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function bind(server: ReturnType<typeof createServer>, port: number): Promise<void> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
}
