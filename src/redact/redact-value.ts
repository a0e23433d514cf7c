import { parseJson } from "../bytes/json/parse-json.ts";
import { spellOut } from "../bytes/json/stringify-json.ts";
import { finish, finishInTurns, type Redaction } from "./redaction.ts";
import type { SecretNumbers } from "./secret-numbers.ts";

export interface RedactedValue {
  /** The very same value when it holds no secret. */
  readonly value: unknown;
  readonly counts: ReadonlyMap<string, number>;
}

const NONE: ReadonlyMap<string, number> = new Map();

/** Takes secrets out of a value's texts; a field's name counts, as in JSON. A value that JSON cannot hold is taken apart. */
export function redactValue(redaction: Redaction, value: unknown, numbers: SecretNumbers): RedactedValue {
  return finish(redactSteps(redaction, value, numbers));
}

/** The same, without keeping the process from anything else for long. */
export function redactInTurns(redaction: Redaction, value: unknown, numbers: SecretNumbers): Promise<RedactedValue> {
  return finishInTurns(redactSteps(redaction, value, numbers));
}

function* redactSteps(redaction: Redaction, value: unknown, numbers: SecretNumbers): Generator<void, RedactedValue> {
  if (typeof value === "string") {
    const { text, counts } = yield* redaction.steps(value, numbers);
    return { value: text, counts };
  }
  if (typeof value !== "object" || value === null) return { value, counts: NONE };
  try {
    const json = JSON.stringify(value, (_, item) => spellOut(item)) ?? "";
    const { text, counts } = yield* redaction.steps(json, numbers);
    return counts.size === 0 ? { value, counts } : { value: JSON.parse(text), counts };
  } catch {
    return takeApart(redaction, value, numbers);
  }
}

/** Text by text: what is too deep for JSON, or holds itself. */
function takeApart(redaction: Redaction, root: object, numbers: SecretNumbers): RedactedValue {
  const counts = new Map<string, number>();
  const value = copyTexts(root, (text, key) => textOf(redaction, key, text, numbers, counts));
  return { value, counts };
}

function textOf(
  redaction: Redaction,
  key: string,
  text: string,
  numbers: SecretNumbers,
  counts: Map<string, number>,
): string {
  const lead = `${JSON.stringify(key)}: `;
  const named = redaction.text(lead + JSON.stringify(text), numbers);
  const found = named.counts.size > 0 ? named : redaction.text(text, numbers);
  if (found.counts.size === 0) return text;
  for (const [kind, count] of found.counts) counts.set(kind, (counts.get(kind) ?? 0) + count);
  if (found !== named) return found.text;
  const value = named.text.slice(lead.length);
  return (parseJson(value) as string | undefined) ?? value;
}

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

/** A copy of a value with every text in it replaced, without recursion: it may be of any depth, and hold itself. */
function copyTexts(value: unknown, replace: (text: string, key: string) => string): unknown {
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
