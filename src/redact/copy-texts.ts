/** A copy of a value with every text in it replaced, without recursion: it may be of any depth, and hold itself. */
export function copyTexts(value: unknown, replace: (text: string, key: string) => string): unknown {
  const copies = new Map<object, Record<string, unknown>>();
  const waiting: object[] = [];
  const copyOf = (item: unknown, key: string): unknown => {
    if (typeof item === "string") return replace(item, key);
    if (typeof item !== "object" || item === null) return item;
    const known = copies.get(item);
    if (known !== undefined) return known;
    const copy = (Array.isArray(item) ? [] : {}) as Record<string, unknown>;
    copies.set(item, copy);
    waiting.push(item);
    return copy;
  };
  const copied = copyOf(value, "");
  for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
    const copy = copies.get(item)!;
    for (const [key, field] of Object.entries(item)) copy[key] = copyOf(field, key);
  }
  return copied;
}
