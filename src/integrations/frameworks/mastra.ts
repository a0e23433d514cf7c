import { remember } from "../../bytes/remember.ts";
import { kinds } from "../../limits/options.ts";
import { QUERY_DESCRIPTION, QUERY_NAME } from "../mcp-shared/query-tool.ts";
import { READER_DESCRIPTION, READER_NAME } from "../mcp-shared/reader-tool.ts";
import { type Bound, boundError, boundParts, createBound, TEXT_PARTS, type ToolCall, withMembers } from "./bound.ts";
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

type Fields = Readonly<Record<string, unknown>>;

/** A tool of Mastra, as far as it is looked at. */
interface MastraTool {
  readonly id?: string;
  readonly execute?: (input: unknown, context?: ToolContext) => unknown;
  readonly toModelOutput?: (output: unknown) => unknown;
}

interface ToolContext {
  readonly agent?: { readonly toolCallId?: string | undefined; readonly messages?: unknown } | undefined;
}

/** A reader tool of Mastra. */
export interface MastraReaderTool<Input = ReaderInput> {
  readonly id: string;
  readonly description: string;
  readonly inputSchema: StandardSchema<Input>;
  execute(input: Input): Promise<string>;
}

/** Calls whose results were not shown yet. */
const OPEN_CALLS = 256;

/**
 * The same tools, with bounded results for the model. The application still gets what `execute` returns; an
 * error with a long message is thrown with a bounded one, the original as its cause.
 */
export function boundTools<Tools extends object>(tools: Tools, options: BoundOptions = {}): Tools {
  kinds.object(tools, "The tools for boundTools()");
  const bound = createBound(options, "boundTools()");
  const entries = Object.entries(tools as Readonly<Record<string, MastraTool>>);
  return Object.fromEntries(entries.map(([name, tool]) => [name, boundTool(bound, name, tool)])) as Tools;
}

/** A tool with which the model reads saved outputs. */
export function readerTools(options: ReaderToolsOptions = {}): {
  readonly spillway_read: MastraReaderTool;
  readonly spillway_query: MastraReaderTool<QueryInput>;
} {
  const read = createReader(options);
  return {
    spillway_read: {
      id: READER_NAME,
      description: READER_DESCRIPTION,
      inputSchema: readerStandardSchema,
      execute: read,
    },
    spillway_query: {
      id: QUERY_NAME,
      description: QUERY_DESCRIPTION,
      inputSchema: queryStandardSchema,
      execute: createQuery(options),
    },
  };
}

function boundTool(bound: Bound, name: string, tool: MastraTool): MastraTool {
  const { execute, toModelOutput } = tool;
  // The model's form of a result is requested with the result alone.
  const calls = new Map<unknown, ToolCall[]>();
  return withMembers(tool, {
    ...(execute && {
      async execute(input: unknown, context?: ToolContext) {
        const query = contextIn(context?.agent?.messages, ({ role }) => role === "user", input);
        const call = { tool: name, callId: context?.agent?.toolCallId, query };
        try {
          const output = await execute.call(tool, input, context);
          remember(calls, output, [...(calls.get(output) ?? []), call], OPEN_CALLS);
          return output;
        } catch (thrown) {
          throw await boundError(bound, call, thrown);
        }
      },
    }),
    async toModelOutput(output: unknown) {
      const call = calls.get(output)?.shift() ?? { tool: name };
      if (calls.get(output)?.length === 0) calls.delete(output);
      if (toModelOutput === undefined) {
        const shown = await bound(call, output);
        return shown === output ? undefined : { type: "text", value: shown };
      }
      return boundOutput(bound, call, await toModelOutput.call(tool, output));
    },
  });
}

/** The result of a tool's own `toModelOutput`. */
async function boundOutput(bound: Bound, call: ToolCall, output: unknown): Promise<unknown> {
  const { type, value } = (typeof output === "object" && output !== null ? output : {}) as Fields;
  if (type === "content" && Array.isArray(value)) {
    const parts = await boundParts(bound, call, value as Fields[], TEXT_PARTS);
    return parts === value ? output : { type, value: parts };
  }
  if (type !== "text" && type !== "json") return output;
  const shown = await bound(call, value);
  return shown === value ? output : { type: "text", value: shown };
}
