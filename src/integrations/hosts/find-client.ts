import type { FindClient, McpClient } from "../mcp-shared/mcp-client.ts";
import { MAX_MEDIA_BYTES } from "../mcp-shared/read-artifact.ts";
import { findHost, HOSTS } from "./find-host.ts";

/** What is known of an MCP client by the name that it gives itself. */
export const findClient: FindClient = (name) =>
  HOSTS.map(({ mcp }) => mcp?.client).find((client) => client !== undefined && name.startsWith(client.name));

/** The client that an agent is; of one that was not measured, with the limits that are safe everywhere. */
export function clientOfHost(name: string): McpClient {
  const { mcp, maxBytes } = findHost(name);
  return mcp?.client ?? { name, maxBytes, maxMediaBytes: MAX_MEDIA_BYTES };
}
