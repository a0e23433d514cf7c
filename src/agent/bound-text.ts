import { estimateTokens } from "../preview/tokens/estimate-tokens.ts";
import type { HistoryContext } from "./bound-history.ts";
import { type Measure, pointerTo, type RecordedText, shorten, type ToolCallEvent } from "./events.ts";
import type { RequestedCall } from "./request-step.ts";

/** Bytes of JSON that text or parameters may take in one event, well below the cap of a line. */
const MAX_JSON_BYTES = 100_000;
const SHORT_INPUT_CHARS = 2_000;

/** Text of the user or the model as it is recorded and sent: whole, or a preview with the whole in an artifact. */
export async function boundText(
  context: HistoryContext,
  tool: "Prompt" | "Answer",
  text: string,
  maxTokens: number,
): Promise<RecordedText> {
  const jsonBytes = Buffer.byteLength(JSON.stringify(text));
  if (jsonBytes <= MAX_JSON_BYTES && estimateTokens(text) <= maxTokens) return { text };
  const escaped = jsonBytes / Math.max(1, Buffer.byteLength(text));
  const governed = await context.gate.govern(text, {
    tool,
    strategy: "head_tail",
    maxLines: Infinity,
    maxBytes: Math.floor(MAX_JSON_BYTES / escaped),
    maxTokens: Math.floor(maxTokens),
    ...context.reader,
  });
  if (governed.kind === "whole") return { text };
  const { preview, storage, size } = governed;
  const saved =
    "artifact" in storage ? `The whole is in ${storage.artifact.path}` : `The rest is lost: ${storage.lost}`;
  const shown = `${preview.text}\n\n[This message has ${size.chars} characters and is shown in part. ${saved}.]`;
  return { text: shown, artifact: pointerTo(storage), before: measure(text), after: measure(shown) };
}

const measure = (text: string): Measure => ({ bytes: Buffer.byteLength(text), tokens: estimateTokens(text) });

/** A call as it is recorded and sent back: its parameters whole, or shortened with the whole in an artifact. */
export async function boundInput(context: HistoryContext, call: RequestedCall): Promise<ToolCallEvent> {
  const { callId, tool, input } = call;
  const json = toJson(input);
  if (json !== undefined && Buffer.byteLength(json) <= MAX_JSON_BYTES)
    return { type: "tool.call", callId, tool, input };
  const shortened = { type: "tool.call", callId, tool, input: shorten(input, SHORT_INPUT_CHARS) } as const;
  const cutShort = json === undefined ? "nested too deeply" : undefined;
  const { storage } = await context.gate.keep({ value: input }, { tool: `${tool}-input`, callId, cutShort });
  const artifact = pointerTo(storage);
  // Where the store is down the call is still made, and its record says how much is missing.
  return artifact === undefined ? shortened : { ...shortened, artifact };
}

/** Undefined when the value is nested too deeply for JSON. */
function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value) ?? "null";
  } catch {
    return undefined;
  }
}
