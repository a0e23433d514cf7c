import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioClientTransportV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { builtPackage } from "./build.ts";

export const HOSTILE = support("hostile-mcp-server.mjs");
export const MODERN = support("modern-mcp-server.mjs");
export const CONFORMANCE = support("conformance-mcp-server.mjs");
export const EVERYTHING = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-everything/dist/index.js"));
export const FILESYSTEM = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-filesystem/dist/index.js"));

/** `v2-auto` speaks both eras and asks first; `v2-modern` speaks 2026-07-28 without asking; `v2-pinned` asks, and takes no other. */
export type ClientKind = "v1" | "v2" | "v2-auto" | "v2-modern" | "v2-pinned";

export function support(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

export function temporaryRoot(): string {
  return mkdtempSync(join(tmpdir(), "spillway-mcp-"));
}

/** The arguments for `node` that start the built command line. */
export async function spillwayArgs(...args: readonly string[]): Promise<string[]> {
  return [(await builtPackage()).bin, ...args];
}

/** The arguments that start the proxy in front of a server script. */
export async function proxyArgs(
  root: string,
  server: readonly string[],
  flags: readonly string[] = [],
): Promise<string[]> {
  return spillwayArgs("proxy", "--root", root, ...flags, "--", process.execPath, ...server);
}

const CAPABILITIES = { sampling: {}, elicitation: { form: {} }, roots: { listChanged: true } };

const ANSWERS = {
  elicitation: { action: "accept" as const, content: { name: "Ada" } },
  roots: { roots: [{ uri: pathToFileURL(tmpdir()).href, name: "temporary" }] },
  sampling: { model: "test", role: "assistant" as const, content: { type: "text" as const, text: "sampled" } },
};

/** A client of the official SDK, connected over stdio to `node ...args`, that answers every question. */
export async function connectClient(kind: ClientKind, args: readonly string[], env: Record<string, string> = {}) {
  const parameters = {
    command: process.execPath,
    args: [...args],
    env: { ...definedEnv(), ...env },
    stderr: "pipe" as const,
  };
  if (kind === "v1") {
    const client = new ClientV1({ name: "test-v1", version: "1.0.0" }, { capabilities: CAPABILITIES });
    client.setRequestHandler(ElicitRequestSchema, () => ANSWERS.elicitation);
    client.setRequestHandler(ListRootsRequestSchema, () => ANSWERS.roots);
    client.setRequestHandler(CreateMessageRequestSchema, () => ANSWERS.sampling);
    const transport = new StdioClientTransportV1(parameters);
    (transport.stderr as Readable | null)?.resume();
    await client.connect(transport);
    return client as unknown as Client;
  }
  const client = createV2Client(kind);
  const transport = new StdioClientTransport(parameters);
  (transport.stderr as Readable | null)?.resume();
  await client.connect(transport, connectOptions(kind));
  return client;
}

/** What a client that does not ask takes for known. */
function connectOptions(kind: ClientKind) {
  if (kind !== "v2-modern") return undefined;
  const capabilities = { tools: { listChanged: true }, resources: {}, prompts: {}, logging: {} };
  const discover = {
    resultType: "complete" as const,
    supportedVersions: ["2026-07-28"],
    capabilities,
    ttlMs: 0,
    cacheScope: "private" as const,
  };
  return { prior: { kind: "modern" as const, discover: { ...discover, serverInfo: { name: "known", version: "1" } } } };
}

export function createV2Client(kind: ClientKind): Client {
  const client = new Client(
    { name: "test-v2", version: "1.0.0" },
    {
      capabilities: CAPABILITIES,
      ...(kind === "v2-auto" ? { versionNegotiation: { mode: "auto" as const } } : {}),
      ...(kind === "v2-pinned" || kind === "v2-modern" ? { versionNegotiation: { mode: { pin: "2026-07-28" } } } : {}),
    },
  );
  client.setRequestHandler("elicitation/create", () => ANSWERS.elicitation);
  client.setRequestHandler("roots/list", () => ANSWERS.roots);
  client.setRequestHandler("sampling/createMessage", () => ANSWERS.sampling);
  return client;
}

export async function connectHttp(
  kind: ClientKind,
  url: string,
  headers: Record<string, string> = {},
): Promise<Client> {
  const client = createV2Client(kind);
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  await client.connect(transport, connectOptions(kind));
  return client;
}

function definedEnv(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

// biome-ignore lint/suspicious/noExplicitAny: tests read answers whose form they assert.
type Json = any;

/** A peer that speaks JSON lines itself, so that a test sees every byte. */
export class RawPeer {
  readonly child: ChildProcess;
  readonly lines: string[] = [];
  readonly received: Json[] = [];
  stderr = "";
  /** Answers requests of the server. */
  onRequest: (method: string, params: Json) => Json = () => ({});
  readonly #waiting = new Map<unknown, (message: Json) => void>();
  readonly #watchers = new Set<() => void>();
  #next = 1;

  constructor(args: readonly string[], env: Record<string, string> = {}) {
    this.child = spawn(process.execPath, [...args], {
      stdio: ["pipe", "pipe", "pipe"],
      env: { ...process.env, ...env },
    });
    this.child.stderr!.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
      for (const watcher of this.#watchers) watcher();
    });
    createInterface({ input: this.child.stdout! }).on("line", (line) => {
      this.lines.push(line);
      this.#take(JSON.parse(line));
    });
  }

  send(message: Json): void {
    this.child.stdin!.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  /** Sends a request and gives the whole response. */
  request(method: string, params: Json = {}, id: unknown = this.#next++): Promise<Json> {
    const answer = new Promise<Json>((resolve) => {
      this.#waiting.set(id, resolve);
    });
    this.send({ id, method, params });
    return answer;
  }

  call(name: string, args: Json = {}, meta?: Json): Promise<Json> {
    return this.request("tools/call", { name, arguments: args, ...(meta ? { _meta: meta } : {}) });
  }

  async initialize(protocolVersion = "2025-11-25", capabilities: Json = {}): Promise<Json> {
    const answer = await this.request("initialize", {
      protocolVersion,
      capabilities,
      clientInfo: { name: "raw", version: "1" },
    });
    this.send({ method: "notifications/initialized" });
    return answer;
  }

  /** Waits until a condition on what was received holds. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      await new Promise<void>((resolve) => {
        const watcher = (): void => {
          this.#watchers.delete(watcher);
          resolve();
        };
        this.#watchers.add(watcher);
      });
    }
  }

  async close(): Promise<number | null> {
    if (this.child.exitCode !== null) return this.child.exitCode;
    this.child.stdin!.end();
    const [code] = await once(this.child, "exit");
    return code;
  }

  #take(message: Json): void {
    this.received.push(message);
    if (message.method !== undefined && message.id !== undefined)
      this.send({ id: message.id, result: this.onRequest(message.method, message.params) });
    else if (message.method === undefined) {
      this.#waiting.get(message.id)?.(message);
      this.#waiting.delete(message.id);
    }
    for (const watcher of this.#watchers) watcher();
  }
}
