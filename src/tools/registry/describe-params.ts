import { parseJson } from "../../bytes/json/parse-json.ts";
import { renderValue } from "../../gate/output.ts";

type Redact = (params: Readonly<Record<string, unknown>>) => Record<string, unknown>;

/** What `context.params_input` holds: the parameters as given, with the tool's mark in place of secrets. */
export function describeParams(params: unknown, redact: Redact | undefined): unknown {
  if (params === undefined || params === null) return {};
  const isObject = typeof params === "object" && !Array.isArray(params);
  const told = isObject && redact !== undefined ? redact(params as Record<string, unknown>) : params;
  return isJson(told) ? told : (parseJson(renderValue(told)) ?? renderValue(told));
}

/** True for what JSON holds; circles, big integers and functions are spelled out instead. */
function isJson(value: unknown): boolean {
  try {
    return JSON.stringify(value) !== undefined && !holdsOther(value);
  } catch {
    return false;
  }
}

function holdsOther(value: unknown): boolean {
  if (typeof value !== "object" || value === null)
    return !["string", "number", "boolean", "object"].includes(typeof value);
  const plain = Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value));
  return !plain || Object.values(value).some((item) => item !== undefined && holdsOther(item));
}
