import { spellOut } from "../bytes/json/spell-out.ts";

/** A copy of a value with every text in it replaced, without recursion: it may be of any depth, and hold itself. */
export function copyTexts(value: unknown, replace: (text: string, key: string) => string): unknown {
  const copies = new Map<object, Record<string, unknown>>();
  const waiting: [plain: object, copy: object][] = [];
  const copyOf = (item: unknown, key: string): unknown => {
    if (typeof item === "string") return replace(item, key);
    if (typeof item !== "object" || item === null) return item;
    const known = copies.get(item);
    if (known !== undefined) return known;
    const plain = spellOut(item) as object;
    const copy = (Array.isArray(plain) ? [] : {}) as Record<string, unknown>;
    copies.set(item, copy);
    waiting.push([plain, copy]);
    return copy;
  };
  const copied = copyOf(value, "");
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [plain, copy] = next;
    for (const [key, field] of Object.entries(plain)) {
      // A field of JSON may be called __proto__.
      const value = copyOf(field, key);
      Object.defineProperty(copy, key, { value, enumerable: true, writable: true, configurable: true });
    }
  }
  return copied;
}
