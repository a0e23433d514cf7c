export type { StructuredMode } from "./mcp-proxy/bound/bound-context.ts";
export type { JsonCut } from "./mcp-proxy/bound/shrink-json.ts";
export {
  type McpTruncation,
  TRUNCATION_META_KEY,
  type TruncatedPart,
} from "./mcp-proxy/bound/truncation-facts.ts";
export {
  MAX_MESSAGE_BYTES,
  type Proxy,
  type ProxyOptions,
  startProxy,
  type UpstreamTarget,
} from "./mcp-proxy/start-proxy.ts";
export { type McpServerOptions, type McpServing, startMcpServer } from "./mcp-server/start-server.ts";
