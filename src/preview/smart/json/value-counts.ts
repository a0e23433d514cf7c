import { keyEndOf, kindOfKey } from "./severity.ts";

/** How often one value occurs under its key, as far as is known by now. */
export interface ValueCount {
  count: number;
  readonly key: { total: number; readonly values: Map<string, ValueCount> };
}

const MAX_KEYS = 200;
const MAX_VALUES = 40;
const MAX_HEAD_CHARS = 80;
/** Stands for values that are yet to come, so that the first of all is not taken for the rule. */
const YET_TO_COME = 4;

/** Counts the values of keys that grade: what nearly all items say tells them apart no more. */
export class ValueCounts {
  readonly #keys = new Map<string, ValueCount["key"]>();

  /** Counts a member; undefined when its key grades nothing or takes too many values. */
  note(head: string): ValueCount | undefined {
    if (head.length > MAX_HEAD_CHARS) return undefined;
    const keyEnd = keyEndOf(head);
    if (keyEnd < 0) return undefined;
    const name = head.slice(1, keyEnd);
    if (kindOfKey(name) !== "grade") return undefined;
    const key = this.#key(name);
    if (key === undefined) return undefined;
    key.total++;
    const value = head.slice(keyEnd + 1);
    let found = key.values.get(value);
    if (found === undefined) {
      if (key.values.size >= MAX_VALUES) return undefined;
      found = { count: 0, key };
      key.values.set(` ${value}`.slice(1), found);
    }
    found.count++;
    return found;
  }

  #key(name: string): ValueCount["key"] | undefined {
    let key = this.#keys.get(name);
    if (key === undefined && this.#keys.size < MAX_KEYS) {
      key = { total: 0, values: new Map() };
      this.#keys.set(` ${name}`.slice(1), key);
    }
    return key;
  }
}

/** Bits that a value tells: 0 for what all say, 5 for one in thirty. */
function surprise({ count, key }: ValueCount): number {
  return Math.max(0, Math.log2((key.total + YET_TO_COME) / count));
}

/** What a severity is worth when this is how often it is said. */
export function weighSeverity(severity: number, said: ValueCount | undefined): number {
  if (said === undefined) return severity;
  const bits = surprise(said);
  const open = said.key.values.size >= MAX_VALUES;
  return severity * Math.max(0.3, Math.min(1, bits / 2)) + (open ? 0 : 0.15 * Math.min(5, bits));
}
