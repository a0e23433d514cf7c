import { isObject } from "../../bytes/json/is-object.ts";
import { TRUNCATION_META_KEY } from "../../gate/render/mcp-facts.ts";
import { type Attributes, measure, type OpenSpan, secondsSince, startSpan } from "../../telemetry/telemetry.ts";
import { type JsonObject, type RequestId, type RpcMessage, readMeta } from "./json-rpc.ts";

/** A request of a client that is being answered. */
export interface ObservedRequest {
  /** The request with our context in its `_meta`, for the server behind. */
  withContext(message: RpcMessage): RpcMessage;
  /** Makes it the parent of spans started meanwhile. */
  run<T>(work: () => T): T;
  /** Records the answer; undefined if the request was cancelled. */
  end(answer: Pick<RpcMessage, "result" | "error"> | undefined): void;
}

/** Opens the span of a request, below its sender's, by the conventions for MCP. */
export async function observeRequest(
  { id, method, params }: { readonly id: RequestId; readonly method: string; readonly params?: unknown },
  { tool, transport }: { readonly tool?: string | undefined; readonly transport: "pipe" | "tcp" },
): Promise<ObservedRequest> {
  const startedAt = performance.now();
  const named = {
    "mcp.method.name": method,
    "gen_ai.tool.name": tool,
    "gen_ai.operation.name": tool === undefined ? undefined : "execute_tool",
  };
  const attributes = {
    ...named,
    "jsonrpc.request.id": String(id),
    "gen_ai.tool.call.id": tool === undefined ? undefined : String(id),
    "network.transport": transport,
  };
  const span = await startSpan(tool === undefined ? method : `${method} ${tool}`, {
    kind: "server",
    attributes,
    parent: readMeta(params),
  });
  return {
    withContext: (message) => (span === undefined ? message : sendAlong(message, span.carrier())),
    run: (work) => (span === undefined ? work() : span.run(work)),
    end: (answer) => {
      const failed = answer === undefined ? "cancelled" : judge(span, answer);
      if (answer === undefined) span?.fail("cancelled");
      span?.end();
      measure("mcp.server.operation.duration", secondsSince(startedAt), { ...named, "error.type": failed });
    },
  };
}

function sendAlong(message: RpcMessage, carrier: Readonly<Record<string, string>>): RpcMessage {
  if (Object.keys(carrier).length === 0) return message;
  return { ...message, params: { ...message.params, _meta: { ...readMeta(message.params), ...carrier } } };
}

/** Marks the span of a failed request with its error. */
function judge(span: OpenSpan | undefined, { result, error }: Pick<RpcMessage, "result" | "error">) {
  if (isObject(error)) {
    span?.fail(String(error.code), String(error.message));
    return String(error.code);
  }
  if (!isObject(result)) return undefined;
  span?.set(truncationAttributes(result));
  if (result.isError !== true) return undefined;
  span?.fail("tool_error");
  return "tool_error";
}

function truncationAttributes({ _meta }: JsonObject): Attributes {
  const facts = isObject(_meta) ? _meta[TRUNCATION_META_KEY] : undefined;
  if (!isObject(facts)) return {};
  const number = (value: unknown) => (typeof value === "number" ? value : undefined);
  const text = (value: unknown) => (typeof value === "string" ? value : undefined);
  return {
    "spillway.truncated": true,
    "spillway.output.bytes": number(facts.original_bytes),
    "spillway.preview.bytes": number(facts.kept_bytes),
    "spillway.strategy": text(facts.direction),
    "spillway.artifact.uri": text(facts.uri),
    "spillway.lost": text(facts.lost),
  };
}
