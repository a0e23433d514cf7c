import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  auth,
  computeScopeUnion,
  discoverOAuthProtectedResourceMetadata,
  extractWWWAuthenticateParams,
} from "@modelcontextprotocol/client";
import { SpillwayError } from "../../../errors.ts";
import { requestUrl, startTimer } from "../../../platform/platform.ts";
import { VERSION } from "../../../version.ts";
import { LEGACY_VERSIONS } from "../../mcp-shared/era.ts";
import { createDeferred } from "../../mcp-shared/http-body.ts";
import { LoginProvider } from "./login-provider.ts";
import { type Credentials, LoginStore } from "./login-store.ts";

/** The redirect's parameters from the login page. */
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

/** Listens on loopback for the browser's redirect; on the previous port if that is free. */
export async function listenForCallback(state: string, lastUrl?: string | undefined): Promise<CallbackListener> {
  const { promise: answer, resolve, reject } = createDeferred<Callback>();
  answer.catch(() => {});
  /** The text for the person at the browser; undefined if this is not the expected redirect. */
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

export interface LogInOptions {
  readonly scope?: string | undefined;
  /** A client that was registered by hand, for servers that register none. */
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  /** @default 300000 */
  readonly timeoutMs?: number | undefined;
  /** Shows the person where to log in; `paste` takes the address that the browser came to, when that is on another machine. */
  readonly onAddress: (address: URL, paste: (address: string) => boolean) => void;
}

/** A successful login. */
export interface LoggedIn {
  /** Where it is kept. */
  readonly place: string;
  readonly scope?: string | undefined;
  /** Whether the access is renewed automatically. */
  readonly refreshes: boolean;
  readonly expiresInSeconds?: number | undefined;
}

type Challenge = ReturnType<typeof extractWWWAuthenticateParams>;

const PATIENCE_MS = 5 * 60_000;

/** Logs in to a remote server with the SDK's OAuth client (discovery, registration, PKCE); undefined when it asks for no login. */
export async function logIn(url: URL, options: LogInOptions): Promise<LoggedIn | undefined> {
  const challenge = (await challengeOf(url)) ?? (await offerOf(url));
  if (!challenge) return undefined;
  const store = new LoginStore(url);
  const saved = await store.read().catch(() => undefined);
  const state = randomUUID();
  const callback = await listenForCallback(state, saved?.redirectUrl);
  let timer: NodeJS.Timeout | undefined;
  try {
    const scope = options.scope ?? challenge.scope;
    // Permissions are requested again; the registration may stay.
    const known = mayAsk(saved?.client, scope) ? { client: saved?.client, redirectUrl: saved?.redirectUrl } : {};
    const provider = new LoginProvider(store, known, {
      redirectUrl: callback.redirectUrl,
      state,
      client: options.clientId
        ? { client_id: options.clientId, ...(options.clientSecret ? { client_secret: options.clientSecret } : {}) }
        : undefined,
      redirect: (address) => options.onAddress(address, callback.paste),
    });
    const request = {
      serverUrl: url,
      ...(challenge.resourceMetadataUrl ? { resourceMetadataUrl: challenge.resourceMetadataUrl } : {}),
      ...(scope === undefined ? {} : { scope }),
    };
    if ((await auth(provider, request)) === "REDIRECT") {
      const late = new Promise<never>((_, reject) => {
        const waited = options.timeoutMs ?? PATIENCE_MS;
        const error = new SpillwayError("UPSTREAM_FAILED", `Nobody logged in within ${Math.round(waited / 1000)} s.`);
        timer = startTimer(() => reject(error), waited);
      });
      const { code, iss } = await Promise.race([callback.answer, late]);
      await auth(provider, { ...request, authorizationCode: code, ...(iss === undefined ? {} : { iss }) });
    }
    const tokens = provider.tokens();
    if (!tokens) throw new SpillwayError("UPSTREAM_FAILED", "The login gave no token.");
    const left = await challengeOf(url, tokens.access_token);
    if (left) throw new SpillwayError("UPSTREAM_FAILED", `${url.href} does not take the token that its login gave.`);
    return {
      place: await store.place(),
      scope: tokens.scope,
      refreshes: tokens.refresh_token !== undefined,
      expiresInSeconds: tokens.expires_in,
    };
  } finally {
    clearTimeout(timer);
    await callback.close();
  }
}

/** A client may be registered for the scopes it asked for then, and nothing else. */
function mayAsk(client: Credentials["client"], scope: string | undefined): boolean {
  if (client === undefined || !("scope" in client) || typeof client.scope !== "string") return true;
  return computeScopeUnion(client.scope, scope)?.split(" ").length === client.scope.split(" ").length;
}

/** A server that lets strangers in as far as the first request may still say where to log in. */
async function offerOf(url: URL): Promise<Challenge | undefined> {
  return discoverOAuthProtectedResourceMetadata(url).then(
    () => ({}),
    () => undefined,
  );
}

/** How the server asks for a login; undefined when it does not. */
async function challengeOf(url: URL, token?: string): Promise<Challenge | undefined> {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: LEGACY_VERSIONS[0],
        capabilities: {},
        clientInfo: { name: "spillway", version: VERSION },
      },
    }),
  }).catch((error: Error) => {
    const cause = error.cause instanceof Error ? `: ${error.cause.message}` : "";
    throw new SpillwayError("UPSTREAM_FAILED", `${url.href} cannot be reached${cause}`, { cause: error });
  });
  await response.body?.cancel();
  const session = response.headers.get("mcp-session-id");
  if (session !== null) {
    const authorization = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    await fetch(url, { method: "DELETE", headers: { "Mcp-Session-Id": session, ...authorization } }).catch(() => {});
  }
  return response.status === 401 ? extractWWWAuthenticateParams(response) : undefined;
}
