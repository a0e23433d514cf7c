import { createHash } from "node:crypto";
import type { QueryContext } from "../../query/query-context.ts";
import { plainText } from "./plain-text.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A tool's result in a history, whatever protocol the messages are of. */
export interface ToolResult {
  readonly tool: string;
  readonly callId: string;
  /** A text or a list of parts. */
  readonly content: unknown;
  readonly failed: boolean;
  /** The last texts of the user and the model before it. */
  readonly query: QueryContext;
  /** The message that holds it, and its block if there are several. */
  readonly at: number;
  readonly block?: number | undefined;
}

/** All results in order: of OpenAI's chat completions and responses, and of Anthropic's messages. */
export function findResults(messages: readonly object[]): readonly ToolResult[] {
  const names = new Map<string, string>();
  const results: ToolResult[] = [];
  let query: QueryContext = {};
  for (const [at, message] of (messages as readonly Fields[]).entries()) {
    rememberNames(message, names);
    const written = message.role === "assistant" ? plainText(message.content).trim() : "";
    if (written !== "") query = { ...query, assistantText: written };
    const add = (callId: unknown, content: unknown, failed = false, block?: number) =>
      results.push({
        tool: names.get(String(callId)) ?? "tool",
        callId: String(callId),
        content,
        failed,
        query,
        at,
        block,
      });
    if (message.role === "tool") add(message.tool_call_id, message.content);
    else if (message.role === "function") {
      // Such a message has a name and no id, so it is identified by its text.
      const callId = `function_${createHash("sha256").update(plainText(message.content)).digest("hex").slice(0, 16)}`;
      names.set(callId, String(message.name));
      add(callId, message.content);
    } else if (hasOutput(message)) add(message.call_id, message.output);
    else if (message.role === "user") {
      for (const [block, part] of blocksOf(message).entries())
        if (part.type === "tool_result") add(part.tool_use_id, part.content, part.is_error === true, block);
      const task = plainText(message.content).trim();
      if (task !== "") query = { task };
    }
  }
  return results;
}

/** The messages with other contents for their results; those that did not change are the same objects. */
export function withContent<Message extends object>(
  messages: readonly Message[],
  results: readonly ToolResult[],
  contents: readonly unknown[],
): Message[] {
  const changed = [...messages];
  for (const [index, { at, block, content }] of results.entries()) {
    if (contents[index] === content) continue;
    const message = changed[at] as Fields;
    if (block === undefined) {
      const field = hasOutput(message) ? "output" : "content";
      changed[at] = { ...message, [field]: contents[index] } as Message;
    } else {
      const blocks = [...blocksOf(message)];
      blocks[block] = { ...blocks[block], content: contents[index] };
      changed[at] = { ...message, content: blocks } as unknown as Message;
    }
  }
  return changed;
}

/** The results of OpenAI's responses that the caller gives. */
const OUTPUTS = new Set(["function_call_output", "custom_tool_call_output", "local_shell_call_output"]);

function hasOutput({ type }: Fields): boolean {
  return OUTPUTS.has(String(type));
}

function rememberNames(message: Fields, names: Map<string, string>): void {
  if (message.type === "function_call" || message.type === "custom_tool_call")
    names.set(String(message.call_id), String(message.name));
  for (const call of listOf(message.tool_calls))
    names.set(String(call.id), String((call.function as Fields | undefined)?.name ?? "tool"));
  if (message.role === "assistant")
    for (const part of blocksOf(message)) if (part.type === "tool_use") names.set(String(part.id), String(part.name));
}

function blocksOf(message: Fields): readonly Fields[] {
  return listOf(message.content);
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? (value as Fields[]) : [];
}
