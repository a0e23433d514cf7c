import type { Limits } from "../limits/types.ts";
import { exceeds, measure } from "../preview/measure.ts";
import type { ToolResponse } from "../protocol/types.ts";
import { SecretNumbers } from "../redact/secret-numbers.ts";
import { countsOf } from "./capture.ts";
import { commandIn } from "./command-line.ts";
import type { PartPath } from "./items/find-parts.ts";
import { measureValue } from "./items/measure-value.ts";
import { renderValue } from "./output.ts";
import { type EnvelopeBase, renderEnvelope } from "./render/envelope.ts";
import type { BoundedResult, GateOptions, Governed, Spillway } from "./types.ts";
import { outcomeOfResponse } from "./verdict.ts";

/** Fields around `data` count as small below this share of the envelope, or below this many bytes. */
const AROUND_SHARE = 0.2;
const AROUND_BYTES = 4096;
const CARRIED_TEXT_CHARS = 1000;

/** An envelope as it may be shown. */
export interface GovernedResponse {
  readonly response: ToolResponse;
  /** The gate's result; absent if nothing had to pass the gate, as for a tool that pages by itself. */
  readonly governed?: Governed | undefined;
}

/** `echoesParams`: the envelope repeats the caller's own parameters, which do not count against the limits. */
export interface ResponseOptions extends GateOptions {
  readonly echoesParams?: boolean | undefined;
}

/**
 * Bounds a finished envelope. Within limits, or with `context.truncation_skip`, the same object is returned. Otherwise
 * the complete original is stored as JSON (with its dominant text as `.txt` next to it), and this envelope is returned:
 * with whole items where it was made of items, and with each of its texts where it was made of several.
 */
export async function governResponse(
  spillway: Spillway,
  tool: string,
  given: ToolResponse,
  { echoesParams = false, ...options }: ResponseOptions = {},
  sayHint?: EnvelopeBase["sayHint"],
): Promise<GovernedResponse> {
  const bound = async (response: ToolResponse, told: GateOptions): Promise<GovernedResponse> => {
    const answer = await governClean(spillway, tool, response, { ...told, echoesParams }, sayHint);
    if (!echoesParams || answer.response === response) return answer;
    const context = { ...answer.response.context, params_input: response.context.params_input };
    return { ...answer, response: { ...answer.response, context } };
  };
  const redaction = await spillway.redaction();
  if (redaction === undefined) return bound(given, options);
  const { redactValue } = await import("../redact/redact-value.ts");
  const secrets = options.secrets ?? new SecretNumbers();
  const { value, counts } = redactValue(redaction, given, secrets);
  const redacted = countsOf(counts);
  const answer = await bound(value as ToolResponse, { ...options, secrets, redacted });
  if (answer.governed === undefined && redacted !== undefined) spillway.noteRedacted(tool, redacted);
  return answer;
}

async function governClean(
  spillway: Spillway,
  tool: string,
  response: ToolResponse,
  { echoesParams, ...options }: ResponseOptions,
  sayHint: EnvelopeBase["sayHint"],
): Promise<GovernedResponse> {
  if (response.context?.truncation_skip === true) return { response };
  const form = { root: spillway.root, sayHint };
  const commandLine = options.commandLine ?? commandIn(response.context?.params_input);
  const shared = { ...options, tool, commandLine, outcome: outcomeOfResponse(response) };
  const { limits } = await spillway.limits(shared);
  const bare = echoesParams ? { ...response, context: { ...response.context, params_input: null } } : response;
  const dataOnly = isSmallAround(bare) && !exceeds(measure(response.text), limits);
  const measured = measureValue(dataOnly ? response.data : bare, limits);
  const [part, ...others] = measured?.parts ?? [];
  if (part?.kind === "text" && others.length === 0 && isMainText(part.path, dataOnly)) {
    const governed = await spillway.govern(part.text, shared);
    if (governed.kind === "whole") return { response, governed };
    const data = dataOnly ? fieldsBeside(response.data, part.path, limits) : {};
    const named = await withOriginal(spillway, governed, response, commandLine);
    return { response: await truncated(named, response, { ...form, data }), governed };
  }
  const saved = { value: response, at: dataOnly ? ["data"] : [] };
  const governed = await spillway.govern({ value: dataOnly ? response.data : bare }, {
    ...shared,
    saved,
  } as GateOptions);
  if (governed.kind === "whole") return { response, governed };
  const { structured } = governed;
  if (structured === undefined) return { response: await truncated(governed, response, form), governed };
  if (!dataOnly) {
    const kept = structured.value as ToolResponse;
    const inData = { ...governed, structured: { ...structured, value: kept.data } };
    return { response: await truncated(inData, kept, form), governed };
  }
  const totals = Object.fromEntries(Object.entries(structured.totals).map(([name, count]) => [`total_${name}`, count]));
  const counted = { ...response, stats: { ...totals, ...response.stats } };
  return { response: await truncated(governed, counted, form), governed };
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

/** The small fields around the text that became the preview. */
function fieldsBeside(data: ToolResponse["data"], path: PartPath, limits: Limits): Readonly<Record<string, unknown>> {
  const { [String(path[0])]: _, ...rest } = data;
  const room = Math.min(AROUND_BYTES, limits.maxBytes / 8, limits.maxChars / 8, limits.maxTokens / 4);
  return renderValue(rest, 0).length <= room ? rest : {};
}

/** The text is stored already; stores the whole envelope as JSON too and names that as the full output. */
async function withOriginal(
  spillway: Spillway,
  governed: BoundedResult,
  response: unknown,
  commandLine: string | undefined,
): Promise<BoundedResult> {
  if (!("artifact" in governed.storage)) return governed;
  const text = governed.storage.artifact;
  const { tool, callId } = governed;
  const { storage } = await spillway.keep({ value: response }, { tool, callId, commandLine, relatedTo: text.id });
  // The model only needs the text; the envelope around it is in its history.
  if ("lost" in storage) return governed;
  return { ...governed, storage, hint: { ...governed.hint, storage, textPath: text.path } };
}

async function truncated(
  governed: BoundedResult,
  response: ToolResponse,
  form: Pick<EnvelopeBase, "root" | "sayHint" | "data">,
): Promise<ToolResponse> {
  const { carriedError, carriedFields } = await import("./observation-fields.ts");
  return renderEnvelope(governed, {
    ...form,
    stats: carriedFields(response.stats),
    context: carriedFields(response.context),
    // Only this field tells why a result was partial before it was cut.
    ...(response.status === "partial" && response.text.length <= CARRIED_TEXT_CHARS ? { text: response.text } : {}),
    ...(response.status === "error" ? { error: carriedError(response) } : {}),
  });
}
