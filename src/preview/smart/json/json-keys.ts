import { decode } from "../../../bytes/utf8.ts";
import { latePattern } from "../../../query/late-pattern.ts";
import { splitIdentifier } from "../../../query/words.ts";
import { copyText } from "../../lines/line-drawing.ts";
import { ZERO } from "../zero.ts";
import type { JsonScanner } from "./json-scanner.ts";
import type { Severity } from "./severity.ts";

/** How the values of a key state a severity. */
export type Scale = "none" | "grade" | "mild grade" | "score" | "status" | "error" | "other";

/** What the values of a key are for the object they stand in. */
export type Role = "id" | "title" | "text" | "place" | "kind" | "none";

/** The meaning of a key, as far as its words tell. */
export interface KeyMeaning {
  readonly scale: Scale;
  /** Least score of each item of a list under it. */
  readonly listed: number;
  readonly role: Role;
  /** How well it fits its role, 0 to 1. */
  readonly fit: number;
}

/** How often one value occurs under its key. */
export interface ValueCount {
  /** Its JSON, one character per byte. */
  readonly text: string;
  readonly key: KeyEntry;
  count: number;
  /** Undefined until it is read. */
  severity: Severity | undefined;
}

/** A key of the document, wherever it stands, and the values it takes as long as they are few. */
export interface KeyEntry {
  /** One character per byte. */
  readonly text: string;
  readonly name: string;
  readonly meaning: KeyMeaning;
  /** Values seen under it. */
  total: number;
  /** Undefined once there are too many different ones. */
  values: ByteMap<ValueCount> | undefined;
  /** Mean information of its values in bits, updated while reading. */
  bits: number;
  /** Rarity of the value that was counted last. */
  lastRarity: number;
  /** True once one of its numbers was above 1. */
  beyondOne: boolean;
}

const MAX_KEYS = 4096;
const MAX_VALUES = 32;
const MAX_VALUE_BYTES = 60;
/** Stands for values that are yet to come, so that the first of all is no exception. */
const YET_TO_COME = 4;

/** Entries by the bytes they stand for. A slot for each hash spares most texts from being made. */
class ByteMap<T extends { readonly text: string }> {
  readonly #entries = new Map<string, T>();
  readonly #slots: (T | undefined)[] = [];
  readonly #mask: number;

  /** `slots` is a power of two. */
  constructor(slots: number) {
    this.#mask = slots - 1;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(text: string): T | undefined {
    return this.#entries.get(text);
  }

  add(entry: T): T {
    this.#entries.set(entry.text, entry);
    return entry;
  }

  find({ block, text }: JsonScanner, from: number, to: number): T | undefined {
    let hash = 0;
    for (let at = from; at < to; at++) hash = (Math.imul(hash, 31) + (block[at] as number)) | 0;
    const slot = (hash ^ (hash >>> 9)) & this.#mask;
    const recent = this.#slots[slot];
    if (recent !== undefined && isText(recent.text, block, from, to)) return recent;
    const found = this.#entries.get(text.slice(from, to));
    if (found !== undefined) this.#slots[slot] = found;
    return found;
  }
}

function isText(text: string, bytes: Uint8Array, from: number, to: number): boolean {
  if (text.length !== to - from) return false;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) !== bytes[from + at]) return false;
  return true;
}

/** The keys of a document. */
export class KeyTable {
  readonly #entries = new ByteMap<KeyEntry>(1024);
  /** Shared by the keys that come when the table is full. */
  readonly #rest = newEntry("", "");

  /** The entry of the key of a head. */
  keyOf(head: JsonScanner): KeyEntry | undefined {
    const { ascii, block, from, keyEnd } = head;
    if (keyEnd < 0) return undefined;
    const found = this.#entries.find(head, from + 1, keyEnd);
    if (found !== undefined) return found;
    if (this.#entries.size >= MAX_KEYS) return this.#rest;
    const text = copyText(head.text.slice(from + 1, keyEnd));
    return this.#entries.add(newEntry(text, ascii ? text : decode(block.subarray(from + 1, keyEnd))));
  }
}

function newEntry(text: string, name: string): KeyEntry {
  const values = new ByteMap<ValueCount>(64);
  return { text, name, meaning: readKey(name), total: 0, values, bits: ZERO, lastRarity: ZERO, beyondOne: false };
}

/** Counts the scalar in these bytes; undefined when the values of its key are too many or too long to be compared. */
export function countScalar(key: KeyEntry, head: JsonScanner, from: number, to: number): ValueCount | undefined {
  key.total++;
  if (key.values === undefined || to - from > MAX_VALUE_BYTES) return undefined;
  return counted(key, key.values.find(head, from, to) ?? newValue(key, copyText(head.text.slice(from, to))));
}

/** Counts a container: those without children as one value, the others as another. */
export function countContainer(key: KeyEntry, filled: boolean): ValueCount | undefined {
  key.total++;
  const text = filled ? "filled" : "empty";
  return counted(key, key.values?.get(text) ?? newValue(key, text));
}

function newValue(key: KeyEntry, text: string): ValueCount | undefined {
  if (key.values === undefined) return undefined;
  if (key.values.size < MAX_VALUES) return key.values.add({ text, key, count: 0, severity: undefined });
  key.values = undefined;
  return undefined;
}

function counted(key: KeyEntry, found: ValueCount | undefined): ValueCount | undefined {
  if (found === undefined) return undefined;
  found.count++;
  const bits = bitsOf(found);
  key.bits += (bits - key.bits) / key.total;
  key.lastRarity = rarityOfBits(bits - key.bits);
  return found;
}

/** How unusual a value is under its key: 0 for the usual, 1 for one in hundreds of a kind. */
export function rarityOf(value: ValueCount | undefined): number {
  if (value === undefined || value.key.values === undefined) return 0;
  return rarityOfBits(bitsOf(value) - value.key.bits);
}

/** The same for a key that only some of `items` have. */
export function keyRarity(key: KeyEntry, items: number): number {
  return key.total > items / 10 ? 0 : rarityOfBits(Math.log2((items + YET_TO_COME) / Math.max(1, key.total)));
}

function rarityOfBits(bits: number): number {
  return bits < 1.5 ? 0 : Math.min(1, bits / 8);
}

function bitsOf({ count, key }: ValueCount): number {
  return Math.max(0, Math.log2((key.total + YET_TO_COME) / count));
}

const BETWEEN_WORDS = latePattern(String.raw`[^\p{L}\p{N}]+`, "u");

const NAMES_A_THING = /[/\\@]|\d\.\d|\.\w{1,4}$/;
const setOf = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** Confidence and difficulty are no severities. */
const OTHER_SCALES =
  /^(?:confiden|certain|precision|likelihood|probab|accura|quality|complexity|effort|exploitab|percentil|maturity)/;
const GRADES = /^(?:sever|risk|critical|threat|danger|hazard)/;
const MILD_GRADES = setOf("level loglevel priority urgency impact grade rating importance label");
const SCORES = /^(?:cvss|score)/;
const STATUSES = setOf(
  "status state result outcome conclusion verdict success successful succeeded passed pass ok failed failing healthy valid",
);
const ERRORS = /^(?:errors?|err|exceptions?|failures?|fail|fatal|traceback|backtrace|stacktrace|crash(?:es)?|panic)$/;

const WARNINGS = /^warn(?:ing)?s?$/;
/** Least score of the items of a list of errors, and of warnings. */
const LISTED_ERROR = 1.2;
const LISTED_WARNING = 0.6;
/** A line number tells little before the file is named. */
const LINES = setOf("line lineno");
const LINE_FIT = 0.5;

const IDS = setOf(
  "id ids identifier identifiers cve cves ghsa rule check code key nodeid ruleid guid uuid alias aliases symbol slug",
);
const TITLES = setOf(
  "title message msg summary subject headline reason alert finding issue problem error exception failure longrepr messages",
);
const NAMES = setOf(
  "name label caption login email username hostname fullname question event test testcase suite scenario feature step task job",
);
const TEXTS = setOf("text description desc details detail body content explanation overview info note comment value");
const PLACES = setOf(
  "file filename filepath path paths uri url location line lineno package module component resource target host artifact dependency image class method function ref endpoint ip address source selector repository repo project purl library plugin",
);
const KINDS = setOf("type kind category version classname namespace group product");

/** Reads a key by its words, split at separators and case changes. */
function readKey(key: string): KeyMeaning {
  // Names of packages, files and pages say nothing about the values under them.
  if (NAMES_A_THING.test(key)) return { scale: "none", listed: 0, role: "none", fit: 0 };
  const words = key.split(BETWEEN_WORDS()).flatMap(splitIdentifier);
  // A leading underscore marks what the store adds to a record, such as how well it matched.
  const scale = key.startsWith("_") ? "none" : scaleOf(words);
  const warned = WARNINGS.test(words.at(-1) ?? "") ? LISTED_WARNING : 0;
  return { scale, listed: scale === "error" ? LISTED_ERROR : warned, ...roleOf(words) };
}

function scaleOf(words: readonly string[]): Scale {
  const some = (test: (word: string) => boolean): boolean => words.some(test);
  if (some((word) => OTHER_SCALES.test(word))) return "other";
  if (some((word) => ERRORS.test(word))) return "error";
  if (some((word) => GRADES.test(word))) return "grade";
  if (some((word) => SCORES.test(word))) return "score";
  const last = words.at(-1) ?? "";
  if (MILD_GRADES.has(last)) return "mild grade";
  return STATUSES.has(last) || (words.length === 2 && STATUSES.has(words[0] ?? "")) ? "status" : "none";
}

function roleOf(words: readonly string[]): { readonly role: Role; readonly fit: number } {
  const last = words.at(-1) ?? "";
  // The plainer the key, the more it is about the object itself: `name` before `package_name`.
  const plain = 1 / (1 + 0.1 * (words.length - 1));
  if (IDS.has(last)) return { role: "id", fit: plain };
  if (TITLES.has(last)) return { role: "title", fit: plain };
  if (NAMES.has(last)) return { role: "title", fit: 0.85 * plain };
  if (PLACES.has(last)) return { role: "place", fit: LINES.has(last) ? LINE_FIT * plain : plain };
  if (TEXTS.has(last)) return { role: "text", fit: plain };
  if (KINDS.has(last)) return { role: "kind", fit: plain };
  if (words.some((word) => IDS.has(word) || TITLES.has(word))) return { role: "id", fit: 0.5 };
  if (words.some((word) => PLACES.has(word))) return { role: "place", fit: 0.5 };
  return { role: "none", fit: 0 };
}
