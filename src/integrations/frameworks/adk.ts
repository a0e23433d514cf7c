import { kinds } from "../../limits/options.ts";
import { QUERY_DESCRIPTION, QUERY_NAME, QUERY_SCHEMA } from "../mcp-shared/query-tool.ts";
import { READER_DESCRIPTION, READER_NAME, READER_SCHEMA } from "../mcp-shared/reader-tool.ts";
import { boundLeaves, createBound, type ToolCall } from "./bound.ts";
import type { BoundOptions, ReaderToolsOptions } from "./options.ts";
import { commandText, plainText } from "./plain-text.ts";
import { createQuery, createReader, type ReaderInput } from "./reader.ts";

export type { BoundOptions, ReaderInput, ReaderToolsOptions };

type Fields = Record<string, unknown>;

/** ADK's `BasePlugin`, which has to be extended. */
type PluginClass<Plugin extends object> = abstract new (name: string) => Plugin;

/** ADK's `FunctionTool`, as far as it is used here. */
type ToolClass<Tool> = new (options: {
  name: string;
  description: string;
  parameters: never;
  execute: (input: unknown) => Promise<Fields>;
}) => Tool;

/** The part of ADK's tool call that is used. */
interface AdkCall {
  readonly tool: { readonly name: string };
  readonly toolArgs?: unknown;
  readonly toolContext: object;
}

/**
 * A plugin for the runner that bounds tools' results and exceptions; takes ADK's `BasePlugin`. Without a plugin an
 * error would reach the model whole: the callbacks of an agent are not called for it.
 */
export function spillwayPlugin<Plugin extends object>(
  BasePlugin: PluginClass<Plugin>,
  options: BoundOptions = {},
): Plugin {
  kinds.class(BasePlugin, "ADK's BasePlugin for spillwayPlugin()");
  const bound = createBound(options, "spillwayPlugin()");
  class SpillwayPlugin extends (BasePlugin as unknown as new (name: string) => object) {
    async afterToolCallback({ tool, toolArgs, toolContext, result }: AdkCall & { readonly result: unknown }) {
      const call = callOf(tool.name, toolContext, toolArgs);
      if (tool.name === READER_NAME || tool.name === QUERY_NAME) return undefined;
      const fields = typeof result === "object" ? await boundLeaves(bound, call, result) : result;
      if (fields !== result) return fields;
      // A value of many texts that are short each may still be too large.
      const shown = await bound(call, result);
      return shown === result ? undefined : { result: shown };
    }

    async onToolErrorCallback({ tool, toolArgs, toolContext, error }: AdkCall & { readonly error: Error }) {
      const shown = await bound({ ...callOf(tool.name, toolContext, toolArgs), failed: true }, error.message);
      return shown === error.message ? undefined : { error: shown };
    }
  }
  return new SpillwayPlugin("spillway") as Plugin;
}

/** A tool with which the model reads saved outputs; takes ADK's `FunctionTool`. */
export function readerTools<Tool>(FunctionTool: ToolClass<Tool>, options: ReaderToolsOptions = {}): Tool[] {
  kinds.class(FunctionTool, "ADK's FunctionTool for readerTools()");
  const read = createReader(options);
  const reader = new FunctionTool({
    name: READER_NAME,
    description: READER_DESCRIPTION,
    parameters: geminiSchema(READER_SCHEMA) as never,
    execute: async (input) => ({ result: await read(input) }),
  });
  const query = createQuery(options);
  const asker = new FunctionTool({
    name: QUERY_NAME,
    description: QUERY_DESCRIPTION,
    parameters: geminiSchema(QUERY_SCHEMA) as never,
    execute: async (input) => ({ result: await query(input) }),
  });
  return [reader, asker];
}

function callOf(tool: string, context: object, input: unknown): ToolCall {
  const { functionCallId, userContent } = context as {
    readonly functionCallId?: string;
    readonly userContent?: { readonly parts?: unknown };
  };
  return { tool, callId: functionCallId, query: { task: plainText(userContent?.parts), command: commandText(input) } };
}

/** Gemini names types in capitals and knows no `additionalProperties`. */
function geminiSchema(schema: typeof READER_SCHEMA | typeof QUERY_SCHEMA): Fields {
  const properties = Object.entries(schema.properties).map(([name, property]) => [
    name,
    { ...property, type: property.type.toUpperCase() },
  ]);
  return { type: "OBJECT", properties: Object.fromEntries(properties), required: schema.required };
}
