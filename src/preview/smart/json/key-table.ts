import { copyText } from "../../lines/held-line.ts";
import { ZERO } from "../zero.ts";
import { type Gravity, NO_GRAVITY } from "./gravity.ts";
import { type KeyMeaning, readKey } from "./key-meaning.ts";
import { mayTellTrouble } from "./trouble.ts";

/** How often one value occurs under its key. */
export interface ValueCount {
  /** As it stands in the document. */
  readonly text: string;
  count: number;
  readonly key: KeyEntry;
  /** How grave the value is, once it was weighed. */
  gravity: Gravity;
  weighed: boolean;
}

/** A key of the document: what it means, and the values it takes as long as they are few. */
export interface KeyEntry {
  readonly name: string;
  readonly meaning: KeyMeaning;
  /** True when the key itself may speak of trouble. */
  readonly suspect: boolean;
  /** Values seen under it. */
  total: number;
  /** Undefined once there are too many different ones. */
  values: Map<string, ValueCount> | undefined;
  /** Those of them that were found last, by a hash of their bytes. */
  readonly recent: (ValueCount | undefined)[];
  /** Mean of what its values tell, in bits; kept up while reading. */
  bits: number;
  /** How much the value that was counted last stands out. */
  lastOdd: number;
  /** True once one of its numbers was above 1. */
  beyondOne: boolean;
}

const MAX_KEYS = 4096;
const MAX_VALUES = 32;
const MAX_VALUE_CHARS = 60;
const RECENT_KEYS = 1024;
const RECENT_VALUES = 64;
/** Stands for values that are yet to come, so that the first of all is not taken for an exception. */
const YET_TO_COME = 4;

/** The keys of a document, wherever they stand. */
export class KeyTable {
  readonly #entries = new Map<string, KeyEntry>();
  /** For keys that came when the table was full, and for items. */
  readonly #rest: KeyEntry = newEntry("", true);
  /** Those that were found last, by a hash of their bytes. */
  readonly #recent: (KeyEntry | undefined)[] = [];

  /** The entry of the key that stands in these bytes, all of them ASCII; `text` holds the same. */
  findAt(bytes: Uint8Array, from: number, to: number, text: string): KeyEntry {
    const slot = hashOf(bytes, from, to) & (RECENT_KEYS - 1);
    const recent = this.#recent[slot];
    if (recent !== undefined && isText(recent.name, bytes, from, to)) return recent;
    const name = text.slice(from, to);
    const found = this.#entries.get(name) ?? this.#add(name, mayTellTrouble(bytes, from, to));
    this.#recent[slot] = found;
    return found;
  }

  /** True for the entry that many keys share. */
  isRest(key: KeyEntry): boolean {
    return key === this.#rest;
  }

  /** The entry of a key. */
  find(key: string): KeyEntry {
    return this.#entries.get(key) ?? this.#add(key, mayTellTrouble(latin1(key), 0, key.length));
  }

  #add(key: string, suspect: boolean): KeyEntry {
    if (this.#entries.size >= MAX_KEYS) return this.#rest;
    // A copy, lest the key hold on to the block it was cut from.
    const entry = newEntry(copyText(key), suspect);
    this.#entries.set(entry.name, entry);
    return entry;
  }
}

function newEntry(name: string, suspect: boolean): KeyEntry {
  return {
    name,
    meaning: readKey(name),
    suspect,
    total: 0,
    values: new Map(),
    recent: [],
    bits: ZERO,
    lastOdd: ZERO,
    beyondOne: false,
  };
}

function latin1(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/** Counts a value, as `lastOdd` tells; undefined when those of its key are too many or too long to be compared. */
export function noteValue(key: KeyEntry, text: string): ValueCount | undefined {
  key.total++;
  return key.values === undefined || text.length > MAX_VALUE_CHARS ? undefined : countValue(key, text);
}

/** The same for the value that stands in these bytes, all of them ASCII; `text` holds the same. */
export function noteValueAt(
  key: KeyEntry,
  bytes: Uint8Array,
  from: number,
  to: number,
  text: string,
): ValueCount | undefined {
  key.total++;
  if (key.values === undefined || to - from > MAX_VALUE_CHARS) return undefined;
  const slot = hashOf(bytes, from, to) & (RECENT_VALUES - 1);
  const recent = key.recent[slot];
  if (recent !== undefined && isText(recent.text, bytes, from, to)) return counted(recent);
  const found = countValue(key, text.slice(from, to));
  if (found !== undefined) key.recent[slot] = found;
  return found;
}

function countValue(key: KeyEntry, text: string): ValueCount | undefined {
  const values = key.values as Map<string, ValueCount>;
  let found = values.get(text);
  if (found === undefined) {
    if (values.size >= MAX_VALUES) {
      key.values = undefined;
      key.recent.length = 0;
      return undefined;
    }
    found = newCount(key, copyText(text));
    values.set(found.text, found);
  }
  return counted(found);
}

function newCount(key: KeyEntry, text: string): ValueCount {
  return { text, count: 0, key, weighed: false, gravity: NO_GRAVITY };
}

function counted(found: ValueCount): ValueCount {
  const { key } = found;
  found.count++;
  const bits = bitsOf(found);
  key.bits += (bits - key.bits) / key.total;
  key.lastOdd = oddBits(bits - key.bits);
  return found;
}

function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0;
  for (let at = from; at < to; at++) hash = (Math.imul(hash, 31) + (bytes[at] as number)) | 0;
  return hash ^ (hash >>> 9);
}

function isText(text: string, bytes: Uint8Array, from: number, to: number): boolean {
  if (text.length !== to - from) return false;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) !== bytes[from + at]) return false;
  return true;
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
