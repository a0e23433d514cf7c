/** Upper bounds for a result's text in bytes, for successful calls and for errors. */
export interface ClientBytes {
  readonly success: number;
  readonly failure: number;
}

/** How an MCP client treats results: where it cuts them, and what its model gets to see. */
export interface McpClient {
  /** `clientInfo.name` of its handshake, or how it begins. */
  readonly name: string;
  /** Below the client's own limit for results. */
  readonly maxBytes: ClientBytes;
  /** Most base64 characters of images and audio in one result. */
  readonly maxMediaBytes: number;
  /** What its model sees of `structuredContent`: that `only`, or that and the text `beside` it. @default the text alone */
  readonly structured?: "only" | "beside" | undefined;
  /** How its model sees a tool, with `SERVER` and `TOOL` in it. @default the tool's own name */
  readonly toolNames?: string | undefined;
  /** The key in a tool's `_meta` with which a tool may ask for longer results. */
  readonly longResultsKey?: string | undefined;
}

/** The client of a name, out of those that are known; undefined for all others. */
export type FindClient = (name: string) => McpClient | undefined;

/** A tool's name as the client's model sees it. */
export function seenName(tool: string, client: McpClient | undefined, server: string | undefined): string {
  if (client?.toolNames === undefined || server === undefined) return tool;
  return client.toolNames.replace("SERVER", () => server).replace("TOOL", () => tool);
}
