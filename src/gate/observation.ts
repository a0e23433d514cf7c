import type { Limits } from "../limits/types.ts";
import { preview } from "../preview/preview.ts";
import type { ToolResponse } from "../protocol/types.ts";
import type { PartPath } from "./items/find-parts.ts";
import { measureValue } from "./items/measure-value.ts";
import { renderValue } from "./output.ts";
import { type EnvelopeBase, renderEnvelope } from "./render/envelope.ts";
import type { BoundedResult, GovernOptions, Spillway } from "./types.ts";
import { outcomeOfResponse } from "./verdict.ts";

/** What stands around `data` in an envelope is small when it takes less than this share of it, or so many bytes. */
const AROUND_SHARE = 0.2;
const AROUND_BYTES = 4096;
/** Each field that the truncated envelope carries over (parameters, error message, …) is held to this many characters. */
const CARRIED_CHARS = 4000;
const CARRIED_TEXT_CHARS = 1000;

/**
 * Bounds a finished envelope. Within limits, or with `context.truncation_skip`, the very same object comes back. Above,
 * the complete original is stored as JSON (and the text that dominates it as `.txt` beside), and A8's envelope returns:
 * with whole items where it was made of items, and with each of its texts where it was made of several.
 */
export async function governResponse(
  spillway: Spillway,
  tool: string,
  response: ToolResponse,
  options: GovernOptions = {},
  sayHint?: EnvelopeBase["sayHint"],
): Promise<ToolResponse> {
  if (response.context?.truncation_skip === true) return response;
  const form = { root: spillway.root, sayHint };
  const shared = { ...options, tool, outcome: outcomeOfResponse(response) };
  const { limits } = await spillway.limits(shared);
  const dataOnly = isSmallAround(response);
  const measured = measureValue(dataOnly ? response.data : response, limits);
  const [part, ...others] = measured?.parts ?? [];
  if (part?.kind === "text" && others.length === 0 && isMainText(part.path, dataOnly)) {
    const governed = await spillway.govern(part.text, shared);
    if (governed.kind === "whole") return response;
    const beside = dataOnly ? fieldsBeside(response.data, part.path, limits) : {};
    return truncated(await withOriginal(spillway, governed, renderValue(response)), response, {
      ...form,
      data: beside,
    });
  }
  const saved = { value: response, at: dataOnly ? ["data"] : [] };
  const governed = await spillway.govern({ value: dataOnly ? response.data : response }, { ...shared, saved });
  if (governed.kind === "whole") return response;
  const { structured } = governed;
  if (structured === undefined) return truncated(governed, response, form);
  if (!dataOnly) {
    const kept = structured.value as ToolResponse;
    return truncated({ ...governed, structured: { ...structured, value: kept.data } }, kept, form);
  }
  const totals = Object.fromEntries(Object.entries(structured.totals).map(([name, count]) => [`total_${name}`, count]));
  return truncated(governed, { ...response, stats: { ...totals, ...response.stats } }, form);
}

/** True for a field of `data`, and for the envelope's own text; anything deeper keeps its place instead. */
function isMainText([first, ...deeper]: PartPath, inData: boolean): boolean {
  return deeper.length === (inData || first === "text" ? 0 : 1) && (inData || first === "text" || first === "data");
}

/** True when nearly all of an envelope is its data. */
function isSmallAround({ data, ...around }: ToolResponse): boolean {
  const bytes = renderValue(around, 0).length;
  return bytes <= AROUND_BYTES || bytes <= renderValue(data, 0).length * AROUND_SHARE;
}

/** The small fields beside the text that became the preview. */
function fieldsBeside(data: ToolResponse["data"], path: PartPath, limits: Limits): Readonly<Record<string, unknown>> {
  const { [String(path[0])]: _, ...rest } = data;
  const room = Math.min(AROUND_BYTES, limits.maxBytes / 8, limits.maxChars / 8, limits.maxTokens / 4);
  return renderValue(rest, 0).length <= room ? rest : {};
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

function truncated(
  governed: BoundedResult,
  response: ToolResponse,
  form: Pick<EnvelopeBase, "root" | "sayHint" | "data">,
): ToolResponse {
  return renderEnvelope(governed, {
    ...form,
    stats: carriedFields(response.stats),
    context: carriedFields(response.context),
    // Why a result was partial before it was cut is said nowhere else.
    ...(response.status === "partial" && response.text.length <= CARRIED_TEXT_CHARS ? { text: response.text } : {}),
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
