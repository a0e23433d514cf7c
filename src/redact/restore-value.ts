import type { SecretNumbers } from "./secret-numbers.ts";

export interface RestoredValue {
  readonly value: unknown;
  /** True when something was put back. */
  readonly changed: boolean;
  /** Placeholders that nothing is known of, each once. */
  readonly unknown: readonly string[];
}

/** Puts the session's secrets back in the place of their placeholders, in every text of a value. */
export function restoreValue(value: unknown, numbers: SecretNumbers): RestoredValue {
  const unknown = new Set<string>();
  let changed = false;
  const waiting: (readonly [from: object, to: Record<string, unknown>])[] = [];
  const seen = new Map<object, unknown>();
  const restore = (item: unknown): unknown => {
    if (typeof item === "string") {
      const restored = numbers.restore(item);
      for (const placeholder of restored.unknown) unknown.add(placeholder);
      changed ||= restored.text !== item;
      return restored.text;
    }
    if (typeof item !== "object" || item === null) return item;
    const known = seen.get(item);
    if (known !== undefined) return known;
    const copy = (Array.isArray(item) ? [] : {}) as Record<string, unknown>;
    seen.set(item, copy);
    waiting.push([item, copy]);
    return copy;
  };
  const restored = restore(value);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [from, to] = next;
    for (const [key, item] of Object.entries(from)) to[key] = restore(item);
  }
  return { value: restored, changed, unknown: [...unknown] };
}
