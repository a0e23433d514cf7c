import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
// @ts-expect-error: it comes without types.
import Provider from "oidc-provider";

// biome-ignore lint/suspicious/noExplicitAny: messages are made field by field.
type Json = any;

export interface OAuthMcpServer {
  /** The MCP server's address; what it answers needs a token, and its tool `rule` one for the scope `rule`. */
  readonly url: string;
  /** Requests to the token endpoint, by grant. */
  readonly grants: string[];
  readonly registrations: () => number;
  /** Takes back every access token there is. */
  expire(): Promise<void>;
  /** Takes back the refresh tokens, too. */
  revoke(): Promise<void>;
  close(): Promise<void>;
}

/**
 * An MCP server and, apart from it, a real authorization server: registration, PKCE, refresh tokens good for one use.
 * With `greets` it answers `initialize` to strangers.
 */
export async function startOAuthMcpServer({ greets = false } = {}): Promise<OAuthMcpServer> {
  const [authorization, issuer] = await listen();
  const [resource, origin] = await listen();
  const url = `${origin}/mcp`;
  const grants: string[] = [];
  let registrations = 0;
  const provider = new Provider(issuer, {
    clientBasedCORS: () => true,
    cookies: { keys: ["for tests"] },
    features: {
      devInteractions: { enabled: true },
      registration: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => url,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: "tools rule",
          audience: url,
          accessTokenFormat: "opaque",
          accessTokenTTL: 3600,
        }),
      },
    },
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
    issueRefreshToken: () => true,
    pkce: { required: () => true },
    rotateRefreshToken: true,
    scopes: ["openid", "offline_access", "tools", "rule"],
    ttl: { Grant: 3600, Interaction: 600, Session: 3600, RefreshToken: 3600, AuthorizationCode: 60 },
  } as Json);
  provider.on("registration_create.success", () => {
    registrations += 1;
  });
  provider.on("grant.success", (context: Json) => void grants.push(context.oidc.params.grant_type));
  let valid = new Set<string>();
  const refused = new Set<string>();
  provider.on("access_token.saved", (token: Json) => void valid.add(token.jti));
  let revoked = false;
  const handle = provider.callback();
  authorization.on("request", (request, response) => {
    if (revoked && request.url?.startsWith("/token")) {
      response.writeHead(400, { "Content-Type": "application/json" }).end('{"error":"invalid_grant"}');
      return;
    }
    handle(request, response);
  });
  resource.on("request", async (request: IncomingMessage, response: ServerResponse) => {
    if (request.url === "/.well-known/oauth-protected-resource/mcp") {
      sendJson(response, 200, {
        resource: url,
        authorization_servers: [issuer],
        scopes_supported: ["tools", "offline_access"],
      });
      return;
    }
    let body = "";
    for await (const chunk of request) body += chunk;
    const message: Json = body === "" ? {} : JSON.parse(body);
    if (greets && message.method === "initialize") {
      sendJson(response, 200, { jsonrpc: "2.0", id: message.id, ...answer(message, "nobody") });
      return;
    }
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1];
    const found = token !== undefined && !refused.has(token) && (await provider.AccessToken.find(token));
    if (!found || !valid.has(found.jti)) {
      if (token !== undefined) refused.add(token);
      const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
      response.setHeader("WWW-Authenticate", `Bearer resource_metadata="${metadata}", scope="tools offline_access"`);
      sendJson(response, 401, { error: "invalid_token" });
      return;
    }
    if (request.method !== "POST") {
      response.writeHead(405).end();
      return;
    }
    if (message.params?.name === "rule" && !found.scope.split(" ").includes("rule")) {
      response.setHeader("WWW-Authenticate", 'Bearer error="insufficient_scope", scope="rule"');
      sendJson(response, 403, { error: "insufficient_scope" });
      return;
    }
    if (message.id === undefined) response.writeHead(202).end();
    else sendJson(response, 200, { jsonrpc: "2.0", id: message.id, ...answer(message, found.accountId) });
  });
  return {
    url,
    grants,
    registrations: () => registrations,
    expire: async () => {
      valid = new Set();
    },
    revoke: async () => {
      valid = new Set();
      revoked = true;
    },
    close: async () => {
      for (const server of [authorization, resource]) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

/** What a person does in a browser: follows the address to the login, logs in, agrees, and is sent back. */
export async function browse(address: string, user = "ada"): Promise<string> {
  const cookies = new Map<string, string>();
  const visit = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, { ...init, redirect: "manual", headers: { ...init.headers, Cookie: cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [name = "", value = ""] = line.split(";", 1)[0]!.split(/=(.*)/s);
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };
  let url = address;
  for (let step = 0; step < 20; step++) {
    const response = await visit(url);
    const location = response.headers.get("location");
    if (location !== null) {
      url = new URL(location, url).href;
      continue;
    }
    const page = await response.text();
    const form = /action="([^"]+)"/.exec(page)?.[1];
    if (form === undefined) return page;
    const prompt = page.includes('value="login"') ? "login" : "consent";
    const sent = await visit(new URL(form, url).href, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ prompt, login: user, password: "any" }),
    });
    url = new URL(sent.headers.get("location") ?? "", url).href;
  }
  throw new Error("The login never ends");
}

function answer({ method, params }: Json, user: string): Json {
  switch (method) {
    case "initialize":
      return {
        result: {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: "guarded", version: "1" },
        },
      };
    case "tools/list":
      return { result: { tools: [{ name: "whoami", inputSchema: { type: "object" } }] } };
    case "tools/call":
      return { result: { content: [{ type: "text", text: `You are ${user}` }] } };
    default:
      return { error: { code: -32601, message: "Method not found" } };
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}

async function listen(): Promise<[Server, string]> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return [server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`];
}
