import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { Spillway } from "../../gate/types.ts";
import { kinds } from "../../limits/options.ts";
import { QUERY_DESCRIPTION, QUERY_NAME, QUERY_SCHEMA } from "../mcp-shared/query-tool.ts";
import { READER_DESCRIPTION, READER_NAME, READER_SCHEMA } from "../mcp-shared/reader-tool.ts";
import { type Bound, boundError, boundLeaves, boundParts, createBound, TEXT_PARTS } from "./bound.ts";
import { type BoundOptions, gateOf, type ReaderToolsOptions } from "./options.ts";
import { commandText } from "./plain-text.ts";
import { createQuery, createReader, type QueryInput, type ReaderInput } from "./reader.ts";

export type { BoundOptions, ReaderInput, ReaderToolsOptions };

type Fields = Readonly<Record<string, unknown>>;

/** A tool made by the SDK's `tool`, as far as it is looked at. */
interface SdkTool {
  readonly name: string;
  handler(args: never, extra: unknown): Promise<{ readonly content: readonly object[]; readonly isError?: boolean }>;
}

/** Hooks for `query`. */
export interface SpillwayHooks {
  readonly UserPromptSubmit: { hooks: Hook[] }[];
  readonly PostToolUse: { matcher: string; hooks: Hook[] }[];
}

type Hook = (input: object) => Promise<HookAnswer>;

/** A hook's answer; an empty one changes nothing. */
export interface HookAnswer {
  readonly hookSpecificOutput?: { hookEventName: "PostToolUse"; updatedToolOutput: unknown };
}

/** The SDK's functions that make servers and tools. */
interface Sdk<Server> {
  createSdkMcpServer(options: { name: string; version?: string; tools?: never }): Server;
  tool(name: string, description: string, schema: never, handler: never): unknown;
}

/** The last question, for tools that do not receive it. */
const asked = new WeakMap<Spillway, string>();

/** Read is excluded: Edit needs its result verbatim. */
const MATCHER = "Bash|Grep|WebFetch|WebSearch|mcp__.*";
const SAVED = /exceeds maximum allowed tokens[\s\S]*?saved to (\/\S+?)[.,]?(?:\s|$)/;

/** Your own server's tools, with bounded results for the model. */
export function boundTools<Tools extends readonly object[]>(tools: Tools, options: BoundOptions = {}): Tools {
  kinds.list(tools, "The tools for boundTools()");
  const bound = createBound(options, "boundTools()");
  const spillway = gateOf(options, "boundTools()");
  return (tools as unknown as readonly SdkTool[]).map((tool) =>
    boundTool(bound, tool, () => asked.get(spillway)),
  ) as unknown as Tools;
}

/** Hooks that bound the results of built-in tools and other servers, with the user's last question. */
export function spillwayHooks(options: BoundOptions = {}): SpillwayHooks {
  const bound = createBound(options, "spillwayHooks()");
  const spillway = gateOf(options, "spillwayHooks()");
  const questions = new Map<string, string>();
  const listen: Hook = async (input) => {
    const { session_id, prompt } = input as { readonly session_id: string; readonly prompt?: string };
    if (prompt !== undefined) {
      questions.set(session_id, prompt);
      asked.set(spillway, prompt);
    }
    return {};
  };
  const replace: Hook = async (input) => {
    const { session_id, tool_name, tool_use_id, tool_input, tool_response } = input as Readonly<Record<string, string>>;
    if (tool_name === undefined || tool_name.endsWith(READER_NAME) || tool_name.endsWith(QUERY_NAME)) return {};
    const given = tool_name === "Bash" ? await wholeOutput(tool_response) : await wholeTexts(tool_response);
    const query = { task: questions.get(String(session_id)), command: commandText(tool_input) };
    const shown = await boundLeaves(bound, { tool: tool_name, callId: tool_use_id, query }, given);
    if (shown === tool_response) return {};
    return { hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput: shown } };
  };
  return { UserPromptSubmit: [{ hooks: [listen] }], PostToolUse: [{ matcher: MATCHER, hooks: [replace] }] };
}

/** A server, for `mcpServers`, with a tool that reads saved outputs; takes the SDK's functions. */
export function readerTools<Server>(sdk: Sdk<Server>, options: ReaderToolsOptions = {}): { readonly spillway: Server } {
  kinds.having(
    "the SDK, { createSdkMcpServer, tool }",
    "createSdkMcpServer",
    "tool",
  )(sdk, "The first argument of readerTools()");
  const { createSdkMcpServer, tool } = sdk;
  const read = createReader(options);
  const handler = async (input: ReaderInput) => ({ content: [{ type: "text", text: await read(input) }] });
  const reader = tool(READER_NAME, READER_DESCRIPTION, readerShape() as never, handler as never);
  const query = createQuery(options);
  const ask = async (input: QueryInput) => ({ content: [{ type: "text", text: await query(input) }] });
  const asker = tool(QUERY_NAME, QUERY_DESCRIPTION, queryShape() as never, ask as never);
  return { spillway: createSdkMcpServer({ name: "spillway", version: "1", tools: [reader, asker] as never }) };
}

function boundTool(bound: Bound, tool: SdkTool, question: () => string | undefined): SdkTool {
  return {
    ...tool,
    async handler(args, extra) {
      const call = {
        tool: tool.name,
        callId: callIdOf(extra),
        query: { task: question(), command: commandText(args) },
      };
      try {
        const result = await tool.handler(args, extra);
        const content = await boundParts(
          bound,
          { ...call, failed: result.isError === true },
          result.content,
          TEXT_PARTS,
        );
        return content === result.content ? result : { ...result, content };
      } catch (thrown) {
        throw await boundError(bound, call, thrown);
      }
    },
  };
}

/** Of a long output the SDK shows a part and names the file that has all of it. */
async function wholeOutput(response: unknown): Promise<unknown> {
  if (typeof response !== "object" || response === null) return response;
  const { persistedOutputPath: path, persistedOutputSize: _, ...rest } = response as Fields;
  if (typeof path !== "string") return response;
  const stdout = await readFile(path, "utf8").catch(() => undefined);
  return stdout === undefined ? response : { ...rest, stdout };
}

async function wholeTexts(response: unknown): Promise<unknown> {
  const saved = typeof response === "string" ? SAVED.exec(response)?.[1] : undefined;
  return saved === undefined ? response : await readFile(saved, "utf8").catch(() => response);
}

function callIdOf(extra: unknown): string | undefined {
  const meta = (extra as { readonly _meta?: Fields } | undefined)?._meta;
  const id = meta?.["claudecode/toolUseId"];
  return typeof id === "string" ? id : undefined;
}

function queryShape(): Readonly<Record<string, z.ZodType>> {
  const { id, sql } = QUERY_SCHEMA.properties;
  return { id: z.string().describe(id.description), sql: z.string().optional().describe(sql.description) };
}

function readerShape(): Readonly<Record<string, z.ZodType>> {
  const { properties } = READER_SCHEMA;
  return {
    id: z.string().describe(properties.id.description),
    pattern: z.string().optional().describe(properties.pattern.description),
    ignore_case: z.boolean().optional(),
    query: z.string().optional(),
    offset: z.number().int().min(1).optional().describe(properties.offset.description),
    limit: z.number().int().min(1).optional().describe(properties.limit.description),
    bytes: z.string().optional().describe(properties.bytes.description),
    all: z.boolean().optional(),
    part: z.number().int().min(1).optional().describe(properties.part.description),
    max_bytes: z.number().int().min(32).optional().describe(properties.max_bytes.description),
  };
}
