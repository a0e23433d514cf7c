/** A Map, a Set or an error with what it holds, of which JSON shows nothing; anything else as it is. */
export function spellOut(value: unknown): unknown {
  if (value instanceof Map) {
    const entries = [...value];
    return entries.every(([key]) => typeof key === "string") ? Object.fromEntries(entries) : entries;
  }
  if (value instanceof Set) return [...value];
  if (!(value instanceof Error)) return value;
  const { name, message, cause } = value;
  return Object.assign({ name, message }, value, cause === undefined ? {} : { cause });
}
