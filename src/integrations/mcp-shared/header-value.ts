const PREFIX = "=?base64?";
const SUFFIX = "?=";
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** A text as an HTTP header holds it since 2026-07-28: as it is, or as base64 where a header could not hold it. */
export function encodeHeaderValue(text: string): string {
  const plain = /^[\x20-\x7e\t]+$/.test(text) && text === text.trim() && !isEncoded(text);
  return plain ? text : `${PREFIX}${Buffer.from(text).toString("base64")}${SUFFIX}`;
}

/** The text that a header's value stands for; undefined when its base64 is none. */
export function decodeHeaderValue(value: string): string | undefined {
  if (!isEncoded(value)) return value;
  const encoded = value.slice(PREFIX.length, -SUFFIX.length);
  return BASE64.test(encoded) ? Buffer.from(encoded, "base64").toString("utf8") : undefined;
}

function isEncoded(value: string): boolean {
  return value.startsWith(PREFIX) && value.endsWith(SUFFIX);
}
