import { addTallies, type Relevance, type Tally } from "../../../query/relevance.ts";
import { scatter } from "../lines/scatter.ts";
import { gravityOf, mergeGravity, readGravity } from "./gravity.ts";
import { type JsonNode, newNode, ownWeight } from "./json-node.ts";
import type { Head, JsonSink } from "./json-scanner.ts";
import { type KeyEntry, KeyTable, noteValue, oddKey, oddness } from "./key-table.ts";

const MAX_DEPTH = 64;
const MAX_KEYS = 400;
const FIRST_CHILDREN = 12;
/** Of so few children none is left out as long as something inside of them can be. */
const FEW_CHILDREN = 40;
const LIGHTER = 0.75;
/** Standing out never counts as much as a higher grade. */
const ODD_VALUE = 0.19;
const ASKED_VALUE = 1.2;
/** What is called as the question says comes before what only mentions it. */
const NAMED_VALUE = 1.2;
/** One word in common proves little. */
const CHANCE = 0.5;
const QUOTE = 34;
const MAX_KEY_CHARS = 200;
const ROOT_HEAD: Head = { text: "", start: { line: 1, byte: 0, char: 0 }, chars: 0, cutBytes: 0 };

export interface JsonTreeOptions {
  readonly relevance: Relevance;
  /** Characters that the children of one value may weigh. */
  readonly maxWeight: number;
  /** Items that are held of one array. */
  readonly maxItems: number;
}

/** Holds the structure of a JSON text and the children that say most, in bounded memory. */
export class JsonTree implements JsonSink {
  /** Holds the values of the text; more than one for JSON lines. */
  readonly root: JsonNode = newNode("array", ROOT_HEAD, undefined, undefined);
  /** Children weighed so far when memory ran short. */
  weighed = 0;
  readonly #options: JsonTreeOptions;
  readonly #keys = new KeyTable();
  /** Values that are too heavy however few of their children are held, and from which weight on to try again. */
  readonly #heavy = new Map<JsonNode, number>();
  #top: JsonNode = this.root;
  #depth = 0;
  /** Levels that are open below the deepest that is held. */
  #skipped = 0;

  constructor(options: JsonTreeOptions) {
    this.#options = options;
  }

  open(array: boolean, head: Head): void {
    if (this.#skipped > 0 || this.#depth > MAX_DEPTH) {
      this.#skipped++;
      return;
    }
    const keyEnd = keyEndOf(head.text);
    const { relevance } = this.#options;
    this.#top = newNode(array ? "array" : "object", head, this.#top, this.#keyOf(head, keyEnd));
    if (keyEnd > 0 && !relevance.empty) this.#top.tally = relevance.tally(head.text.slice(0, MAX_KEY_CHARS));
    this.#depth++;
  }

  scalar(head: Head): void {
    if (this.#skipped > 0) return;
    const parent = this.#top;
    const { relevance } = this.#options;
    const keyEnd = keyEndOf(head.text);
    const key = this.#keyOf(head, keyEnd);
    const node = newNode("scalar", head, parent, key);
    const start = valueStart(head.text, keyEnd);
    if (key !== undefined) {
      node.said = noteValue(key, head.text, start);
      node.odd = oddness(node.said);
    }
    readGravity(node, start, parent.key?.meaning.scale === "grade");
    if (!relevance.empty) {
      node.tally = relevance.tally(head.text.length > 600 ? head.text.slice(0, 600) : head.text);
    }
    this.#attach(parent, node);
  }

  close(): void {
    if (this.#skipped > 0) {
      this.#skipped--;
      return;
    }
    const node = this.#top;
    const { parent, key } = node;
    if (parent === undefined) return;
    this.#top = parent;
    this.#depth--;
    // What all records say ranks none of them.
    if (node.type === "object" && !this.#options.relevance.empty) this.#options.relevance.observe(node.tally);
    if (node.type === "array") node.odd = 0;
    if (key !== undefined) {
      node.said = noteValue(key, node.count === 0 ? "empty" : "filled", 0);
      node.odd = Math.max(0.9 * node.odd, oddness(node.said));
      if (key.meaning.scale === "error" && node.count > 0) node.other = Math.max(node.other, 1.5);
    }
    this.#attach(parent, node);
  }

  /** Sets what every held value is worth, once all has been read. */
  settle(node: JsonNode = this.root): void {
    node.odd = oddness(node.said);
    for (const child of node.children) {
      this.settle(child);
      if (node.type !== "object") continue;
      const rare = child.key === undefined ? 0 : oddKey(child.key, node.parent?.count ?? 0);
      node.odd = Math.max(node.odd, rare, 0.95 * child.odd);
    }
    node.value = this.#value(node);
  }

  #value(node: JsonNode): number {
    const value = gravityOf(node) + ODD_VALUE * node.odd;
    if (node.tally === undefined) return value;
    const asked = this.#options.relevance.score(node.tally, Math.min(4, node.weight / 600));
    return value + (ASKED_VALUE * asked * asked) / (asked + CHANCE) + (this.#isNamed(node) ? NAMED_VALUE : 0);
  }

  /** True for an entry of many whose key, or the last name of whose path, the question writes as it stands. */
  #isNamed({ type, parent, head: { text } }: JsonNode): boolean {
    if (type === "scalar" || (parent?.count ?? 0) <= FEW_CHILDREN) return false;
    const key = text.slice(1, Math.min(keyEndOf(text), MAX_KEY_CHARS));
    return this.#options.relevance.names(key.replace(/^.*[/\\]/, ""));
  }

  #keyOf(head: Head, keyEnd: number): KeyEntry | undefined {
    return keyEnd < 0 ? undefined : this.#keys.find(head.text.slice(1, keyEnd));
  }

  #attach(parent: JsonNode, node: JsonNode): void {
    mergeGravity(parent, node);
    if (node.odd > parent.odd) parent.odd = node.odd;
    if (node.tally !== undefined) this.#addTally(parent, node.tally);
    if (parent.floor !== undefined && this.#isWorse(node, parent.floor)) return;
    parent.children.push(node);
    parent.weight += node.weight;
    const { maxItems, maxWeight } = this.#options;
    const most = parent.type === "object" ? Math.max(MAX_KEYS, maxItems) : maxItems;
    if (parent.children.length > most) this.#thin(parent);
    else if (parent.weight > maxWeight && parent.weight > (this.#heavy.get(parent) ?? 0)) {
      this.#lighten(parent);
      if (parent.weight > maxWeight) this.#thin(parent, 1);
      // What can not be made lighter is not tried again with every child.
      if (parent.weight > maxWeight) this.#heavy.set(parent, 1.25 * parent.weight);
    }
  }

  /** A list answers a question as well as its best item does. */
  #addTally(parent: JsonNode, tally: Tally): void {
    const { relevance } = this.#options;
    if (parent.type === "object") parent.tally = addTallies(parent.tally, tally);
    else if (relevance.score(tally) > relevance.score(parent.tally)) parent.tally = tally;
  }

  /** Both by what is known now: the words of a question are worth less the more often they come. */
  #isWorse(node: JsonNode, floor: JsonNode): boolean {
    const difference = this.#value(node) - this.#value(floor);
    return difference < 0 || (difference === 0 && scatter(node.index) > scatter(floor.index));
  }

  /** Takes about half of a value's weight away: from lists inside of it if it has few children, else the worse half. */
  #lighten(node: JsonNode): void {
    const before = node.weight;
    const few = node.children.length <= FEW_CHILDREN;
    if (few) {
      this.weighed += node.children.length;
      const share = before / (2 * node.children.length);
      for (const child of node.children) if (child.children.length > 0 && child.weight > share) this.#lighten(child);
      node.weight = weightOf(node);
    }
    // What an object says of itself stays together.
    if (node.weight > LIGHTER * before && (node.type === "array" || !few)) this.#thin(node, few ? 1 : FIRST_CHILDREN);
  }

  /** Keeps the better half of the children: the first few, then by value, and of equals spread over the range. */
  #thin(parent: JsonNode, first = FIRST_CHILDREN): void {
    const { children } = parent;
    this.weighed += children.length;
    const keep = Math.max(first, children.length >> 1);
    const ranked = children
      .map((node, place) => ({ node, rank: place < first ? Number.POSITIVE_INFINITY : this.#value(node) }))
      .sort((a, b) => b.rank - a.rank || scatter(a.node.index) - scatter(b.node.index))
      .slice(0, keep);
    const worst = ranked[ranked.length - 1];
    if (worst !== undefined && worst.rank !== Number.POSITIVE_INFINITY) parent.floor = worst.node;
    parent.children = ranked.map(({ node }) => node).sort((a, b) => a.index - b.index);
    parent.weight = weightOf(parent);
  }
}

function weightOf(node: JsonNode): number {
  return node.children.reduce((sum, child) => sum + child.weight, ownWeight(node.head));
}

/** Where the key of a member ends, at its closing quote; -1 for an item. */
function keyEndOf(head: string): number {
  if (head.charCodeAt(0) !== QUOTE) return -1;
  let end = head.indexOf('"', 1);
  while (end > 0 && head.charCodeAt(end - 1) === 92) end = head.indexOf('"', end + 1);
  return end > 0 && end < head.length - 1 ? end : -1;
}

/** Where the value begins. */
function valueStart(head: string, keyEnd: number): number {
  if (keyEnd < 0) return 0;
  let at = keyEnd + 1;
  while (at < head.length && (head.charCodeAt(at) <= 32 || head.charCodeAt(at) === 58)) at++;
  return at;
}
