import { ProtocolError, Server } from "@modelcontextprotocol/server";
import { renderMcpResponse } from "../../gate/render/mcp-blocks.ts";
import type { Spillway } from "../../gate/types.ts";
import { redactValue } from "../../redact/redact-value.ts";
import type { SecretNumbers } from "../../redact/secret-numbers.ts";
import { isObserved } from "../../telemetry/telemetry.ts";
import type { ToolRegistry } from "../../tools/registry/registry.ts";
import { VERSION } from "../../version.ts";
import { ARTIFACT_TEMPLATE } from "../mcp-shared/artifact-uri.ts";
import { INTERNAL_ERROR, INVALID_PARAMS, type JsonObject, type RequestId } from "../mcp-shared/json-rpc.ts";
import { observeRequest } from "../mcp-shared/observe-request.ts";
import { MAX_MEDIA_BYTES, readArtifactResource } from "../mcp-shared/read-artifact.ts";
import { callReader, describeReader, READER_NAME } from "../mcp-shared/reader-tool.ts";

/** Tools whose call reaches beyond the root and this machine. */
const OPEN_WORLD = new Set(["WebFetch", "Bash"]);
/** Writers for which the same call twice leaves the same state. */
const IDEMPOTENT_WRITERS = new Set(["Write"]);

const INSTRUCTIONS =
  "Every result is bounded. What was too large is saved as an artifact: find what you need in it with " +
  `${READER_NAME} (pattern or query) or Explore, read parts of it with ${READER_NAME} or Read, and never ask for all of it.`;

interface CallParams {
  readonly name: string;
  readonly arguments?: Record<string, unknown> | undefined;
}

interface RequestContext {
  readonly id: RequestId;
  readonly signal: AbortSignal;
}

/** One server instance, of either era, over tools that are shared by all. */
export function createServer(
  registry: ToolRegistry,
  spillway: Spillway,
  secrets: SecretNumbers,
  transport: "pipe" | "tcp",
): Server {
  // What was saved before secrets were removed may hold some.
  const protect = async (result: unknown): Promise<unknown> => {
    const redaction = await spillway.redaction();
    return redaction ? redactValue(redaction, result, secrets).value : result;
  };
  const server = new Server(
    { name: "spillway", version: VERSION, title: "Spillway" },
    { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler("tools/list", () => ({ tools: listTools(registry) }) as never);
  const callTool = async ({ name, arguments: given }: CallParams, { id, signal }: RequestContext) => {
    if (name === READER_NAME)
      return protect(await callReader(given, spillway.store, { maxMediaBytes: MAX_MEDIA_BYTES }));
    if (!registry.has(name)) throw new ProtocolError(INVALID_PARAMS, `Unknown tool: ${name}`);
    return renderMcpResponse((await registry.call(name, given ?? {}, { callId: String(id), signal })).response);
  };
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    const call = () => callTool(params, mcpReq);
    return (await (isObserved() ? observeCall(params, mcpReq, transport, call) : call())) as never;
  });
  server.setRequestHandler("resources/list", () => ({ resources: [] }));
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [ARTIFACT_TEMPLATE],
  }));
  server.setRequestHandler("resources/read", async ({ params }) => {
    try {
      return (await protect(await readArtifactResource(params.uri, spillway.store))) as never;
    } catch (error) {
      throw new ProtocolError(INVALID_PARAMS, (error as Error).message, { uri: params.uri });
    }
  });
  return server;
}

async function observeCall(
  params: CallParams,
  { id }: RequestContext,
  transport: "pipe" | "tcp",
  call: () => Promise<unknown>,
): Promise<unknown> {
  const observed = await observeRequest({ id, method: "tools/call", params }, { tool: params.name, transport });
  try {
    const result = await observed.run(call);
    observed.end({ result: result as JsonObject });
    return result;
  } catch (error) {
    const { code = INTERNAL_ERROR, message } = error as { readonly code?: number; readonly message: string };
    observed.end({ error: { code, message } });
    throw error;
  }
}

function listTools(registry: ToolRegistry): JsonObject[] {
  const own = registry.list().map(({ name, description, parameters, readOnly }) => ({
    name,
    description,
    inputSchema: parameters,
    annotations: annotate(name, readOnly),
  }));
  return [...own, describeReader(READER_NAME)];
}

/** What is true of a tool, in MCP's words. */
function annotate(name: string, readOnly: boolean): JsonObject {
  return {
    title: name,
    readOnlyHint: readOnly,
    destructiveHint: !readOnly,
    idempotentHint: readOnly || IDEMPOTENT_WRITERS.has(name),
    openWorldHint: OPEN_WORLD.has(name),
  };
}
