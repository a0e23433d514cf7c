/** All parts in one; `bytes` is their length together. */
export function concat(parts: readonly Uint8Array[], bytes: number): Uint8Array {
  if (parts.length === 1 && parts[0] !== undefined) return parts[0];
  const all = new Uint8Array(bytes);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
