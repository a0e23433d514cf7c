import type { AssistantContent, ModelMessage, ToolModelMessage } from "ai";
import { isObject } from "../bytes/json/is-object.ts";
import { estimateTokens } from "../preview/tokens/estimate-tokens.ts";
import type { ArtifactPointer, ResultShrunk, SessionEvent, ToolCallEvent, ToolResultEvent } from "./events.ts";
import { shorten } from "./events.ts";

type Output = Readonly<Record<string, unknown>>;

/** A result as the model is sent it now. */
export interface SentResult {
  readonly callId: string;
  readonly event: ToolResultEvent;
  /** Where the whole of it is, if it was saved. */
  readonly artifact: ArtifactPointer | undefined;
  readonly output: Output;
  readonly tokens: number;
  readonly stubbed: boolean;
  /** True when it was shortened to share its turn. */
  readonly shrunk: boolean;
  /** Tokens that a stub would save, here and in the call's parameters. */
  gain(): number;
}

/** One message of the model input, and its event. */
export interface Entry {
  readonly seq: number;
  readonly message: ModelMessage;
  readonly tokens: number;
  /** True for the first and the newest question, which are always sent. */
  readonly fixed: boolean;
  /** Results in this message; empty for others. */
  readonly results: readonly SentResult[];
}

/** Characters of a string in a call's parameters once the call is old. */
const OLD_INPUT_CHARS = 400;
const MESSAGE_TOKENS = 8;
const NOMINAL_POINTER: ArtifactPointer = { id: "", path: "x".repeat(160) };

/** The model input for the events. The same events always give the same messages. */
export function buildTranscript(events: readonly SessionEvent[], sessionPath: string): Entry[] {
  const calls = new Map<string, ToolCallEvent>();
  const results = new Map<string, ToolResultEvent>();
  const shrunk = new Map<string, ResultShrunk>();
  const stubs = new Map<string, ArtifactPointer | undefined>();
  let droppedThrough = 0;
  for (const event of events) {
    if (event.type === "tool.call") calls.set(event.callId, event);
    else if (event.type === "tool.result") results.set(event.callId, event);
    else if (event.type === "result.shrunk") shrunk.set(event.callId, event);
    else if (event.type === "history.stubbed") for (const stub of event.stubs) stubs.set(stub.callId, stub.artifact);
    else if (event.type === "history.dropped") droppedThrough = event.throughSeq;
  }

  const users = events.filter((event) => event.type === "user");
  const keptUsers = [users[0]?.seq, users.at(-1)?.seq];
  const entries: Entry[] = [];
  let dropped = 0;
  for (const event of events) {
    if (event.type !== "user" && event.type !== "model" && event.type !== "notice") continue;
    if (event.seq <= droppedThrough && !keptUsers.includes(event.seq)) {
      dropped++;
    } else if (event.type !== "model") {
      entries.push(userEntry(event.seq, event.text, keptUsers.includes(event.seq)));
    } else {
      const made = event.calls.flatMap((callId) => calls.get(callId) ?? []);
      if (event.text !== "" || made.length > 0) entries.push(answerEntry(event.seq, event.text, made));
      if (made.length > 0) entries.push(resultEntry(event.seq, made));
    }
  }
  const opening = entries[0];
  if (dropped > 0 && opening?.message.role === "user") {
    const note = `\n\n[${dropped} earlier ${dropped === 1 ? "message is" : "messages are"} left out here to save room, but kept in ${sessionPath}.]`;
    entries[0] = userEntry(opening.seq, `${opening.message.content}${note}`, opening.fixed);
  }
  return entries;

  function answerEntry(seq: number, text: string, made: readonly ToolCallEvent[]): Entry {
    const content: Exclude<AssistantContent, string> = text === "" ? [] : [{ type: "text", text }];
    let tokens = estimateTokens(text) + MESSAGE_TOKENS;
    for (const call of made) {
      const input = stubs.has(call.callId) ? oldInput(call) : asObject(call.input);
      content.push({ type: "tool-call", toolCallId: call.callId, toolName: call.tool, input });
      tokens += tokensOf(input) + MESSAGE_TOKENS;
    }
    return { seq, message: { role: "assistant", content }, tokens, fixed: false, results: [] };
  }

  function resultEntry(seq: number, made: readonly ToolCallEvent[]): Entry {
    const sent = made.map((call): SentResult => {
      const event = results.get(call.callId) ?? unanswered(call);
      const stubbed = stubs.has(call.callId);
      const { output: full, artifact } = shrunk.get(call.callId) ?? event;
      const output = stubbed ? renderStub(event, stubs.get(call.callId)) : full;
      const tokens = tokensOf(output);
      const gain = () =>
        tokens -
        tokensOf(renderStub(event, NOMINAL_POINTER)) +
        tokensOf(asObject(call.input)) -
        tokensOf(oldInput(call));
      return { callId: call.callId, event, artifact, output, tokens, stubbed, shrunk: shrunk.has(call.callId), gain };
    });
    const content: ToolModelMessage["content"] = sent.map((result) => ({
      type: "tool-result",
      toolCallId: result.callId,
      toolName: result.event.tool,
      output: { type: "json", value: result.output as never },
    }));
    const tokens = sent.reduce((sum, result) => sum + result.tokens + MESSAGE_TOKENS, 0);
    return { seq, message: { role: "tool", content }, tokens, fixed: false, results: sent };
  }
}

const known = new WeakMap<object, number>();

/** Estimated tokens of a value as JSON; remembered, since events do not change. */
export function tokensOf(value: object): number {
  let tokens = known.get(value);
  if (tokens === undefined) {
    tokens = estimateTokens(JSON.stringify(value));
    known.set(value, tokens);
  }
  return tokens;
}

const stubsMade = new WeakMap<ToolResultEvent, Output>();

/** The stub of an old result: enough to know what it was and where the full output is. */
export function renderStub(result: ToolResultEvent, artifact: ArtifactPointer | undefined): Output {
  const made = stubsMade.get(result);
  if (made !== undefined && made.artifact_path === artifact?.path) return made;
  const note = "Older result, shortened to save room.";
  const stub = {
    _spillway_stub: true,
    tool: result.tool,
    call_id: result.callId,
    status: result.status,
    gist: made?.gist ?? gistOf(result.output),
    ...(artifact ? { artifact_path: artifact.path, note: `${note} The full output is at artifact_path.` } : { note }),
  };
  stubsMade.set(result, stub);
  return stub;
}

function gistOf(output: Output): string {
  const preview = typeof output.preview === "string" ? output.preview : undefined;
  const lines = (preview ?? (typeof output.text === "string" ? output.text : JSON.stringify(output))).split("\n");
  const told = lines.filter((line) => line.trim() !== "");
  const chosen =
    preview === undefined
      ? told[0]
      : (told.find((line) => /\b(error|fail\w*|fatal|panic|exception)\b/i.test(line)) ?? told.at(-1));
  const gist = (chosen ?? "").trim();
  return gist.length > 160 ? `${gist.slice(0, 159).replace(/[\uD800-\uDBFF]$/, "")}…` : gist;
}

/** Providers take objects only; arguments that were no JSON travel as text. */
function asObject(input: unknown): object {
  return isObject(input) ? input : { invalid_arguments: input };
}

const oldInput = (call: ToolCallEvent) => asObject(shorten(call.input, OLD_INPUT_CHARS));

const userEntry = (seq: number, text: string, fixed: boolean): Entry => ({
  seq,
  message: { role: "user", content: text },
  tokens: estimateTokens(text) + MESSAGE_TOKENS,
  fixed,
  results: [],
});

/** The result of a call that a crash cut short. */
export function unanswered(call: ToolCallEvent): ToolResultEvent {
  const text =
    "The process ended before this call gave a result. It may have taken effect; check before you repeat it.";
  const output = { status: "error", data: {}, text, error: { code: "EXECUTION_ERROR", message: text } };
  const size = { bytes: 0, tokens: 0 };
  return {
    type: "tool.result",
    callId: call.callId,
    tool: call.tool,
    status: "error",
    output,
    before: size,
    after: size,
    timeMs: 0,
  };
}
