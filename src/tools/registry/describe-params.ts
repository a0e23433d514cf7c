/** Longest text that `context.params_input` repeats; the caller knows what it sent. */
const PARAM_ECHO_CHARS = 1000;
const MAX_DEPTH = 8;

/** What `context.params_input` shows of a call's parameters: as given, but without secrets and without long texts. */
export function describeParams(
  params: unknown,
  redact: ((params: Readonly<Record<string, unknown>>) => Record<string, unknown>) | undefined,
): unknown {
  if (params === undefined || params === null) return {};
  const isObject = typeof params === "object" && !Array.isArray(params);
  return shorten(isObject && redact !== undefined ? redact(params as Record<string, unknown>) : params, 0);
}

function shorten(value: unknown, depth: number): unknown {
  if (typeof value === "string") return shortText(value);
  if (typeof value === "number" || typeof value === "boolean" || value === null) return value;
  if (typeof value !== "object" || depth > MAX_DEPTH) return `[${typeof value}]`;
  if (Array.isArray(value)) return value.slice(0, PARAM_ECHO_CHARS).map((item) => shorten(item, depth + 1));
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(entries.slice(0, PARAM_ECHO_CHARS).map(([key, item]) => [key, shorten(item, depth + 1)]));
}

function shortText(text: string): string {
  if (text.length <= PARAM_ECHO_CHARS) return text;
  return `${text.slice(0, 200).replace(/[\ud800-\udbff]$/, "")}… [${text.length} characters]`;
}
