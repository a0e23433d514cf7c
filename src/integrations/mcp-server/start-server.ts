import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { SPILLWAY_CHECKS } from "../../gate/option-checks.ts";
import { createSpillway } from "../../gate/spillway.ts";
import type { SpillwayOptions } from "../../gate/types.ts";
import { checkOptions, kinds } from "../../limits/options.ts";
import { SecretNumbers } from "../../redact/secret-numbers.ts";
import { builtInTools } from "../../tools/built-in-tools.ts";
import { createToolRegistry } from "../../tools/registry/registry.ts";
import { createDeferred } from "../mcp-shared/http-body.ts";
import { listen } from "../mcp-shared/http-listener.ts";
import type { RpcMessage } from "../mcp-shared/json-rpc.ts";
import { type ListenOptions, tellAddress } from "../mcp-shared/listen-address.ts";
import { boundRequestLines, createServer, exploreTool } from "./create-server.ts";

export interface McpServerOptions extends SpillwayOptions {
  /** Adds the tools that change files. @default false */
  readonly allowWrite?: boolean | undefined;
  /** Adds the tool that runs commands. @default false */
  readonly allowBash?: boolean | undefined;
  /** Serves Streamable HTTP there instead of standard input and output. */
  readonly listen?: ListenOptions | undefined;
}

export interface McpServing {
  /** The address, when it listens. */
  readonly url?: string;
  /** The bearer token that requests to it must carry. */
  readonly token?: string;
  /** Settles when the client is gone, or after `close`. */
  readonly done: Promise<void>;
  close(): Promise<void>;
}

const SERVER_CHECKS = {
  ...SPILLWAY_CHECKS,
  allowWrite: kinds.flag,
  allowBash: kinds.flag,
  listen: kinds.object,
} satisfies Record<keyof McpServerOptions, unknown>;

/** Serves Spillway's own tools over MCP, to clients of every era. */
export async function startMcpServer(options: McpServerOptions): Promise<McpServing> {
  const { allowWrite, allowBash, listen: address, ...gate } = checkOptions(options, SERVER_CHECKS, "startMcpServer()");
  const tools = [...builtInTools, exploreTool].filter((tool) => {
    if (tool.name === "Bash") return allowBash === true;
    return tool.readOnly || allowWrite === true;
  });
  const spillway = createSpillway({ ...gate, surface: "mcp", tools: tools.map(({ name }) => name) });
  const secrets = new SecretNumbers();
  const registry = createToolRegistry({ spillway, tools, secrets });
  const ending = createDeferred();
  const factory = () => createServer(registry, spillway, secrets, address ? "tcp" : "pipe");
  const serving = address ? await serveHttp(address, factory) : serveStreams(factory, () => void close());
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= serving
      .close()
      .then(() => spillway.flush())
      .then(ending.resolve);
    return closed;
  };
  return { ...tellAddress(serving), done: ending.promise, close };
}

interface Served {
  readonly url?: string;
  readonly token?: string | undefined;
  close(): Promise<void>;
}

async function serveHttp(address: ListenOptions, factory: () => ReturnType<typeof createServer>): Promise<Served> {
  const handler = createMcpHandler(factory);
  const handle = toNodeHandler(handler);
  const listener = await listen(address, async (request, response) => {
    await handle(request as Parameters<typeof handle>[0], response);
  });
  return {
    url: listener.url,
    token: listener.token,
    close: async () => {
      await handler.close();
      await listener.close();
    },
  };
}

function serveStreams(factory: () => ReturnType<typeof createServer>, onEnd: () => void): Served {
  const answer = (message: RpcMessage): void => void process.stdout.write(`${JSON.stringify(message)}\n`);
  const lines = boundRequestLines(process.stdin, answer);
  // Lines are bounded already; the SDK would end the connection.
  const transport = new StdioServerTransport(lines, process.stdout, { maxBufferSize: Number.POSITIVE_INFINITY });
  const handle = serveStdio(factory, { transport });
  const { onclose } = transport;
  transport.onclose = () => {
    onclose?.();
    onEnd();
  };
  return { close: () => handle.close() };
}
