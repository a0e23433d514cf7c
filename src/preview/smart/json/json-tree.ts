import { concat } from "../../../bytes/concat.ts";
import { decode, floorCodePoint, isContinuation } from "../../../bytes/utf8.ts";
import { addTallies, type Relevance, type Tally } from "../../../query/relevance.ts";
import { copyText } from "../../lines/line-drawing.ts";
import { scatter } from "../../lines/reservoir.ts";
import type { Position } from "../analyzer.ts";
import { PositionCounter } from "../position-counter.ts";
import { ZERO } from "../zero.ts";
import { contextScore, FailureContext } from "./failure-context.ts";
import {
  countContainer,
  countScalar,
  type KeyEntry,
  KeyTable,
  keyRarity,
  rarityOf,
  type ValueCount,
} from "./json-keys.ts";
import { type JsonScanner, type JsonSink, MAX_HEAD_BYTES } from "./json-scanner.ts";
import {
  mergeSeverity,
  NO_SEVERITY,
  nextSuspect,
  readSeverity,
  type Severity,
  scaleOf,
  severityScore,
  withWords,
} from "./severity.ts";

const MAX_DEPTH = 64;
const MAX_KEYS = 400;
const FIRST_CHILDREN = 12;
/** Of so few children none is left out as long as something inside of them can be. */
const FEW_CHILDREN = 40;
/** The share of the memory that a value has after it was too heavy. */
const LIGHTER = 0.75;
/** How often the heaviest list inside a value is thinned until that fits in memory. */
const MAX_THINNINGS = 64;
/** An array with more children is a list, and so is an object with more than `FEW_CHILDREN`. */
const FEW_ENTRIES = 12;
/** Lighter values are not searched for lists to thin. */
const HEAVY_WEIGHT = 20_000;
/** An object of few keys keeps the values up to this weight: dropping them saves nothing. */
const LIGHT_WEIGHT = 2000;
const NODE_WEIGHT = 64;
/** Rarity never counts as much as a higher grade. */
const RARITY_SCORE = 0.19;
const ASKED_SCORE = 1.2;
/** One word in common proves little. */
const CHANCE = 0.5;
const MAX_TALLIED_CHARS = 600;
const TAIL_BYTES = 256;
const NOTHING = new Uint8Array(0);
const START: Position = { line: 1, byte: 0, char: 0 };
const QUOTE = 34;
const COLON = 58;

/** One value: a scalar, or a container with those of its children that are held. */
export class JsonNode {
  type: "scalar" | "object" | "array" = "array";
  parent: JsonNode | undefined = undefined;
  /** Position among its siblings, from 0. */
  index = 0;
  /** Undefined for items. */
  key: KeyEntry | undefined = undefined;
  valueCount: ValueCount | undefined = undefined;
  /** All children, also those that are not held. */
  count = 0;
  /** Of a value that is used again, what follows the first `held` is left over from the value before. */
  readonly children: JsonNode[] = [];
  held = 0;
  severity: Severity = NO_SEVERITY;
  /** How much it differs from its like, 0 to 1. */
  rarity = ZERO;
  tally: Tally | undefined = undefined;
  /** Approximate memory of all heads held in it. */
  weight = 0;
  /** True when the output ends inside of it. */
  brokenOff = false;
  /** The worst child that was kept when memory last ran short; nothing worse is taken in again. */
  floor: JsonNode | undefined = undefined;
  /** How much it matters to the reader; set once everything has been read. */
  score = ZERO;
  /** The severe record whose context it is. */
  contextOf: JsonNode | undefined = undefined;
  /** Its place in the block in which it begins. */
  from = 0;
  to = 0;
  end = 0;
  goesOn = false;
  /** True when it was not taken in; it is used again for another value. */
  refused = false;
  /** Text from the key (if any) to the end of the scalar or the bracket, set at the end of its block. */
  text = "";
  start: Position = START;
  /** UTF-16 units of the whole head. */
  chars = 0;
  /** The last characters of a head that is longer than `text`, and where they end. */
  tail: { readonly text: string; readonly end: Position } | undefined = undefined;

  /** Makes it the node of another value; its children are yet to come. */
  reset(type: JsonNode["type"], parent: JsonNode, { from, to, end, goesOn }: JsonScanner): void {
    this.type = type;
    this.parent = parent;
    this.index = parent.count++;
    this.key = undefined;
    this.valueCount = undefined;
    this.count = 0;
    this.held = 0;
    this.severity = NO_SEVERITY;
    this.rarity = 0;
    this.tally = undefined;
    this.weight = to - from + NODE_WEIGHT;
    this.brokenOff = false;
    this.floor = undefined;
    this.from = from;
    this.to = to;
    this.end = end;
    this.goesOn = goesOn;
    this.refused = false;
  }
}

export interface JsonTreeOptions {
  readonly relevance: Relevance;
  /** Weight of the children of one value. */
  readonly maxWeight: number;
  /** Items held of one array. */
  readonly maxItems: number;
}

/** Searches a block from one match to the next, so that heads without a match are not looked at by themselves. */
class Search {
  readonly #next: (text: string, from: number) => number;
  #block: string | undefined;
  #searched = "";
  #match = -1;

  constructor(next: (text: string, from: number) => number) {
    this.#next = next;
  }

  /** True when a match begins in this part of a block; asked for ever later parts. */
  isWithin(block: string, from: number, to: number, lower = false): boolean {
    if (this.#block === undefined) {
      this.#block = block;
      this.#searched = lower ? block.toLowerCase() : block;
      this.#match = -1;
    }
    if (this.#match < from) this.#match = this.#next(this.#searched, from);
    return this.#match < to;
  }

  leave(): void {
    this.#block = undefined;
  }
}

/** Holds the structure of a JSON text and its most important values, in bounded memory. */
export class JsonTree implements JsonSink {
  /** Holds the values of the text; more than one for JSON lines. */
  readonly root = new JsonNode();
  /** Children weighed so far when memory ran short. */
  weighed = 0;
  readonly #options: JsonTreeOptions;
  readonly #keys = new KeyTable();
  readonly #counter = new PositionCounter();
  /** The nodes that begin in this block, in order, and behind them nodes to be used for the next. */
  #nodes: JsonNode[] = [];
  #used = 0;
  /** A string that goes on in the next block. */
  #unfinished: JsonNode | undefined;
  /** Its last bytes, behind those of its text. */
  #tail: Uint8Array = NOTHING;
  /** Values that stay too heavy, and from which weight on to try again. */
  readonly #heavy = new Map<JsonNode, number>();
  /** The innermost open container. */
  #top = this.root;
  #depth = 0;
  /** Open levels below the deepest that is held. */
  #skipped = 0;
  readonly #context = new FailureContext();
  readonly #suspects = new Search(nextSuspect);
  readonly #terms: Search;

  constructor(options: JsonTreeOptions) {
    this.#options = options;
    this.#terms = new Search((text, from) => options.relevance.nextMention(text, from));
  }

  /** Counts text before the JSON. */
  skip(bytes: Uint8Array): void {
    this.#counter.load(bytes, undefined);
    this.#counter.countTo(bytes.length);
  }

  open(head: JsonScanner, array: boolean): void {
    if (this.#skipped > 0 || this.#depth > MAX_DEPTH) {
      this.#skipped++;
      return;
    }
    const node = this.#add(array ? "array" : "object", head);
    node.key = this.#keys.keyOf(head);
    if (node.key !== undefined) node.tally = this.#tally(head);
    this.#top = node;
    this.#depth++;
  }

  scalar(head: JsonScanner): void {
    if (this.#skipped > 0) return;
    const parent = this.#top;
    const node = this.#add("scalar", head);
    const key = this.#keys.keyOf(head);
    node.key = key;
    const { block, text, from, to, keyEnd } = head;
    let start = from;
    if (key !== undefined) {
      start = keyEnd + 1;
      while (start < to && ((block[start] as number) <= 32 || block[start] === COLON)) start++;
      node.valueCount = countScalar(key, head, start, to);
      if (node.valueCount !== undefined) node.rarity = key.lastRarity;
    }
    const scale = scaleOf(key, parent.key?.meaning.scale === "grade");
    // A value has the same severity wherever it stands under its key, unless that depends on other values.
    const known = scale === key?.meaning.scale && scale !== "score" ? node.valueCount : undefined;
    if (known?.severity !== undefined) node.severity = known.severity;
    else if (scale !== "none" || (block[start] === QUOTE && this.#suspects.isWithin(text, start, to))) {
      node.severity = readSeverity(text.slice(start, to), key, scale);
      if (known !== undefined) known.severity = node.severity;
    }
    if (!this.#options.relevance.empty) node.tally = this.#tally(head);
    this.#join(parent, node);
  }

  close(): void {
    if (this.#skipped > 0) {
      this.#skipped--;
      return;
    }
    const node = this.#top;
    const { parent } = node;
    if (parent === undefined) return;
    node.brokenOff = this.root.brokenOff;
    this.#top = parent;
    this.#depth--;
    this.#complete(node);
    this.#join(parent, node);
  }

  breakOff(): void {
    this.root.brokenOff = true;
  }

  /** Sets the texts and positions of the nodes that begin in the block. */
  endBlock(block: Uint8Array, ascii: string | undefined, bytes: number, stringEnd: number): void {
    const counter = this.#counter;
    counter.load(block.subarray(0, bytes), ascii);
    if (stringEnd >= 0 && this.#unfinished !== undefined)
      this.#endString(this.#unfinished, block.subarray(0, stringEnd));
    let tailFrom = 0;
    for (const record of this.#context.candidates) {
      trim(record);
      record.refused = false;
    }
    const nodes = this.#nodes;
    let free = 0;
    for (let place = 0; place < this.#used; place++) {
      const node = nodes[place] as JsonNode;
      if (node.refused || node.parent?.refused === true) {
        node.refused = true;
        nodes[free++] = node;
        continue;
      }
      const { from, to, end } = node;
      counter.countTo(from);
      node.start = counter.position();
      const long = end - from > MAX_HEAD_BYTES;
      const last = long ? floorCodePoint(block, to) : to;
      const text = ascii === undefined ? decode(block.subarray(from, last)) : copyText(ascii.slice(from, last));
      node.text = node.type === "scalar" ? text.trimEnd() : text;
      node.chars = text.length;
      if (node.goesOn) {
        this.#unfinished = node;
        tailFrom = to;
      } else if (long) this.#endString(node, block.subarray(0, end), to);
    }
    if (this.#unfinished !== undefined) this.#tail = lastBytes(this.#tail, block.subarray(tailFrom));
    for (let place = this.#used; place < nodes.length; place++) nodes[free++] = nodes[place] as JsonNode;
    if (free < nodes.length) nodes.length = free;
    this.#used = 0;
    this.#context.endBlock();
    this.#suspects.leave();
    this.#terms.leave();
    counter.countTo(bytes);
  }

  /** Sets the scores of all values that are held, once everything has been read. */
  settle(): void {
    this.#context.restore(this.root);
    this.#settle(this.root);
  }

  #settle(node: JsonNode): void {
    node.rarity = rarityOf(node.valueCount);
    for (const child of node.children) {
      this.#settle(child);
      if (node.type !== "object") {
        child.score = Math.max(child.score, node.key?.meaning.listed ?? 0);
        continue;
      }
      const rare = child.key === undefined ? 0 : keyRarity(child.key, node.parent?.count ?? 0);
      node.rarity = Math.max(node.rarity, rare, 0.95 * child.rarity);
    }
    node.score = Math.max(this.#score(node), contextScore(node));
  }

  /** A node for the next child of the innermost open container. */
  #add(type: JsonNode["type"], head: JsonScanner): JsonNode {
    const place = this.#used++;
    let node = this.#nodes[place];
    if (node === undefined) {
      node = new JsonNode();
      this.#nodes.push(node);
    }
    node.reset(type, this.#top, head);
    return node;
  }

  /** Ends a string that is longer than its text, at the end of these bytes of the block; `from` is the end of the text. */
  #endString(node: JsonNode, block: Uint8Array, from = 0): void {
    this.#counter.countTo(block.length);
    const end = this.#counter.position();
    node.chars = end.char - node.start.char;
    const tail = lastBytes(this.#tail, block.subarray(from));
    this.#tail = NOTHING;
    this.#unfinished = undefined;
    let first = 0;
    while (isContinuation(tail[first])) first++;
    const text = decode(tail.subarray(first));
    const inLine = text.slice(text.lastIndexOf("\n") + 1);
    if (inLine !== "" && !inLine.includes("\ufffd")) node.tail = { text: inLine, end };
  }

  /** The terms of the question in a head. */
  #tally({ ascii, block, text, from, to }: JsonScanner): Tally | undefined {
    const { relevance } = this.#options;
    if (relevance.empty) return undefined;
    const end = Math.min(to, from + MAX_TALLIED_CHARS);
    if (!ascii) return relevance.tally(decode(block.subarray(from, end)));
    return this.#terms.isWithin(text, from, end, true) ? relevance.tally(text.slice(from, end)) : undefined;
  }

  /** All of a container has been read. */
  #complete(node: JsonNode): void {
    const { type, key, count } = node;
    const { relevance } = this.#options;
    // Terms that all records have rank none of them.
    if (type === "object" && !relevance.empty) relevance.observe(node.tally);
    if (type === "array") node.rarity = 0;
    if (key === undefined) return;
    node.valueCount = countContainer(key, count > 0);
    node.rarity = Math.max(0.9 * node.rarity, node.valueCount === undefined ? 0 : key.lastRarity);
    if (key.meaning.scale === "error" && count > 0) node.severity = withWords(node.severity, 1.5);
  }

  /** A value that is complete becomes part of its parent, which has its severity, rarity and terms too. */
  #join(parent: JsonNode, child: JsonNode): void {
    parent.severity = mergeSeverity(parent.severity, parent.type === "array", child.severity, child.type === "scalar");
    if (child.rarity > parent.rarity) parent.rarity = child.rarity;
    if (child.tally !== undefined) this.#addTally(parent, child.tally);
    const { floor } = parent;
    if (floor !== undefined && !isLightMember(parent, child) && this.#isWorse(child, floor)) child.refused = true;
    else {
      trim(child);
      this.#hold(parent, child);
    }
    if (parent === this.root) this.#context.add(child);
  }

  /** A list answers a question as well as its best item does. */
  #addTally(parent: JsonNode, tally: Tally): void {
    const { relevance } = this.#options;
    if (parent.type === "object") parent.tally = addTallies(parent.tally, tally);
    else if (relevance.score(tally) > relevance.score(parent.tally)) parent.tally = tally;
  }

  #score(node: JsonNode): number {
    const score = severityScore(node.severity) + RARITY_SCORE * node.rarity;
    if (node.tally === undefined) return score;
    const asked = this.#options.relevance.score(node.tally, Math.min(4, node.weight / 600));
    return score + (ASKED_SCORE * asked * asked) / (asked + CHANCE);
  }

  /** Compares by what is known now: the terms of a question count less the more often they occur. */
  #isWorse(node: JsonNode, floor: JsonNode): boolean {
    const difference = this.#score(node) - this.#score(floor);
    return difference < 0 || (difference === 0 && scatter(node.index) > scatter(floor.index));
  }

  #hold(parent: JsonNode, node: JsonNode): void {
    parent.children[parent.held++] = node;
    parent.weight += node.weight;
    const { maxItems, maxWeight } = this.#options;
    const most = parent.type === "object" ? Math.max(MAX_KEYS, maxItems) : maxItems;
    if (parent.held > most) this.#thin(parent);
    else if (parent.weight > maxWeight && parent.weight > (this.#heavy.get(parent) ?? 0)) {
      trim(parent);
      for (let left = MAX_THINNINGS; left > 0 && parent.weight > LIGHTER * maxWeight && this.#lighten(parent); left--);
      if (parent.weight > maxWeight) this.#thin(parent, 1);
      // What cannot be made lighter is not tried again with every child.
      if (parent.weight > maxWeight) this.#heavy.set(parent, 1.25 * parent.weight);
    }
  }

  /** Thins the first list along the path of the heaviest children, or the last heavy value; false when there is none. */
  #lighten(node: JsonNode): boolean {
    const path = [node];
    for (let at = node; at.children.length <= (at.type === "array" ? FEW_ENTRIES : FEW_CHILDREN); ) {
      const [first, ...others] = at.children;
      const heavy = others.reduce((most, child) => (child.weight > (most?.weight ?? 0) ? child : most), first);
      this.weighed += at.children.length;
      if (heavy === undefined || heavy.weight < HEAVY_WEIGHT) break;
      path.push(heavy);
      at = heavy;
    }
    const list = path.pop() as JsonNode;
    if (list.children.length < 2 || (list === node && list.children.length <= FEW_ENTRIES)) return false;
    this.#thin(list, list === node ? FIRST_CHILDREN : 1);
    for (const around of path.reverse()) around.weight = weightOf(around);
    return true;
  }

  /** Keeps the better half of the children: the first few, then by score, and of equals spread over the range. */
  #thin(parent: JsonNode, first = FIRST_CHILDREN): void {
    trim(parent);
    const { children } = parent;
    this.weighed += children.length;
    const light = children.filter((node, place) => place >= first && isLightMember(parent, node)).length;
    const ranked = children
      .map((node, place) => ({
        node,
        rank: place < first || isLightMember(parent, node) ? Number.POSITIVE_INFINITY : this.#score(node),
        scattered: scatter(node.index),
      }))
      .sort((a, b) => b.rank - a.rank || a.scattered - b.scattered)
      .slice(0, light + Math.max(first, (children.length - light) >> 1));
    const worst = ranked.at(-1);
    if (worst !== undefined && worst.rank !== Number.POSITIVE_INFINITY) parent.floor = worst.node;
    const kept = ranked.map(({ node }) => node).sort((a, b) => a.index - b.index);
    children.splice(0, children.length, ...kept);
    parent.held = kept.length;
    parent.weight = weightOf(parent);
  }
}

function trim(node: JsonNode): void {
  if (node.children.length > node.held) node.children.length = node.held;
}

function isLightMember(parent: JsonNode, child: JsonNode): boolean {
  return parent.type === "object" && parent.count <= FEW_CHILDREN && child.weight <= LIGHT_WEIGHT;
}

function lastBytes(before: Uint8Array, bytes: Uint8Array): Uint8Array {
  return concat([before, bytes], before.length + bytes.length).slice(-TAIL_BYTES);
}

function weightOf(node: JsonNode): number {
  return node.children.reduce((sum, child) => sum + child.weight, node.to - node.from + NODE_WEIGHT);
}
