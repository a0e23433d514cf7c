import { fieldsOf, isObject } from "../bytes/json/is-object.ts";
import { parseJson } from "../bytes/json/parse-json.ts";
import { messageOf } from "../errors.ts";
import { kinds } from "../limits/options.ts";
import { pluralOf } from "../preview/omission.ts";
import { failure, isReduced, partial, type Reduction, success, ToolFailure } from "./builder.ts";
import { errorCodeOf, errorCodeOfMessage } from "./error-code.ts";
import { type AnyErrorCode, TOOL_STATUSES, type ToolContext, type ToolResponse, type ToolStats } from "./types.ts";
import { validateToolResponse } from "./validate.ts";

export interface LegacyOptions {
  /** Milliseconds the tool took. @default 0 */
  readonly timeMs?: number;
  /** The context of the envelope. @default { cwd: ".", params_input: null } */
  readonly context?: ToolContext;
  /** The next step for the caller after a failure. */
  readonly next?: string;
}

type Fields = Record<string, unknown>;

const NEXT = "Mend what it names, then call again.";
const UNSAID = "The tool failed without saying why.";
/** A correct envelope, to try a part of another in. */
const PROBE: ToolResponse = {
  status: "success",
  data: {},
  text: "",
  stats: { time_ms: 0 },
  context: { cwd: ".", params_input: null },
};

/**
 * Makes an envelope of whatever an older tool gave back or threw: a correct envelope stays (without `error: null`), also
 * if it is JSON; `error: "Error: …"` becomes a structured error, any other string `data.content`, a thrown errno
 * its code.
 */
export function fromLegacy(given: unknown, options: LegacyOptions = {}): ToolResponse {
  kinds.object(options, "The options of fromLegacy()");
  const value = parseEnvelope(given);
  if (validateToolResponse(value).ok) return withoutNullError(value as ToolResponse);
  const fields = isObject(value) ? value : undefined;
  const stats = statsOf(fields?.stats, options.timeMs ?? 0);
  const context = { ...contextOf(fields?.context), ...options.context };
  const base = { stats, context };
  const failed = errorOf(value, fields);
  if (failed !== undefined) {
    const data = fields === undefined || value instanceof Error ? fitData(failed.data) : dataOf(fields);
    const told = typeof fields?.text === "string" && fields.text.trim() !== "" ? fields.text : undefined;
    const next = failed.next ?? options.next ?? (told === undefined ? NEXT : undefined);
    const said = messageOf(failed);
    const message = said.trim() === "" ? UNSAID : said;
    const code = String(failed.code ?? "").trim() === "" ? "INTERNAL_ERROR" : failed.code;
    return failure(code, message, { ...base, data, text: told ?? sentence(message), next });
  }
  if (typeof value === "string") return success({ ...base, data: { content: value }, text: describe(value) });
  if (fields === undefined) return success({ ...base, data: wrap(value), text: describe(value) });
  const data = dataOf(fields);
  const text = typeof fields.text === "string" ? fields.text : describe(fields);
  if (fields.status !== "partial" && !isReduced(data)) return success({ ...base, data, text });
  const reduced = (isReduced(data) ? data : { ...data, truncated: true }) as Fields & Reduction;
  return partial({
    ...base,
    data: reduced,
    text,
    because: "the tool reported an incomplete result",
    next: options.next ?? "Narrow the request to see more.",
  });
}

/** The envelope or old result that a string of JSON holds; any other value as it is, also JSON that is no result. */
export function parseEnvelope(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*\{/.test(value)) return value;
  const parsed = parseJson(value);
  return isObject(parsed) && tellsOfCall(parsed) ? parsed : value;
}

/** True for fields that describe a tool call's outcome, which JSON of a file or web service does not have. */
function tellsOfCall({ status, data, text, error, stats, context, success: succeeded, isError }: Fields): boolean {
  const parts = [isObject(data), typeof text === "string", isObject(stats), isObject(context)];
  const told = parts.filter(Boolean).length;
  const failed =
    error === true ||
    (typeof error === "string" && error !== "") ||
    (isObject(error) && typeof error.message === "string");
  const known = TOOL_STATUSES.includes(status as never);
  const skips = fieldsOf(context).truncation_skip === true;
  return (
    skips ||
    told > 1 ||
    (told === 1 && known) ||
    status === "error" ||
    failed ||
    succeeded === false ||
    isError === true
  );
}

interface FoundError {
  readonly code: AnyErrorCode;
  readonly message: string;
  readonly next?: string | undefined;
  readonly data: Readonly<Fields>;
}

function errorOf(value: unknown, fields: Fields | undefined): FoundError | undefined {
  if (value instanceof ToolFailure) return value;
  if (value instanceof Error) return { code: errorCodeOf(value), message: sayError(value), data: {} };
  if (typeof value === "string") return /^(?:\w*Error|ERROR): /.test(value) ? fromWords(value) : undefined;
  if (fields === undefined) return undefined;
  const { error } = fields;
  if (typeof error === "string" && error !== "") return fromWords(error);
  if (error instanceof Error) return { code: errorCodeOf(error), message: sayError(error), data: {} };
  if (isObject(error)) {
    const message = typeof error.message === "string" && error.message !== "" ? error.message : "The tool failed.";
    const own = typeof error.code === "string" && error.code.trim() !== "";
    return { code: own ? (error.code as AnyErrorCode) : errorCodeOf(error), message, data: {} };
  }
  if (error === true || fields.status === "error" || fields.success === false || fields.isError === true) {
    const message = [fields.message, fields.text, fields.content].find(
      (part) => typeof part === "string" && part !== "",
    );
    return fromWords((message as string | undefined) ?? UNSAID);
  }
  return undefined;
}

function fromWords(text: string): FoundError {
  const message = text.replace(/^(?:Error|ERROR): ?/, "").trim() || UNSAID;
  return { code: errorCodeOfMessage(message), message, data: {} };
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

function sayError(error: Error): string {
  return messageOf(error).trim() || String(error.name);
}

const ENVELOPE_KEYS = new Set(["status", "text", "error", "stats", "context", "success", "isError"]);

/** True for a field with the envelope's meaning; a job's own `status: "failed"` or a list of errors stays data. */
function isOfEnvelope(key: string, value: unknown): boolean {
  if (key === "status") return TOOL_STATUSES.includes(value as never);
  if (key === "error") return !Array.isArray(value) && typeof value !== "number";
  return ENVELOPE_KEYS.has(key);
}

/** Fields of an old result other than the envelope's keys; a custom top-level key moves into data. */
function dataOf(fields: Fields): Fields {
  const own = isObject(fields.data)
    ? fields.data
    : fields.data === undefined || fields.data === null
      ? {}
      : { value: fields.data };
  const rest = Object.entries(fields).filter(([key, value]) => key !== "data" && !isOfEnvelope(key, value));
  return fitData({ ...Object.fromEntries(rest), ...own });
}

/** Fields that mean something in an envelope, as it has them: a tool may have meant them otherwise. */
function fitData({ truncated, truncation, ...data }: Readonly<Fields>): Fields {
  const fit: Fields =
    truncated === undefined ? data : { ...data, truncated: truncated !== "false" && Boolean(truncated) };
  if (truncation === undefined) return fit;
  const facts = { ...PROBE, status: "partial", text: "cut", data: { truncated: true, truncation } };
  return { ...fit, [validateToolResponse(facts).ok ? "truncation" : "reported_truncation"]: truncation };
}

function wrap(value: unknown): Fields {
  if (value === undefined || value === null) return {};
  return Array.isArray(value) ? { items: value } : { value };
}

function describe(value: unknown): string {
  if (value === undefined || value === null) return "The tool finished and returned nothing.";
  if (typeof value === "string")
    return `The tool returned ${value.length} ${pluralOf(value.length, "character")} of text, in data.content.`;
  if (Array.isArray(value))
    return `The tool returned ${value.length} ${pluralOf(value.length, "item")}, in data.items.`;
  return "The tool finished; its result is in data.";
}

function statsOf(stats: unknown, timeMs: number): ToolStats {
  const kept = isObject(stats)
    ? Object.entries(stats).filter(([, value]) => typeof value === "string" || Number.isFinite(value))
    : [];
  const known: Fields = Object.fromEntries(kept);
  const time = typeof known.time_ms === "number" && known.time_ms >= 0 ? known.time_ms : Math.max(0, timeMs);
  return { ...(known as ToolStats), time_ms: time };
}

function contextOf(context: unknown): ToolContext {
  const given = fieldsOf(context);
  const candidate = { ...given, cwd: given.cwd ?? ".", params_input: given.params_input ?? null } as ToolContext;
  return validateToolResponse({ ...PROBE, context: candidate }).ok
    ? candidate
    : { cwd: ".", params_input: candidate.params_input };
}

function withoutNullError(envelope: ToolResponse): ToolResponse {
  if (envelope.error || !("error" in envelope)) return envelope;
  const { error: _, ...rest } = envelope;
  return rest;
}
