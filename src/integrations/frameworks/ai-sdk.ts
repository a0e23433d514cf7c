import { remember } from "../../bytes/remember.ts";
import { kinds } from "../../limits/options.ts";
import type { QueryContext } from "../../query/query-context.ts";
import { QUERY_DESCRIPTION } from "../mcp-shared/query-tool.ts";
import { READER_DESCRIPTION } from "../mcp-shared/reader-tool.ts";
import {
  type Bound,
  boundError,
  boundLeaves,
  boundParts,
  createBound,
  type TextParts,
  type ToolCall,
} from "./bound.ts";
import type { BoundOptions, ReaderToolsOptions } from "./options.ts";
import { contextIn } from "./plain-text.ts";
import {
  createQuery,
  createReader,
  type QueryInput,
  queryStandardSchema,
  type ReaderInput,
  readerStandardSchema,
  type StandardSchema,
} from "./reader.ts";

export type { BoundOptions, QueryInput, ReaderInput, ReaderToolsOptions, StandardSchema };

/** A tool of the AI SDK, as far as it is looked at. */
interface AiTool {
  readonly type?: string;
  readonly execute?: (input: unknown, options: ExecuteOptions) => unknown;
  readonly toModelOutput?: (options: OutputOptions) => ModelOutput | PromiseLike<ModelOutput>;
}

interface ExecuteOptions {
  readonly toolCallId: string;
  readonly messages?: unknown;
}

interface OutputOptions {
  readonly toolCallId: string;
  readonly output: unknown;
}

/** A result as it is sent to the model. */
interface ModelOutput {
  readonly type: string;
  readonly value?: unknown;
}

type Part = Readonly<Record<string, unknown>>;

/** The part of a model call that the middleware reads. */
export interface ModelParams {
  readonly prompt: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly { readonly name: string; readonly type?: string }[] | undefined;
}

/** A middleware for `wrapLanguageModel`, of AI SDK 6 ("v3") and 7 ("v4"). */
export interface SpillwayMiddleware<Version extends "v3" | "v4"> {
  readonly specificationVersion: Version;
  transformParams<Params extends ModelParams>(options: { readonly params: Params }): Promise<Params>;
}

/** A reader tool of the AI SDK. */
export interface AiReaderTool<Input = ReaderInput> {
  readonly description: string;
  readonly inputSchema: StandardSchema<Input>;
  execute(input: Input): Promise<string>;
}

/** Questions of calls between their start and the step that sends their results. */
const QUESTIONS = 256;

/**
 * The same tools, with bounded results for the model. The application still gets what `execute` returns; an error
 * with a long message is thrown with a bounded one, the original as its cause.
 */
export function boundTools<Tools extends object>(tools: Tools, options: BoundOptions = {}): Tools {
  kinds.object(tools, "The tools for boundTools()");
  const bound = createBound(options, "boundTools()");
  const entries = Object.entries(tools as Readonly<Record<string, AiTool>>);
  return Object.fromEntries(entries.map(([name, tool]) => [name, boundTool(bound, name, tool)])) as Tools;
}

/** Bounds the results in every prompt, whoever produced them: also of MCP tools, and in old messages. */
export function spillwayMiddleware<Version extends "v3" | "v4" = "v3">(
  options: BoundOptions = {},
): SpillwayMiddleware<Version> {
  const bound = createBound(options, "spillwayMiddleware()");
  return {
    // Both versions of the AI SDK take a middleware of either.
    specificationVersion: "v3" as Version,
    async transformParams({ params }) {
      const tools = (params.tools ?? []).map(({ name }) => name);
      const shaped = new Set((params.tools ?? []).flatMap(({ name, type }) => (isShaped(type) ? [name] : [])));
      const prompt = await Promise.all(
        params.prompt.map(async (message, at) => {
          // Results of the provider's own tools are in the assistant's messages and must be returned unchanged.
          if (message.role !== "tool" || !Array.isArray(message.content)) return message;
          const query = contextIn(params.prompt.slice(0, at), ({ role }) => role === "user");
          const content = await Promise.all(
            message.content.map((part: Part) => boundResult(bound, part, { query, tools }, shaped)),
          );
          return { ...message, content };
        }),
      );
      return { ...params, prompt };
    },
  };
}

/** A tool with which the model reads saved outputs. */
export function readerTools(options: ReaderToolsOptions = {}): {
  readonly spillway_read: AiReaderTool;
  readonly spillway_query: AiReaderTool<QueryInput>;
} {
  const read = createReader(options);
  return {
    spillway_read: { description: READER_DESCRIPTION, inputSchema: readerStandardSchema, execute: read },
    spillway_query: {
      description: QUERY_DESCRIPTION,
      inputSchema: queryStandardSchema,
      execute: createQuery(options),
    },
  };
}

function boundTool(bound: Bound, name: string, tool: AiTool): AiTool {
  const { execute, toModelOutput } = tool;
  // Run by the provider: its result is returned unchanged.
  if (execute === undefined && isShaped(tool.type)) return tool;
  const questions = new Map<string, QueryContext | undefined>();
  return {
    ...tool,
    ...(execute && {
      execute(input: unknown, options: ExecuteOptions) {
        const query = contextIn(options.messages, ({ role }) => role === "user", input);
        remember(questions, options.toolCallId, query, QUESTIONS);
        return guarded(
          () => execute.call(tool, input, options),
          (thrown) => boundError(bound, { tool: name, callId: options.toolCallId, query }, thrown),
        );
      },
    }),
    async toModelOutput(given: OutputOptions) {
      const { output, toolCallId } = given;
      const shown: ModelOutput = toModelOutput
        ? await toModelOutput.call(tool, given)
        : typeof output === "string"
          ? { type: "text", value: output }
          : { type: "json", value: output ?? null };
      const call = { tool: name, callId: toolCallId, query: questions.get(toolCallId) };
      return boundOutput(bound, call, shown, isShaped(tool.type));
    },
  };
}

/** Runs a tool that answers at once, later or in parts, and changes only its exceptions. */
function guarded(run: () => unknown, onError: (thrown: unknown) => Promise<unknown>): unknown {
  const fail = async (thrown: unknown): Promise<never> => {
    throw await onError(thrown);
  };
  let result: unknown;
  try {
    result = run();
  } catch (thrown) {
    return fail(thrown);
  }
  if (typeof result !== "object" || result === null) return result;
  if (Symbol.asyncIterator in result) return guardedParts(result as AsyncIterable<unknown>, fail);
  return "then" in result ? Promise.resolve(result).catch(fail) : result;
}

async function* guardedParts(parts: AsyncIterable<unknown>, fail: (thrown: unknown) => Promise<never>) {
  try {
    yield* parts;
  } catch (thrown) {
    await fail(thrown);
  }
}

async function boundResult(
  bound: Bound,
  part: Part,
  facts: Pick<ToolCall, "query" | "tools">,
  shaped: ReadonlySet<string>,
): Promise<Part> {
  if (part.type !== "tool-result") return part;
  const tool = String(part.toolName);
  const output = part.output as ModelOutput;
  const call = { tool, callId: String(part.toolCallId), ...facts };
  const shown = await boundOutput(bound, call, output, shaped.has(tool));
  return shown === output ? part : { ...part, output: shown };
}

/** Bounds a result for the model; `shaped` keeps the fields of a JSON value, which its provider requires. */
async function boundOutput(bound: Bound, given: ToolCall, output: ModelOutput, shaped: boolean): Promise<ModelOutput> {
  const { type, value } = output;
  if (type === "content" && Array.isArray(value)) {
    const parts = await boundParts(bound, given, value as Part[], PARTS);
    return parts === value ? output : { ...output, value: parts };
  }
  if (!["text", "json", "error-text", "error-json"].includes(type)) return output;
  const failed = type.startsWith("error");
  const call = { ...given, failed };
  if (shaped && type === "json") return { ...output, value: await boundLeaves(bound, call, value) };
  const shown = await bound(call, value);
  if (shown === value) return output;
  return { ...output, type: failed ? "error-text" : "text", value: shown };
}

const PARTS: TextParts<Part> = {
  textOf: (part) => {
    const text = part.type === "text" ? part.text : inlineText(part);
    return typeof text === "string" ? text : undefined;
  },
  withText: (part, text) => (part.type === "text" ? { ...part, text } : { type: "text", text }),
};

/** A document given as text is text. */
function inlineText({ type, data }: Part): unknown {
  const { type: kind, text } = (typeof data === "object" && data !== null ? data : {}) as Part;
  return type === "file" && kind === "text" ? text : undefined;
}

/** A provider's own tools, which it defines and whose results it parses. */
function isShaped(type: string | undefined): boolean {
  return type === "provider" || type === "provider-defined";
}
