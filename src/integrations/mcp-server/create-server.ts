import { ProtocolError, Server } from "@modelcontextprotocol/server";
import type { Spillway } from "../../gate/types.ts";
import type { ToolResponse } from "../../protocol/types.ts";
import type { ToolRegistry } from "../../tools/registry.ts";
import { VERSION } from "../../version.ts";
import { ARTIFACT_URI_TEMPLATE } from "../mcp-shared/artifact-uri.ts";
import { INVALID_PARAMS, type JsonObject } from "../mcp-shared/json-rpc.ts";
import { readArtifactResource } from "../mcp-shared/read-artifact.ts";
import { callReader, describeReaders, READER_KINDS } from "../mcp-shared/reader-tools.ts";
import { annotate } from "./annotations.ts";

const READERS = { read: "spillway_read", grep: "spillway_grep", search: "spillway_search" } as const;

const INSTRUCTIONS =
  "Every result is bounded. What was too large is saved as an artifact: find what you need in it with spillway_grep, " +
  "spillway_search or Explore, read parts of it with spillway_read or Read, and never ask for all of it.";

/** One server instance, of either era, over tools that are shared by all. */
export function createServer(registry: ToolRegistry, spillway: Spillway): Server {
  const server = new Server(
    { name: "spillway", version: VERSION, title: "Spillway" },
    { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler("tools/list", () => ({ tools: listTools(registry) }) as never);
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const kind = READER_KINDS.find((each) => READERS[each] === params.name);
    if (kind) return (await callReader(kind, params.arguments, spillway.store)) as never;
    if (!registry.has(params.name)) throw new ProtocolError(INVALID_PARAMS, `Unknown tool: ${params.name}`);
    const response = await registry.call(params.name, params.arguments ?? {}, {
      callId: String(context.mcpReq.id),
      signal: context.mcpReq.signal,
    });
    return asResult(response) as never;
  });
  server.setRequestHandler("resources/list", () => ({ resources: [] }));
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [
      {
        uriTemplate: ARTIFACT_URI_TEMPLATE,
        name: "spillway-artifact",
        description: "Part of a saved full output: lines=A-B (from 1) or bytes=A-B (from 0)",
      },
    ],
  }));
  server.setRequestHandler("resources/read", async ({ params }) => {
    try {
      return (await readArtifactResource(params.uri, spillway.store)) as never;
    } catch (error) {
      throw new ProtocolError(INVALID_PARAMS, (error as Error).message, { uri: params.uri });
    }
  });
  return server;
}

function listTools(registry: ToolRegistry): JsonObject[] {
  const own = registry.list().map(({ name, description, parameters, readOnly }) => ({
    name,
    description,
    inputSchema: parameters,
    annotations: annotate(name, readOnly),
  }));
  return [...own, ...describeReaders(READERS)];
}

/** The envelope as text; the truncation facts typed beside it, as the proxy gives them. */
function asResult(response: ToolResponse): JsonObject {
  const { truncation } = response.data;
  return {
    content: [{ type: "text", text: JSON.stringify(response) }],
    ...(response.status === "error" ? { isError: true } : {}),
    ...(truncation === undefined ? {} : { _meta: { "spillway/truncation": truncation } }),
  };
}
