import { copyTexts } from "./copy-texts.ts";
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
  const restored = copyTexts(value, (item) => {
    const { text, unknown: unknownHere } = numbers.restore(item);
    for (const placeholder of unknownHere) unknown.add(placeholder);
    changed ||= text !== item;
    return text;
  });
  return { value: restored, changed, unknown: [...unknown] };
}
