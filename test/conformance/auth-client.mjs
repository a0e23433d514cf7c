// The client that the suite's scenarios of authorization try: node auth-client.mjs direct|proxy URL
//   direct  the SDK's own client with its OAuth, the authorization kept in memory
//   proxy   the same client before `spillway proxy --url`, and a person who runs `spillway mcp login` when told to
// Nobody has to press anything on the suite's login page: following its redirects is logging in.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const BIN = fileURLToPath(new URL("../../bin/spillway.mjs", import.meta.url));
const CALLBACK = "http://127.0.0.1:1/callback";
/** A document that describes this client; the suite knows that nobody serves it. */
const CLIENT_DOCUMENT = "https://conformance-test.local/client-metadata.json";
const MODERN = "2026-07-28";

const [, , way, address] = process.argv;
const url = new URL(address);
const given = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}");
const scenario = process.env.MCP_CONFORMANCE_SCENARIO;

await (way === "direct" ? direct() : throughProxy());

function createClient() {
  const modern = process.env.MCP_CONFORMANCE_PROTOCOL_VERSION === MODERN;
  return new Client(
    { name: "conformance", version: "1.0.0" },
    { capabilities: {}, ...(modern ? { versionNegotiation: { mode: "auto" } } : {}) },
  );
}

/** What every scenario wants done once the client is in. */
async function use(transport) {
  const client = createClient();
  try {
    await client.connect(transport);
    await client.listTools();
    const { isError, content } = await client.callTool({ name: "test-tool", arguments: {} });
    if (isError) throw new Error(content[0].text);
  } finally {
    await client.close();
  }
}

async function direct() {
  const provider = createProvider();
  for (let logins = 0; ; logins++) {
    const transport = new StreamableHTTPClientTransport(url, { authProvider: provider });
    try {
      return await use(transport);
    } catch (error) {
      if (!(error instanceof UnauthorizedError) || logins === 3) throw error;
      const response = await fetch(provider.loginPage, { redirect: "manual" });
      await transport.finishAuth(new URL(response.headers.get("location")).searchParams);
    }
  }
}

function createProvider() {
  const kept = {};
  if (given.client_id !== undefined) kept.client = { client_id: given.client_id, client_secret: given.client_secret };
  return {
    redirectUrl: CALLBACK,
    clientMetadata: { client_name: "conformance", redirect_uris: [CALLBACK], application_type: "native" },
    ...(scenario === "auth/basic-cimd" ? { clientMetadataUrl: CLIENT_DOCUMENT } : {}),
    clientInformation: () => kept.client,
    saveClientInformation: (client) => {
      kept.client = client;
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens) => {
      kept.tokens = tokens;
    },
    codeVerifier: () => kept.verifier,
    saveCodeVerifier: (verifier) => {
      kept.verifier = verifier;
    },
    redirectToAuthorization(page) {
      this.loginPage = page;
    },
    invalidateCredentials(scope) {
      const parts = scope === "all" ? ["client", "tokens", "verifier", "discovery"] : [scope];
      for (const part of parts) delete kept[part];
    },
  };
}

async function throughProxy() {
  const folder = mkdtempSync(join(tmpdir(), "auth-client-"));
  const env = {
    ...process.env,
    XDG_STATE_HOME: join(folder, "state"),
    SPILLWAY_CLIENT_SECRET: given.client_secret ?? "",
  };
  try {
    const seen = new Set();
    for (;;) {
      const args = [BIN, "proxy", "--root", folder, "--url", url.href];
      const transport = new StdioClientTransport({ command: process.execPath, args, env, stderr: "inherit" });
      try {
        return await use(transport);
      } catch (error) {
        const [told, line] = /[^:]*: run `spillway (mcp login [^`]*)` in a terminal/.exec(error.message) ?? [];
        // A person who is told the same twice has seen that it does not help.
        if (line === undefined || seen.has(told)) throw error;
        seen.add(told);
        await logIn(line, env);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function logIn(line, env) {
  const id = given.client_id ?? (scenario === "auth/basic-cimd" ? CLIENT_DOCUMENT : undefined);
  const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain);
  const args = [BIN, ...words, "--no-browser", ...(id === undefined ? [] : ["--client-id", id])];
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "inherit", "pipe"] });
  let printed = "";
  let visited = false;
  child.stderr.on("data", (chunk) => {
    process.stderr.write(chunk);
    printed += chunk;
    const page = /^(https?:\S+)\n/m.exec(printed)?.[1];
    if (page === undefined || visited) return;
    visited = true;
    fetch(page).catch((error) => console.error(error));
  });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`spillway mcp login ended with ${code}: ${printed}`);
}
