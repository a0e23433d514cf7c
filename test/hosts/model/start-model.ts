import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import { anthropic } from "./anthropic.ts";
import { gemini } from "./gemini.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiResponses } from "./openai-responses.ts";
import type { Body, Protocol, Reply, SeenResult } from "./protocol.ts";

/** An agent that offers a tool only after so many other calls never does. */
const MOST_FILLERS = 60;

export const PROTOCOLS: readonly Protocol[] = [anthropic, openaiChat, openaiResponses, gemini];

const BRIDGE = "tool_call";

/** A call that the model makes; what it was sent before may be looked at. */
export interface ModelCall {
  /** The first of these that the agent offers. */
  readonly tools: readonly string[];
  readonly input: (seen: readonly SeenResult[]) => Readonly<Record<string, unknown>>;
  /** Passed over where the agent offers none of them. */
  readonly optional?: boolean;
  /**
   * What the model does, for the nth time, as long as the agent does not offer them: some start before their servers
   * have. No two of these calls may be the same, because some agents stop a model that repeats itself.
   */
  readonly meanwhile?: ((turn: number) => Pick<ModelCall, "tools" | "input">) | undefined;
  /** How many of the calls after it are made at the same time. @default 0 */
  readonly together?: number | undefined;
  /** Awaited before the agent gets the call. */
  readonly before?: ((seen: readonly SeenResult[]) => Promise<void> | void) | undefined;
}

export interface Model {
  readonly url: string;
  /** What the model was sent for each call, in order. */
  readonly seen: readonly SeenResult[];
  /** How many calls were handed to the agent. */
  made(): number;
  /** Tools that the agent offered when the one that was wanted was not there; for messages. */
  missed(): readonly string[];
  /** Every request, for what no result says. */
  readonly requests: readonly { readonly path: string; readonly body: string }[];
  close(): void;
}

/** What the model answers in a conversation of its own, which a sub-agent has with it. */
export interface SubAnswer {
  /** Only such a conversation is without the user's prompt. */
  readonly unless: string;
  readonly prompt: string;
  readonly text: string;
}

/** A model on loopback that makes the calls of a script one after the other, whatever protocol it is asked in. */
export async function startModel(calls: readonly ModelCall[], sub?: SubAnswer): Promise<Model> {
  const seen: SeenResult[] = [];
  const requests: { path: string; body: string }[] = [];
  const prepared = new Set<number>();
  /** Which results are those of calls that were made meanwhile; they are not shown. */
  const fillers = new Set<number>();
  let ids = 0;
  let passed = 0;
  let taken = 0;
  let missed: readonly string[] = [];
  const decide = async (protocol: Protocol, body: Body): Promise<Reply> => {
    const offered = protocol.offered(body);
    const results = protocol.results(body);
    const filled = [...fillers].filter((at) => at < results.length).length;
    const place = (): number => results.length - filled + passed;
    while (offered.length > 0 && isMissing(calls[place()], offered)) passed++;
    const call = calls[place()];
    // Agents shorten earlier results later on: what counts is how each came first.
    for (; taken < results.length; taken++) if (!fillers.has(taken)) seen.push(results[taken]!);
    if (call === undefined) return { text: "done" };
    // Some agents only search for tools of servers, and call what was found by a tool of their own.
    const bridged = call.tools.find((name) => name.startsWith("mcp") && offered.includes(BRIDGE));
    const tool = call.tools.find((name) => offered.includes(name)) ?? (bridged && BRIDGE);
    // Titles, summaries and the like are asked for without tools.
    if (tool === undefined) {
      if (offered.length > 0) missed = offered;
      const meanwhile = call.meanwhile?.(filled + 1);
      const filler = meanwhile?.tools.find((name) => offered.includes(name));
      if (meanwhile !== undefined && filler !== undefined && filled < MOST_FILLERS) {
        fillers.add(results.length);
        return { calls: [{ tool: filler, input: meanwhile.input(seen) }] };
      }
      return { text: "ok" };
    }
    if (!prepared.has(results.length)) {
      prepared.add(results.length);
      await call.before?.(seen);
    }
    const next = place() + 1;
    const beside = calls.slice(next, next + (call.together ?? 0));
    const others = beside.flatMap(({ tools, input }) => {
      const name = tools.find((one) => offered.includes(one));
      return name === undefined ? [] : [{ tool: name, input: input(seen) }];
    });
    const input = call.input(seen);
    return { calls: [{ tool, input: tool === BRIDGE ? { name: bridged, arguments: input } : input }, ...others] };
  };
  const server = createServer(async (request, response) => {
    const raw = await readBody(request);
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    requests.push({ path, body: raw });
    const protocol = PROTOCOLS.find(({ matches }) => matches(path));
    if (request.method !== "POST" || protocol === undefined) {
      // Token counts, lists of models, telemetry.
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ input_tokens: Math.ceil(raw.length / 4), totalTokens: 1, data: [], models: [] }));
      return;
    }
    const body = JSON.parse(raw) as Body;
    // A picture costs by its size on the screen, not by its base64.
    const inputTokens = Math.ceil(raw.replaceAll(/[A-Za-z0-9+/=]{4000,}/g, "").length / 4);
    const isSub = sub !== undefined && raw.includes(sub.prompt) && !raw.includes(sub.unless);
    const reply = isSub ? { text: sub.text } : await decide(protocol, body);
    const { contentType, body: text } = protocol.answer(reply, {
      body,
      path,
      id: String(++ids),
      inputTokens,
    });
    response.writeHead(200, { "content-type": contentType });
    response.end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    requests,
    made: () => prepared.size,
    missed: () => missed,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A request as it was before it was packed. */
export function isMissing(call: ModelCall | undefined, offered: readonly string[]): boolean {
  return call?.optional === true && !call.tools.some((name) => offered.includes(name));
}

export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const raw = Buffer.concat(chunks);
  const unpack = { gzip: gunzipSync, deflate: inflateSync, br: brotliDecompressSync }[
    request.headers["content-encoding"] ?? ""
  ];
  return String(unpack === undefined ? raw : unpack(raw));
}
