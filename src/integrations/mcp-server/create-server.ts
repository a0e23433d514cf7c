import { PassThrough, type Readable } from "node:stream";
import { ProtocolError, Server } from "@modelcontextprotocol/server";
import { z } from "zod";
import { concludeFromPassages } from "../../artifacts/search/conclude.ts";
import { searchPassages } from "../../artifacts/search/search-passages.ts";
import { JsonScanner } from "../../bytes/json/json-scanner.ts";
import { parseJson } from "../../bytes/json/parse-json.ts";
import { LineFrames } from "../../bytes/line-frames.ts";
import { renderMcpResponse } from "../../gate/render/mcp-notice.ts";
import type { Spillway } from "../../gate/types.ts";
import { formatCount } from "../../preview/omission.ts";
import { ToolFailure } from "../../protocol/builder.ts";
import { redactValue } from "../../redact/redact-value.ts";
import type { SecretNumbers } from "../../redact/secret-numbers.ts";
import { isObserved } from "../../telemetry/telemetry.ts";
import { defineTool } from "../../tools/registry/define-tool.ts";
import type { ToolRegistry } from "../../tools/registry/registry.ts";
import type { ToolRun } from "../../tools/registry/tool-run.ts";
import { VERSION } from "../../version.ts";
import {
  createError,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  type JsonObject,
  type RequestId,
  type RpcMessage,
} from "../mcp-shared/json-rpc.ts";
import { observeRequest } from "../mcp-shared/observe-request.ts";
import { callQuery, describeQuery, QUERY_NAME } from "../mcp-shared/query-tool.ts";
import { ARTIFACT_TEMPLATE, MAX_MEDIA_BYTES, readArtifactResource } from "../mcp-shared/read-artifact.ts";
import { callReader, describeReader, READER_NAME } from "../mcp-shared/reader-tool.ts";

const EVIDENCE = 5;

/** Answers a question about a file, folder or artifact by ranking its passages; needs no model. */
export const exploreTool = defineTool({
  name: "Explore",
  description: `Answer a question about a file, folder or saved output: a conclusion and up to ${EVIDENCE} pieces of evidence (path:line), by ranking passages.`,
  readOnly: true,
  parameters: z.strictObject({
    question: z.string().min(1).describe("What you want to know, in words that the text may contain."),
    path: z.string().default(".").describe("File or folder relative to the root, or an artifact id."),
    limit: z.int().min(1).max(50).default(EVIDENCE).describe("Most pieces of evidence."),
  }),
  async execute({ question, path, limit }, run) {
    const target = await findTarget(path, run);
    const passages = await searchPassages(target.real, question, { limit, signal: run.signal });
    const shown = passages.map((passage) => ({
      ...passage,
      path: target.artifact ?? run.sandbox.relative(passage.path),
    }));
    const { conclusion, evidence } = concludeFromPassages(question, target.artifact ?? target.relative, shown);
    const data = { conclusion, evidence: evidence.map(({ pointer, quote, reasons }) => ({ pointer, quote, reasons })) };
    const parts = { path: target.relative, stats: { evidence: evidence.length } };
    if (evidence.length > 0) return run.success(data, conclusion, parts);
    const why = { because: "evidence failed, no passage fits", next: "Ask in words that the text may hold." };
    return run.partial({ ...data, failed_items: ["evidence"] }, conclusion, why, parts);
  },
});

async function findTarget(
  given: string,
  run: ToolRun,
): Promise<{ readonly real: string; readonly relative: string; readonly artifact?: string }> {
  try {
    const opened = await run.sandbox.open(given);
    await opened.handle.close();
    return { real: opened.real, relative: opened.relative };
  } catch (error) {
    const artifact = error instanceof ToolFailure ? await run.environment.spillway.store.find(given) : undefined;
    if (!artifact) throw error;
    return { real: artifact.path, relative: artifact.name, artifact: artifact.id };
  }
}

export const MAX_REQUEST_BYTES = 10 * 1024 * 1024;
/** A string that is longer is no id. */
const MAX_ID_BYTES = 4096;

/**
 * The lines of `input` as they came, except those that are too large: these are never held, and a request among them is
 * answered with an error.
 */
export function boundRequestLines(input: Readable, answer: (message: RpcMessage) => void): Readable {
  const lines = new PassThrough();
  const frames = new LineFrames({
    largeBytes: MAX_REQUEST_BYTES,
    onLine: (line) => {
      if (!lines.write(Buffer.concat([line, Buffer.from("\n")]))) input.pause();
    },
    openLarge: () => {
      const scanner = new JsonScanner({ longStringBytes: MAX_ID_BYTES, maxSkeletonBytes: 0, token: String });
      return {
        write: (chunk) => void scanner.write(Buffer.from(chunk)),
        end: () => {
          const { id, method, bytes } = scanner.finish();
          if (method !== undefined && id === undefined) return;
          const words = `The message has ${formatCount(bytes)} bytes; at most ${formatCount(MAX_REQUEST_BYTES)} are read`;
          answer(createError(parseId(id), INVALID_REQUEST, words));
        },
        abort: () => {},
      };
    },
  });
  lines.on("drain", () => input.resume());
  input.on("data", (chunk: Buffer) => void frames.push(chunk));
  input.once("end", () => lines.end());
  input.once("close", () => lines.end());
  return lines;
}

/** Null is the id of errors about requests without a readable id, as JSON-RPC requires. */
function parseId(raw: string | undefined): RequestId {
  const id = parseJson(raw);
  return typeof id === "string" || typeof id === "number" ? id : (null as unknown as RequestId);
}

/** Tools whose calls reach beyond the root and this machine. */
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
  // Output saved before redaction was on may contain secrets.
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
    if (name === QUERY_NAME) return protect(await callQuery(given, spillway.store));
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
  return [...own, describeReader(READER_NAME), describeQuery(QUERY_NAME)];
}

/** The MCP annotations of a tool. */
function annotate(name: string, readOnly: boolean): JsonObject {
  return {
    title: name,
    readOnlyHint: readOnly,
    destructiveHint: !readOnly,
    idempotentHint: readOnly || IDEMPOTENT_WRITERS.has(name),
    openWorldHint: OPEN_WORLD.has(name),
  };
}
