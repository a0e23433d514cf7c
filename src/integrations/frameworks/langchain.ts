import { kinds } from "../../limits/options.ts";
import { QUERY_DESCRIPTION, QUERY_NAME, QUERY_SCHEMA } from "../mcp-shared/query-tool.ts";
import { READER_DESCRIPTION, READER_NAME, READER_SCHEMA } from "../mcp-shared/reader-tool.ts";
import {
  type Bound,
  boundError,
  boundParts,
  createBound,
  type TextParts,
  type ToolCall,
  withMembers,
} from "./bound.ts";
import type { BoundOptions, ReaderToolsOptions } from "./options.ts";
import { contextIn } from "./plain-text.ts";
import { createQuery, createReader, type QueryInput, type ReaderInput } from "./reader.ts";

export type { BoundOptions, ReaderInput, ReaderToolsOptions };

type Fields = Readonly<Record<string, unknown>>;

/** The part of an agent's tool call that is used. */
interface ToolRequest {
  readonly toolCall: { readonly name: string; readonly id?: string | undefined; readonly args?: unknown };
  readonly state: unknown;
}

interface ModelRequest {
  readonly messages: readonly object[];
}

/** A middleware of LangChain's agents. */
export interface SpillwayMiddleware {
  readonly name: "Spillway";
  wrapToolCall<Request extends ToolRequest, Result>(
    request: Request,
    handler: (request: Request) => Result | Promise<Result>,
  ): Promise<Result>;
  wrapModelCall<Request extends ModelRequest, Result>(
    request: Request,
    handler: (request: Request) => Result | Promise<Result>,
  ): Promise<Result>;
}

/** LangChain's `tool` function, as far as it is used here. */
type CreateTool<Tool> = (
  run: (input: ReaderInput & QueryInput) => Promise<string>,
  fields: { name: string; description: string; schema: typeof READER_SCHEMA | typeof QUERY_SCHEMA },
) => Tool;

interface LangChainTool {
  readonly name: string;
  invoke(input: unknown, config?: unknown): Promise<unknown>;
}

/**
 * Bounds tools' results before they enter the messages, and old messages before they are sent. A tool's exception
 * is rethrown with a bounded message.
 */
export function spillwayMiddleware(options: BoundOptions = {}): SpillwayMiddleware {
  const bound = createBound(options, "spillwayMiddleware()");
  return {
    name: "Spillway",
    async wrapToolCall(request, handler) {
      const { name, id } = request.toolCall;
      const { messages } = (request.state ?? {}) as { readonly messages?: unknown };
      const query = contextIn(messages, isHuman, request.toolCall.args);
      return guarded(bound, { tool: name, callId: id, query }, () => handler(request));
    },
    async wrapModelCall(request, handler) {
      const all = request.messages as readonly Fields[];
      const messages = await Promise.all(
        all.map((message, at) =>
          isToolMessage(message)
            ? boundMessage(bound, callOf(message, contextIn(all.slice(0, at), isHuman)), message)
            : message,
        ),
      );
      return handler({ ...request, messages });
    },
  };
}

/** The same tools with bounded results, for graphs that call them without an agent's middleware. */
export function boundTools<Tools extends readonly object[]>(tools: Tools, options: BoundOptions = {}): Tools {
  kinds.list(tools, "The tools for boundTools()");
  const bound = createBound(options, "boundTools()");
  return (tools as unknown as readonly LangChainTool[]).map((tool) =>
    withMembers(tool, {
      invoke: (input, config) => {
        const id = (input as { readonly id?: unknown } | null)?.id;
        const call = { tool: tool.name, callId: typeof id === "string" ? id : undefined };
        return guarded(bound, call, () => tool.invoke(input, config));
      },
    }),
  ) as unknown as Tools;
}

/** A tool with which the model reads saved outputs; takes LangChain's `tool`. */
export function readerTools<Tool>(tool: CreateTool<Tool>, options: ReaderToolsOptions = {}): Tool[] {
  kinds.call(tool, "LangChain's tool for readerTools()");
  const read = createReader(options);
  return [
    tool(read, { name: READER_NAME, description: READER_DESCRIPTION, schema: READER_SCHEMA }),
    tool(createQuery(options), { name: QUERY_NAME, description: QUERY_DESCRIPTION, schema: QUERY_SCHEMA }),
  ];
}

async function guarded<Result>(bound: Bound, call: ToolCall, run: () => Result | Promise<Result>): Promise<Result> {
  let result: Result;
  try {
    result = await run();
  } catch (thrown) {
    throw await boundError(bound, call, thrown);
  }
  return (await boundResult(bound, call, result)) as Result;
}

/** A message, a command with messages in its update, or any value. */
async function boundResult(bound: Bound, call: ToolCall, result: unknown): Promise<unknown> {
  if (typeof result !== "object" || result === null) return bound(call, result);
  if (isToolMessage(result as Fields)) return boundMessage(bound, call, result as Fields);
  const { update } = result as { readonly update?: unknown };
  const { messages } = (update ?? {}) as { readonly messages?: unknown };
  if (Array.isArray(messages)) {
    const shown = await Promise.all(messages.map((message) => boundResult(bound, call, message)));
    return withMembers(result as Fields, { update: { ...(update as Fields), messages: shown } });
  }
  return isMessage(result) || "lg_name" in result ? result : bound(call, result);
}

async function boundMessage(bound: Bound, given: ToolCall, message: Fields): Promise<Fields> {
  const { content, status } = message;
  const call = { ...given, failed: status === "error" };
  const shown = Array.isArray(content)
    ? await boundParts(bound, call, content as readonly unknown[], PARTS)
    : await bound(call, content);
  return shown === content ? message : withMembers(message, { content: shown });
}

const PARTS: TextParts<unknown> = {
  textOf: (part) => {
    const text = typeof part === "string" ? part : (part as Fields).text;
    return typeof text === "string" ? text : undefined;
  },
  withText: (part, text) => (typeof part === "string" ? text : { ...(part as Fields), text }),
};

function callOf({ name, tool_call_id }: Fields, query: ToolCall["query"]): ToolCall {
  return { tool: String(name ?? "tool"), callId: String(tool_call_id), query };
}

function isMessage(value: object): boolean {
  return "content" in value && "lc_namespace" in value;
}

function isToolMessage(message: Fields): boolean {
  return message.type === "tool" && "tool_call_id" in message;
}

function isHuman(message: Fields): boolean {
  return message.type === "human" || message.role === "user";
}
