/** True for an object of JSON: neither a list nor null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The fields of an object; none of anything else. */
export function fieldsOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}
