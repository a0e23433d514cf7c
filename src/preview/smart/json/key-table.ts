import type { HeadView } from "./json-scanner.ts";
import { type KeyMeaning, readKey } from "./key-meaning.ts";

/** How often one value occurs under its key. */
export interface ValueCount {
  count: number;
  /** How much it stood out when it came last. */
  odd: number;
  readonly key: KeyEntry;
}

/** A key of the document: what it means, and the values it takes as long as they are few. */
export interface KeyEntry {
  /** As it stands, in quotation marks. */
  readonly quoted: string;
  readonly meaning: KeyMeaning;
  /** The key that came after it last; mostly it comes again. */
  next: KeyEntry | undefined;
  /** Values seen under it. */
  total: number;
  /** Undefined once there are too many different ones. */
  values: Map<string, ValueCount> | undefined;
  /** Mean of what its values tell, in bits; kept up while reading. */
  bits: number;
  /** True once one of its numbers was above 1. */
  beyondOne: boolean;
}

const QUOTE = 34;
const BACKSLASH = 92;
const MAX_KEYS = 4096;
const MAX_VALUES = 32;
const MAX_VALUE_CHARS = 60;
/** Stands for values that are yet to come, so that the first of all is not taken for an exception. */
const YET_TO_COME = 4;

/** The keys of a document, wherever they stand. */
export class KeyTable {
  /** Where the key found last ends, at its closing quote. */
  end = -1;
  readonly #entries = new Map<string, KeyEntry>();
  /** For keys that came when the table was full, and for items. */
  readonly #rest: KeyEntry = newEntry("");
  #last: KeyEntry = this.#rest;

  /** The key that the head of a member begins with; undefined for an item. */
  find({ text, from, to }: HeadView): KeyEntry | undefined {
    const expected = this.#last.next;
    if (expected !== undefined && standsAt(text, from, expected.quoted)) {
      this.end = from + expected.quoted.length - 1;
      if (this.end < to - 1) return this.#follow(expected);
    }
    this.end = keyEndOf(text, from, to);
    return this.end < 0 ? undefined : this.#follow(this.#entry(text.slice(from + 1, this.end)));
  }

  #follow(entry: KeyEntry): KeyEntry {
    if (entry !== this.#rest) {
      this.#last.next = entry;
      this.#last = entry;
    }
    return entry;
  }

  #entry(key: string): KeyEntry {
    const found = this.#entries.get(key);
    if (found !== undefined) return found;
    if (this.#entries.size >= MAX_KEYS) return this.#rest;
    const entry = newEntry(key);
    // A copy, lest the key hold on to the block it was cut from.
    this.#entries.set(` ${key}`.slice(1), entry);
    return entry;
  }
}

/** The same as `startsWith`, which takes longer than to compare a few characters. */
function standsAt(text: string, from: number, expected: string): boolean {
  for (let at = 0; at < expected.length; at++) {
    if (text.charCodeAt(from + at) !== expected.charCodeAt(at)) return false;
  }
  return true;
}

/** Where the key of a member ends, at its closing quote; -1 for an item. */
export function keyEndOf(text: string, from: number, to: number): number {
  if (text.charCodeAt(from) !== QUOTE) return -1;
  let end = from + 1;
  while (end < to && (text.charCodeAt(end) !== QUOTE || text.charCodeAt(end - 1) === BACKSLASH)) end++;
  return end < to - 1 ? end : -1;
}

function newEntry(key: string): KeyEntry {
  return {
    quoted: ` "${key}"`.slice(1),
    meaning: readKey(key),
    next: undefined,
    total: 0,
    values: new Map(),
    bits: 0,
    beyondOne: false,
  };
}

/** Counts the value from `start` to `end`; undefined when its values are too many or too long to be compared. */
export function noteValue(key: KeyEntry, text: string, start: number, end: number): ValueCount | undefined {
  key.total++;
  const { values } = key;
  if (values === undefined || end - start > MAX_VALUE_CHARS) return undefined;
  const value = text.slice(start, end);
  let found = values.get(value);
  if (found === undefined) {
    if (values.size >= MAX_VALUES) {
      key.values = undefined;
      return undefined;
    }
    found = { count: 0, odd: 0, key };
    values.set(` ${value}`.slice(1), found);
  }
  found.count++;
  const bits = bitsOf(found);
  key.bits += (bits - key.bits) / key.total;
  found.odd = oddBits(bits - key.bits);
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
