import { parseJson } from "../../bytes/json/parse-json.ts";
import { kinds } from "../../limits/options.ts";
import { QUERY_DESCRIPTION, QUERY_NAME, QUERY_SCHEMA } from "../mcp-shared/query-tool.ts";
import { READER_DESCRIPTION, READER_NAME, READER_SCHEMA } from "../mcp-shared/reader-tool.ts";
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
import { commandText, contextIn } from "./plain-text.ts";
import { createQuery, createReader, type ReaderInput } from "./reader.ts";

export type { BoundOptions, ReaderInput, ReaderToolsOptions };

type Fields = Readonly<Record<string, unknown>>;

/** A function tool, as far as it is looked at. */
interface OpenAiTool {
  readonly type: string;
  readonly name: string;
  readonly invoke?: (context: unknown, input: string, details?: CallDetails) => Promise<unknown>;
}

interface CallDetails {
  readonly toolCall?: { readonly callId?: string | undefined } | undefined;
}

/** The input and output of a `callModelInputFilter`. */
export interface ModelInput<Item> {
  readonly input: Item[];
  readonly instructions?: string;
}

/** A reader as a function tool. */
export interface OpenAiReaderTool {
  readonly type: "function";
  readonly name: string;
  readonly description: string;
  readonly parameters: {
    type: "object";
    properties: Record<string, { readonly type: string }>;
    required: string[];
    additionalProperties: false;
  };
  readonly strict: false;
  invoke(context: unknown, input: string): Promise<string>;
  needsApproval(): Promise<boolean>;
  isEnabled(): Promise<boolean>;
}

/**
 * The same tools, with bounded results for model and session. Tools that OpenAI runs itself are unchanged. A tool does
 * not receive the conversation: pass the question as `query`, or let `spillwayInputFilter` find it.
 */
export function boundTools<Tools extends readonly object[]>(tools: Tools, options: BoundOptions = {}): Tools {
  kinds.list(tools, "The tools for boundTools()");
  const bound = createBound(options, "boundTools()");
  return (tools as unknown as readonly OpenAiTool[]).map((tool) => boundTool(bound, tool)) as unknown as Tools;
}

/**
 * A `callModelInputFilter` that bounds the results in every request, whoever produced them: also of MCP servers and in
 * old sessions. The session keeps them whole.
 */
export function spillwayInputFilter(options: BoundOptions = {}) {
  const bound = createBound(options, "spillwayInputFilter()");
  return async <Item>({ modelData }: { readonly modelData: ModelInput<Item> }): Promise<ModelInput<Item>> => {
    const items = modelData.input as readonly Fields[];
    const input = await Promise.all(
      items.map((item, at) => boundItem(bound, item, contextIn(items.slice(0, at), isUser))),
    );
    return { ...modelData, input: input as Item[] };
  };
}

/** A tool with which the model reads saved outputs. */
export function readerTools(options: ReaderToolsOptions = {}): OpenAiReaderTool[] {
  const define = (
    name: string,
    description: string,
    parameters: OpenAiReaderTool["parameters"],
    answer: (input: unknown) => Promise<string>,
  ): OpenAiReaderTool => ({
    type: "function",
    name,
    description,
    parameters,
    strict: false,
    invoke: async (_, input) => answer(parseJson(input) ?? {}),
    needsApproval: async () => false,
    isEnabled: async () => true,
  });
  return [
    define(READER_NAME, READER_DESCRIPTION, READER_SCHEMA, createReader(options)),
    define(QUERY_NAME, QUERY_DESCRIPTION, QUERY_SCHEMA, createQuery(options)),
  ];
}

function boundTool(bound: Bound, tool: OpenAiTool): OpenAiTool {
  const { invoke, name } = tool;
  if (tool.type !== "function" || invoke === undefined) return tool;
  return {
    ...tool,
    async invoke(context, input, details) {
      const call = { tool: name, callId: details?.toolCall?.callId, query: { command: commandText(input) } };
      try {
        return await boundOutput(bound, call, await invoke.call(tool, context, input, details));
      } catch (thrown) {
        throw await boundError(bound, call, thrown);
      }
    },
  };
}

async function boundItem(bound: Bound, item: Fields, query: ToolCall["query"]): Promise<Fields> {
  const { type, name, output } = item;
  const callId = String(item.callId);
  if (type === "function_call_result") {
    const shown = await boundOutput(bound, { tool: String(name), callId, query }, output);
    return shown === output ? item : { ...item, output: shown };
  }
  // The shell and others of OpenAI's own have results of a given shape.
  if (typeof type === "string" && /^(shell|apply_patch|local_shell)_call_output$/.test(type))
    return {
      ...item,
      output: await boundLeaves(bound, { tool: type.replace("_call_output", ""), callId, query }, output),
    };
  return item;
}

/** A text, a part, a list of parts, or any value. */
async function boundOutput(bound: Bound, call: ToolCall, output: unknown): Promise<unknown> {
  if (isPart(output)) return (await boundParts(bound, call, [output], PARTS))[0];
  if (Array.isArray(output) && output.length > 0 && output.every(isPart)) return boundParts(bound, call, output, PARTS);
  return bound(call, output);
}

const KINDS = ["text", "input_text", "image", "input_image", "file", "input_file"];

function isPart(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && "type" in value && KINDS.includes(String(value.type));
}

const PARTS: TextParts<Fields> = {
  textOf: ({ text }) => (typeof text === "string" ? text : undefined),
  withText: (part, text) => ({ ...part, text }),
};

function isUser({ role }: Fields): boolean {
  return role === "user";
}
