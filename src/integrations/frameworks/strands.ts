import { kinds } from "../../limits/options.ts";
import { QUERY_DESCRIPTION, QUERY_NAME, QUERY_SCHEMA } from "../mcp-shared/query-tool.ts";
import { READER_DESCRIPTION, READER_NAME, READER_SCHEMA } from "../mcp-shared/reader-tool.ts";
import { type Bound, boundParts, createBound, type TextParts, withMembers } from "./bound.ts";
import type { BoundOptions, ReaderToolsOptions } from "./options.ts";
import { contextIn } from "./plain-text.ts";
import { createQuery, createReader, type ReaderInput } from "./reader.ts";

export type { BoundOptions, ReaderInput, ReaderToolsOptions };

type Fields = Readonly<Record<string, unknown>>;

/** The part of Strands' event after a tool call that is used. */
interface AfterToolCall {
  readonly toolUse: { readonly name: string; readonly toolUseId: string; readonly input?: unknown };
  readonly agent: { readonly messages: readonly unknown[] };
  result: { readonly status: string; readonly content: readonly object[] };
}

/** An agent that accepts hooks. */
interface HookedAgent<EventClass> {
  addHook(event: EventClass, listener: (event: never) => Promise<void>): unknown;
}

/** Strands' `tool` function, as far as it is used here. */
type CreateTool<Tool> = (config: {
  name: string;
  description: string;
  inputSchema: never;
  callback: (input: unknown) => Promise<string>;
}) => Tool;

/** Bounds results and failures of an agent's tools before they are recorded; takes Strands' `AfterToolCallEvent`. */
export function boundAgent<EventClass, Agent extends HookedAgent<EventClass>>(
  agent: Agent,
  AfterToolCallEvent: EventClass,
  options: BoundOptions = {},
): Agent {
  kinds.having("an agent of Strands", "addHook")(agent, "The agent for boundAgent()");
  kinds.class(AfterToolCallEvent, "The event for boundAgent(), AfterToolCallEvent,");
  const bound = createBound(options, "boundAgent()");
  agent.addHook(AfterToolCallEvent, (event: AfterToolCall) => boundEvent(bound, event));
  return agent;
}

/** A tool with which the model reads saved outputs; takes Strands' `tool`. */
export function readerTools<Tool>(tool: CreateTool<Tool>, options: ReaderToolsOptions = {}): Tool[] {
  kinds.call(tool, "Strands' tool for readerTools()");
  const read = createReader(options);
  const query = createQuery(options);
  return [
    tool({ name: READER_NAME, description: READER_DESCRIPTION, inputSchema: READER_SCHEMA as never, callback: read }),
    tool({ name: QUERY_NAME, description: QUERY_DESCRIPTION, inputSchema: QUERY_SCHEMA as never, callback: query }),
  ];
}

async function boundEvent(bound: Bound, event: AfterToolCall): Promise<void> {
  const { toolUse, result, agent } = event;
  const call = {
    tool: toolUse.name,
    callId: toolUse.toolUseId,
    query: contextIn(agent.messages, ({ role }) => role === "user", toolUse.input),
    failed: result.status === "error",
  };
  const content = await boundParts(bound, call, result.content, PARTS);
  if (content !== result.content) event.result = withMembers(result, { content });
}

const PARTS: TextParts<object> = {
  textOf: (part) => {
    const { text, json } = part as Fields;
    return typeof text === "string" ? text : json === undefined ? undefined : JSON.stringify(json, null, 2);
  },
  withText: (part, text) => {
    if ("text" in part) return withMembers(part as { text: string }, { text });
    return withMembers(part as { json: unknown }, { json: text });
  },
};
