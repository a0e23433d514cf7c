import { kinds } from "../../limits/options.ts";
import { QUERY_DESCRIPTION, QUERY_NAME, QUERY_SCHEMA } from "../mcp-shared/query-tool.ts";
import { READER_DESCRIPTION, READER_NAME, READER_SCHEMA } from "../mcp-shared/reader-tool.ts";
import { type Bound, boundParts, createBound, type TextParts } from "./bound.ts";
import { findResults, type ToolResult, withContent } from "./message-results.ts";
import { type BoundOptions, gateOf, type ReaderToolsOptions } from "./options.ts";
import { plainText } from "./plain-text.ts";
import { createQuery, createReader, type ReaderInput } from "./reader.ts";
import { stubOlder } from "./stub-older.ts";

export type { BoundOptions, ReaderInput, ReaderToolsOptions };

export interface BoundMessagesOptions extends BoundOptions {
  /** Most bytes that all results take together; older ones then become pointers. @default 262144 */
  readonly maxTotalBytes?: number | undefined;
}

/** A reader for a loop of your own. */
export interface LoopReader {
  readonly name: string;
  /** Its definition for OpenAI's chat completions. */
  readonly chat: { type: "function"; function: { name: string; description: string; parameters: ReaderParameters } };
  /** Its definition for OpenAI's responses. */
  readonly responses: {
    type: "function";
    name: string;
    description: string;
    parameters: ReaderParameters;
    strict: false;
  };
  /** Its definition for Anthropic's messages. */
  readonly anthropic: { name: string; description: string; input_schema: ReaderParameters };
  call(input: unknown): Promise<string>;
}

type ReaderParameters = (typeof READER_SCHEMA | typeof QUERY_SCHEMA) & Record<string, unknown>;

const MAX_TOTAL_BYTES = 256 * 1024;

/**
 * A history of OpenAI's or Anthropic's messages as a model should be sent it: each result bounded and, where all of them
 * are still too much, older ones replaced by pointers, the first and the last kept. The messages given stay as they are.
 * A history that has grown at its end gives the same beginning until the total is passed again, so prompt caches hold.
 */
export async function boundMessages<Message extends object>(
  messages: readonly Message[],
  options: BoundMessagesOptions = {},
): Promise<Message[]> {
  kinds.list(messages, "The messages for boundMessages()");
  for (const [at, message] of messages.entries()) kinds.object(message, `messages[${at}]`);
  kinds.object(options, "The options of boundMessages()");
  const { maxTotalBytes = MAX_TOTAL_BYTES, ...rest } = options;
  kinds.above0(maxTotalBytes, "maxTotalBytes");
  const bound = createBound(rest, "boundMessages()");
  const results = findResults(messages);
  const shown = await Promise.all(results.map((result) => boundResult(bound, result)));
  const older = results.map((result, at) => ({ ...result, shown: shown[at] }));
  const contents = await stubOlder(gateOf(rest, "boundMessages()"), older, maxTotalBytes);
  return withContent(messages, results, contents);
}

/** A tool with which the model reads saved outputs: its definition per protocol, and the function that answers. */
export function readerTools(options: ReaderToolsOptions = {}): LoopReader & { readonly query: LoopReader } {
  const query = loopReader(QUERY_NAME, QUERY_DESCRIPTION, QUERY_SCHEMA, createQuery(options));
  return { ...loopReader(READER_NAME, READER_DESCRIPTION, READER_SCHEMA, createReader(options)), query };
}

function loopReader(
  name: string,
  description: string,
  parameters: ReaderParameters,
  call: (input: unknown) => Promise<string>,
): LoopReader {
  const named = { name, description };
  return {
    name,
    chat: { type: "function", function: { ...named, parameters } },
    responses: { type: "function", ...named, parameters, strict: false },
    anthropic: { ...named, input_schema: parameters },
    call,
  };
}

async function boundResult(bound: Bound, { tool, callId, content, failed, query }: ToolResult): Promise<unknown> {
  const call = { tool, callId, failed, query };
  if (!Array.isArray(content)) return bound(call, content);
  return boundParts(bound, call, content as readonly object[], PARTS);
}

const PARTS: TextParts<object> = {
  textOf: (part) => plainText([part]) || undefined,
  withText: (part, text) => ({ ...part, text }),
};
