const MAX_DEPTH = 200;

/** UTF-8 bytes of a JSON value's compact form; a `Map` given along remembers the sizes of its objects and arrays. */
export function jsonBytes(value: unknown, sizes: Map<object, number> = new Map(), depth = 0): number {
  if (typeof value === "string") return Buffer.byteLength(JSON.stringify(value));
  if (typeof value !== "object" || value === null) return String(value).length;
  const known = sizes.get(value);
  if (known !== undefined) return known;
  let size = 1;
  if (depth > MAX_DEPTH) size = Buffer.byteLength(JSON.stringify(value));
  else if (Array.isArray(value)) for (const item of value) size += jsonBytes(item, sizes, depth + 1) + 1;
  else for (const [key, item] of Object.entries(value)) size += keyBytes(key) + jsonBytes(item, sizes, depth + 1);
  // The last item has no comma, an empty one has both brackets still.
  if (size === 1) size = 2;
  sizes.set(value, size);
  return size;
}

/** The key with its colon, and the comma behind its value. */
export function keyBytes(key: string): number {
  return Buffer.byteLength(JSON.stringify(key)) + 2;
}
