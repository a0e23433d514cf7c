import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ScriptedCall {
  readonly id?: string;
  readonly name: string;
  /** A string is sent as it is, valid JSON or not. */
  readonly input: unknown;
}

/** What the server does with one request. */
export type ScriptedReply =
  | {
      readonly text?: string;
      readonly calls?: readonly ScriptedCall[];
      readonly usage?: { readonly input: number; readonly output: number };
      /** Ends the connection in the middle of the stream. */
      readonly breakOff?: boolean;
      /** Ends the stream properly, but without a finish. */
      readonly unfinished?: boolean;
      /** Sends the first part of the stream, then nothing more. */
      readonly stall?: boolean;
    }
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown }
  | { readonly garbage: string }
  | { readonly hang: true };

/** A request in terms that both wire formats share. */
export interface ModelRequest {
  readonly wire: "openai" | "anthropic";
  readonly bytes: number;
  readonly body: string;
  readonly system: string;
  readonly toolNames: readonly string[];
  readonly toolDescriptions: Readonly<Record<string, string>>;
  /** Texts of the user's messages, oldest first. */
  readonly userTexts: readonly string[];
  /** Results in the order they were sent. */
  readonly toolResults: readonly { readonly callId: string; readonly text: string }[];
  readonly headers: IncomingMessage["headers"];
}

export interface ModelServer {
  /** Base URL without a final slash; serves /chat/completions and /messages below it. */
  readonly url: string;
  readonly requests: readonly ModelRequest[];
  close(): Promise<void>;
}

export type Script = (request: ModelRequest, index: number) => ScriptedReply | Promise<ScriptedReply>;

/** A model server on loopback that answers by a script, in both wire formats, streaming. */
export async function startModelServer(script: Script | readonly ScriptedReply[]): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  const answer: Script =
    typeof script === "function" ? script : (_, index) => script[index] ?? { text: "The script has ended." };
  const server = createServer(async (request, response) => {
    const body = await readBody(request);
    const parsed = parseRequest(request, body);
    requests.push(parsed);
    await respond(parsed, response, await answer(parsed, requests.length - 1));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

async function respond(request: ModelRequest, response: ServerResponse, reply: ScriptedReply): Promise<void> {
  if ("hang" in reply) return;
  if ("status" in reply) {
    response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers });
    response.end(
      typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body ?? { error: { message: "scripted" } }),
    );
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  if ("garbage" in reply) {
    response.end(reply.garbage);
    return;
  }
  const frames = request.wire === "openai" ? openaiFrames(reply) : anthropicFrames(reply);
  const last =
    reply.breakOff || reply.stall || reply.unfinished ? Math.max(1, Math.floor(frames.length / 2)) : frames.length;
  for (const frame of frames.slice(0, last)) {
    if (!response.write(frame)) await new Promise((resolve) => response.once("drain", resolve));
  }
  if (reply.stall) return;
  if (reply.breakOff) setTimeout(() => response.destroy(), 5);
  else response.end();
}

type Answer = Extract<ScriptedReply, { text?: string }>;

let callCount = 0;
const callId = (call: ScriptedCall) => call.id ?? `call_${++callCount}`;
const inputText = (call: ScriptedCall) => (typeof call.input === "string" ? call.input : JSON.stringify(call.input));

function openaiFrames(reply: Answer): string[] {
  const frame = (delta: object, finish: string | null = null, usage?: object) =>
    `data: ${JSON.stringify({
      id: "chatcmpl-1",
      object: "chat.completion.chunk",
      created: 1,
      model: "scripted",
      choices: [{ index: 0, delta, finish_reason: finish }],
      ...(usage ? { usage } : {}),
    })}\n\n`;
  const frames = [frame({ role: "assistant", content: "" })];
  for (const piece of pieces(reply.text ?? "")) frames.push(frame({ content: piece }));
  for (const [index, call] of (reply.calls ?? []).entries()) {
    const id = callId(call);
    frames.push(frame({ tool_calls: [{ index, id, type: "function", function: { name: call.name, arguments: "" } }] }));
    for (const piece of pieces(inputText(call))) {
      frames.push(frame({ tool_calls: [{ index, function: { arguments: piece } }] }));
    }
  }
  const usage = {
    prompt_tokens: reply.usage?.input ?? 100,
    completion_tokens: reply.usage?.output ?? 10,
    total_tokens: 110,
  };
  frames.push(frame({}, reply.calls?.length ? "tool_calls" : "stop", usage), "data: [DONE]\n\n");
  return frames;
}

function anthropicFrames(reply: Answer): string[] {
  const frame = (type: string, fields: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
  const usage = { input_tokens: reply.usage?.input ?? 100, output_tokens: reply.usage?.output ?? 10 };
  const frames = [
    frame("message_start", {
      message: {
        id: "msg_1",
        type: "message",
        role: "assistant",
        model: "scripted",
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage,
      },
    }),
  ];
  let index = 0;
  if (reply.text) {
    frames.push(frame("content_block_start", { index, content_block: { type: "text", text: "" } }));
    for (const text of pieces(reply.text))
      frames.push(frame("content_block_delta", { index, delta: { type: "text_delta", text } }));
    frames.push(frame("content_block_stop", { index: index++ }));
  }
  for (const call of reply.calls ?? []) {
    frames.push(
      frame("content_block_start", {
        index,
        content_block: { type: "tool_use", id: callId(call), name: call.name, input: {} },
      }),
    );
    for (const partial_json of pieces(inputText(call))) {
      frames.push(frame("content_block_delta", { index, delta: { type: "input_json_delta", partial_json } }));
    }
    frames.push(frame("content_block_stop", { index: index++ }));
  }
  frames.push(
    frame("message_delta", {
      delta: { stop_reason: reply.calls?.length ? "tool_use" : "end_turn", stop_sequence: null },
      usage,
    }),
    frame("message_stop", {}),
  );
  return frames;
}

/** Two pieces for a short text, pieces of 64 KB for a long one. */
function pieces(text: string): string[] {
  const size = text.length > 65_536 ? 65_536 : Math.max(1, Math.ceil(text.length / 2));
  const result: string[] = [];
  for (let start = 0; start < text.length; start += size) result.push(text.slice(start, start + size));
  return result;
}

interface Block {
  type: string;
  text?: string;
  tool_use_id?: string;
  content?: string | Block[];
}
interface WireMessage {
  role: string;
  content: string | Block[] | null;
  tool_call_id?: string;
}
interface WireRequest {
  messages: WireMessage[];
  system?: string | Block[];
  tools?: { name?: string; description?: string; function?: { name: string; description?: string } }[];
}

function parseRequest(request: IncomingMessage, body: string): ModelRequest {
  const wire = request.url?.endsWith("/messages") ? "anthropic" : "openai";
  const parsed = JSON.parse(body) as WireRequest;
  const tools = (parsed.tools ?? []).map(
    (tool) => tool.function ?? { name: tool.name ?? "", description: tool.description },
  );
  const userBlocks = parsed.messages
    .filter((message) => message.role === "user")
    .flatMap((message) => blocksOf(message.content));
  return {
    wire,
    bytes: Buffer.byteLength(body),
    body,
    system:
      wire === "anthropic"
        ? textOf(parsed.system ?? "")
        : textOf(parsed.messages.find((one) => one.role === "system")?.content ?? ""),
    toolNames: tools.map((tool) => tool.name),
    toolDescriptions: Object.fromEntries(tools.map((tool) => [tool.name, tool.description ?? ""])),
    userTexts: userBlocks.filter((block) => block.type === "text").map((block) => block.text ?? ""),
    toolResults:
      wire === "anthropic"
        ? userBlocks
            .filter((block) => block.type === "tool_result")
            .map((block) => ({ callId: block.tool_use_id ?? "", text: textOf(block.content ?? "") }))
        : parsed.messages
            .filter((message) => message.role === "tool")
            .map((message) => ({ callId: message.tool_call_id ?? "", text: textOf(message.content ?? "") })),
    headers: request.headers,
  };
}

const blocksOf = (content: WireMessage["content"]): Block[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : (content ?? []);
const textOf = (content: string | Block[]) =>
  blocksOf(content)
    .map((block) => block.text ?? "")
    .join("");
