import { type KeyMeaning, readKey } from "./key-meaning.ts";

/** How often one value occurs under its key. */
export interface ValueCount {
  count: number;
  readonly key: KeyEntry;
}

/** A key of the document: what it means, and the values it takes as long as they are few. */
export interface KeyEntry {
  readonly meaning: KeyMeaning;
  /** Values seen under it. */
  total: number;
  /** Undefined once there are too many different ones. */
  values: Map<string, ValueCount> | undefined;
  /** Mean of what its values tell, in bits; kept up while reading. */
  bits: number;
  /** True once one of its numbers was above 1. */
  beyondOne: boolean;
}

const MAX_KEYS = 4096;
const MAX_VALUES = 32;
const MAX_VALUE_CHARS = 60;
/** Stands for values that are yet to come, so that the first of all is not taken for an exception. */
const YET_TO_COME = 4;

/** The keys of a document, wherever they stand. */
export class KeyTable {
  readonly #entries = new Map<string, KeyEntry>();
  /** For keys that came when the table was full, and for items. */
  readonly #rest: KeyEntry = newEntry("");

  /** The entry of a key. */
  find(key: string): KeyEntry {
    const found = this.#entries.get(key);
    if (found !== undefined) return found;
    if (this.#entries.size >= MAX_KEYS) return this.#rest;
    const entry = newEntry(key);
    // A copy, lest the key hold on to the block it was cut from.
    this.#entries.set(` ${key}`.slice(1), entry);
    return entry;
  }
}

function newEntry(key: string): KeyEntry {
  return { meaning: readKey(key), total: 0, values: new Map(), bits: 0, beyondOne: false };
}

/** Counts the value that begins at `start` of a head; undefined when its values are too many or too long to be compared. */
export function noteValue(key: KeyEntry, head: string, start: number): ValueCount | undefined {
  key.total++;
  const { values } = key;
  if (values === undefined || head.length - start > MAX_VALUE_CHARS) return undefined;
  const value = head.slice(start);
  let found = values.get(value);
  if (found === undefined) {
    if (values.size >= MAX_VALUES) {
      key.values = undefined;
      return undefined;
    }
    found = { count: 0, key };
    values.set(` ${value}`.slice(1), found);
  }
  found.count++;
  key.bits += (bitsOf(found) - key.bits) / key.total;
  return found;
}

/** How much a value stands out among those of its key: 0 for the usual, 1 for one in hundreds of a kind. */
export function oddness(said: ValueCount | undefined): number {
  if (said === undefined || said.key.values === undefined) return 0;
  return oddBits(bitsOf(said) - said.key.bits);
}

/** The same for a key that only some of so many items have. */
export function oddKey(key: KeyEntry, items: number): number {
  return key.total > items / 10 ? 0 : oddBits(Math.log2((items + YET_TO_COME) / Math.max(1, key.total)));
}

function oddBits(bits: number): number {
  return bits < 1.5 ? 0 : Math.min(1, bits / 8);
}

function bitsOf({ count, key }: ValueCount): number {
  return Math.max(0, Math.log2((key.total + YET_TO_COME) / count));
}
