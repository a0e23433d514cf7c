import { isObject } from "../bytes/json/is-object.ts";
import { findClient } from "./hosts/find-host.ts";
import { type ProxyOptions, startProxy as start } from "./mcp-proxy/start-proxy.ts";

export { type JsonCut, type McpTruncation, TRUNCATION_META_KEY, type TruncatedPart } from "../gate/render/mcp-facts.ts";
export type { UpstreamTarget } from "./mcp-proxy/link/upstream.ts";
export type { StructuredMode } from "./mcp-proxy/message/bound-context.ts";
export type { ServersTarget } from "./mcp-proxy/servers/create-servers-links.ts";
export type { Proxy, ProxyOptions } from "./mcp-proxy/start-proxy.ts";
export { type McpServerOptions, type McpServing, startMcpServer } from "./mcp-server/start-server.ts";
export type { ClientBytes, FindClient, McpClient } from "./mcp-shared/mcp-client.ts";

/** Starts a proxy in front of an MCP server. */
export function startProxy(options: ProxyOptions): ReturnType<typeof start> {
  // What is no object `start` refuses with a sentence.
  return start(isObject(options) ? { ...options, clients: options.clients ?? findClient } : options);
}
