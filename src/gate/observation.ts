import { preview } from "../preview/preview.ts";
import type { ToolResponse } from "../protocol/types.ts";
import { renderValue } from "./output.ts";
import { renderEnvelope } from "./render/envelope.ts";
import type { BoundedResult, GovernOptions, Outcome, Spillway } from "./types.ts";

/** A text dominates an envelope when everything else takes less than this share of it, or fits in a few KB anyway. */
const OTHER_SHARE = 0.2;
const OTHER_BYTES = 4096;
/** Each field that the truncated envelope carries over (parameters, error message, …) is held to this many characters. */
const CARRIED_CHARS = 4000;

/**
 * Bounds a finished envelope. Within limits, or with `context.truncation_skip`, the very same object comes back. Above,
 * the complete original is stored as JSON (and the text that dominates it as `.txt` beside), and A8's envelope returns.
 */
export async function governResponse(
  spillway: Spillway,
  tool: string,
  response: ToolResponse,
  options: GovernOptions = {},
): Promise<ToolResponse> {
  if (response.context?.truncation_skip === true) return response;
  const json = renderValue(response);
  const main = dominantText(response, json);
  const outcome: Outcome =
    response.status === "error" ? { kind: "failure", message: response.error?.message ?? "" } : { kind: "success" };
  const shared = { ...options, tool, outcome };
  if (main === undefined) {
    const governed = await spillway.govern(json, { ...shared, extension: "json" });
    return governed.kind === "whole" ? response : truncated(governed, response, spillway.root);
  }
  const governed = await spillway.govern(main, shared);
  if (governed.kind === "whole") return response;
  return truncated(await withOriginal(spillway, governed, json), response, spillway.root);
}

/** The text is stored already; stores the whole envelope as JSON too and names that as the full output. */
async function withOriginal(spillway: Spillway, governed: BoundedResult, json: string): Promise<BoundedResult> {
  if (!("artifact" in governed.storage)) return governed;
  const text = governed.storage.artifact;
  try {
    const writer = await spillway.store.create({
      tool: governed.tool,
      callId: governed.callId,
      extension: "json",
      relatedTo: text.id,
    });
    await writer.write(Buffer.from(json));
    await writer.finish({ complete: true });
    const { id, name, path } = writer;
    const storage = { artifact: { id, name, path } };
    return { ...governed, storage, hint: { ...governed.hint, storage, textPath: text.path } };
  } catch {
    // The text itself is safe, which is what the model needs; the envelope around it is in its history.
    return governed;
  }
}

function truncated(governed: BoundedResult, response: ToolResponse, root: string): ToolResponse {
  return renderEnvelope(governed, {
    root,
    stats: carriedFields(response.stats),
    context: carriedFields(response.context),
    ...(response.status === "error" ? { error: carriedError(response) } : {}),
  });
}

function carriedError(response: ToolResponse): NonNullable<ToolResponse["error"]> {
  const error = response.error ?? { code: "INTERNAL_ERROR" as const, message: "The tool failed without saying why." };
  return { code: error.code, message: shorten(error.message) };
}

function carriedFields<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, carried(value)])) as T;
}

function carried(value: unknown): unknown {
  const json = renderValue(value);
  if (json.length <= CARRIED_CHARS) return value;
  if (typeof value === "string") return shorten(value);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return shorten(json);
  const shortened = Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, typeof item === "string" ? shorten(item, 500) : item]),
  );
  return renderValue(shortened).length <= CARRIED_CHARS ? shortened : shorten(json);
}

function shorten(text: string, maxChars = CARRIED_CHARS): string {
  return preview(text, { strategy: "head_tail", maxChars, maxLines: Infinity }).text;
}

/** The string inside the envelope that makes up nearly all of it, when there is one. */
function dominantText(response: ToolResponse, json: string): string | undefined {
  const longest = [...strings([response.data, response.text])].reduce<string>(
    (best, text) => (text.length > best.length ? text : best),
    "",
  );
  if (longest === "") return undefined;
  const inJson = JSON.stringify(longest).length;
  const others = json.length - inJson;
  return others <= Math.max(OTHER_BYTES, inJson * OTHER_SHARE) && longest.length > others / 4 ? longest : undefined;
}

/** Every string inside a value, at any depth; a circle is walked once. */
function* strings(value: unknown): Generator<string, void, void> {
  const seen = new Set<unknown>();
  const waiting = [value];
  while (waiting.length > 0) {
    const item = waiting.pop();
    if (typeof item === "string") yield item;
    if (typeof item !== "object" || item === null || seen.has(item)) continue;
    seen.add(item);
    for (const inner of Object.values(item)) waiting.push(inner);
  }
}
