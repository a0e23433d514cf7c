import type { IncomingHttpHeaders } from "node:http";
import { MODERN_VERSION, readEnvelope } from "../../mcp-shared/era.ts";
import { decodeHeaderValue } from "../../mcp-shared/header-value.ts";
import { createError, isRequest, type RpcMessage, UNSUPPORTED_VERSION } from "../../mcp-shared/json-rpc.ts";

const HEADER_MISMATCH = -32020;
/** What the header `Mcp-Name` repeats, by method. */
const NAMED_BY: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
};

/** The answer to a request of a version that the proxy does not speak; undefined to one that it does. */
export function refuseVersion(message: RpcMessage): RpcMessage | undefined {
  const requested = readEnvelope(message.params)?.version;
  if (!isRequest(message) || requested === undefined || requested === MODERN_VERSION) return undefined;
  return createError(message.id, UNSUPPORTED_VERSION, `Unsupported protocol version ${JSON.stringify(requested)}`, {
    supported: [MODERN_VERSION],
    requested,
  });
}

/** The refusal of a modern request whose headers do not say what its body says; undefined when they do. */
export function checkHeaders(message: RpcMessage, headers: IncomingHttpHeaders): RpcMessage | undefined {
  if (!isRequest(message)) return undefined;
  const refuse = (header: string, why: string): RpcMessage =>
    createError(message.id, HEADER_MISMATCH, `Bad Request: headers and body disagree: ${header} ${why}`, {
      mismatch: { header, body: why },
    });
  if (headers["mcp-protocol-version"] === undefined) return refuse("MCP-Protocol-Version", "is absent");
  if (headers["mcp-method"] === undefined) return refuse("Mcp-Method", "is absent");
  const key = Object.hasOwn(NAMED_BY, message.method) ? NAMED_BY[message.method]! : undefined;
  const named = key === undefined ? undefined : message.params?.[key];
  if (typeof named !== "string") return undefined;
  const header = headers["mcp-name"];
  if (typeof header !== "string") return refuse("Mcp-Name", "is absent");
  const decoded = decodeHeaderValue(header.trim());
  if (decoded === undefined) return refuse("Mcp-Name", "is not base64");
  return decoded === named ? undefined : refuse("Mcp-Name", `names another ${key} than the body`);
}

/** The headers of a request that repeat arguments of a call, for the server behind. */
export function paramHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const entries = Object.entries(headers).filter(([name]) => name.startsWith("mcp-param-"));
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}
