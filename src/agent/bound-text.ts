import { estimateTokens } from "../preview/tokens/estimate-tokens.ts";
import type { HistoryContext } from "./bound-history.ts";
import type { ArtifactPointer, ToolCall } from "./events.ts";
import type { RequestedCall } from "./request-step.ts";
import { shorten } from "./serialize-event.ts";

/** Bytes of JSON that text or parameters may take in one event, well below the cap of a line. */
const MAX_JSON_BYTES = 100_000;
const SHORT_INPUT_CHARS = 2_000;

/** Text of the user or the model as it is recorded and sent: whole, or a preview with the whole in an artifact. */
export async function boundText(
  context: HistoryContext,
  tool: "Prompt" | "Answer",
  text: string,
  maxTokens: number,
): Promise<{ text: string; artifact?: ArtifactPointer }> {
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
  if (!("artifact" in storage)) return { text: shown };
  const { id, path } = storage.artifact;
  return { text: shown, artifact: { id, path } };
}

/** A call as it is recorded and sent back: its parameters whole, or shortened with the whole in an artifact. */
export async function boundInput(context: HistoryContext, call: RequestedCall): Promise<ToolCall> {
  const { callId, tool, input } = call;
  const json = toJson(input);
  if (json !== undefined && Buffer.byteLength(json) <= MAX_JSON_BYTES)
    return { type: "tool.call", callId, tool, input };
  const shortened = { type: "tool.call", callId, tool, input: shorten(input, SHORT_INPUT_CHARS) } as const;
  try {
    const writer = await context.gate.store.create({ tool: `${tool}-input`, callId, extension: "json" });
    await writer.write(Buffer.from(json ?? "null"));
    await writer.finish(json === undefined ? { complete: false, reason: "nested too deeply" } : { complete: true });
    return { ...shortened, artifact: { id: writer.id, path: writer.path } };
  } catch {
    // The store is down: the call is still made, its record says how much is missing.
    return shortened;
  }
}

/** Undefined when the value is nested too deeply for JSON. */
function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value) ?? "null";
  } catch {
    return undefined;
  }
}
