import { addTallies, type Relevance, type Tally } from "../lines/relevance.ts";
import { scatter } from "../lines/scatter.ts";
import type { Head, JsonSink } from "./json-scanner.ts";
import { severityOf } from "./severity.ts";
import { type ValueCount, ValueCounts, weighSeverity } from "./value-counts.ts";

/** One value: a scalar, or a container with some of its children. */
export interface JsonNode {
  readonly type: "scalar" | "object" | "array";
  readonly head: Head;
  /** Position among its siblings, from 0. */
  readonly index: number;
  /** All children, also those that are not held. */
  count: number;
  children: JsonNode[];
  /** How grave the words in it are; nested ones count less. */
  severity: number;
  /** How often a graded scalar's value occurs. */
  said: ValueCount | undefined;
  tally: Tally | undefined;
  /** Characters of all heads held in it. */
  weight: number;
  /** Value and scatter of the worst child that was kept when memory last ran short; nothing worse is taken in again. */
  floor: number;
  floorScatter: number;
  /** What it is worth to the reader; set by `settle`. */
  value: number;
}

const MAX_DEPTH = 64;
const MAX_ITEMS = 120;
const MAX_KEYS = 400;
const ROOT_HEAD: Head = { text: "", start: { line: 1, byte: 0, char: 0 }, chars: 0, cutBytes: 0 };
/** Scalars share it, since they never have any. */
const NO_CHILDREN: JsonNode[] = [];

/** Holds the structure of a JSON text and the children that say most, in bounded memory. */
export class JsonTree implements JsonSink {
  /** Holds the values of the text; more than one for JSON lines. */
  readonly root: JsonNode = newNode("array", ROOT_HEAD, 0);
  /** Children weighed so far when memory ran short. */
  weighed = 0;
  readonly #relevance: Relevance;
  readonly #maxWeight: number;
  readonly #counts = new ValueCounts();
  readonly #stack: JsonNode[] = [this.root];
  /** Levels that are open below the deepest that is held. */
  #skipped = 0;

  constructor(relevance: Relevance, maxWeight: number) {
    this.#relevance = relevance;
    this.#maxWeight = maxWeight;
  }

  open(array: boolean, head: Head): void {
    if (this.#skipped > 0 || this.#stack.length > MAX_DEPTH) {
      this.#skipped++;
      return;
    }
    const parent = this.#top();
    this.#stack.push(newNode(array ? "array" : "object", head, parent.count++));
  }

  scalar(head: Head): void {
    if (this.#skipped > 0) return;
    const parent = this.#top();
    const node = newNode("scalar", head, parent.count++);
    node.severity = severityOf(head.text);
    node.said = this.#counts.note(head.text);
    if (!this.#relevance.empty) {
      node.tally = this.#relevance.tally(head.text.length > 600 ? head.text.slice(0, 600) : head.text);
      this.#relevance.observe(node.tally);
    }
    this.#attach(parent, node);
  }

  close(): void {
    if (this.#skipped > 0) {
      this.#skipped--;
      return;
    }
    const node = this.#stack.pop();
    if (node !== undefined) this.#attach(this.#top(), node);
  }

  /** Sets what every held value is worth, once all has been read. */
  settle(node: JsonNode = this.root): void {
    if (node.type !== "scalar") node.severity = 0;
    for (const child of node.children) {
      this.settle(child);
      node.severity = Math.max(node.severity, severityAround(child));
    }
    node.value = this.#value(node);
  }

  #value(node: JsonNode): number {
    const severity = weighSeverity(node.severity, node.said);
    if (node.tally === undefined) return severity;
    return severity + 1.2 * this.#relevance.score(node.tally, Math.min(4, node.weight / 600));
  }

  #top(): JsonNode {
    return this.#stack[this.#stack.length - 1] ?? this.root;
  }

  #attach(parent: JsonNode, node: JsonNode): void {
    parent.severity = Math.max(parent.severity, severityAround(node));
    if (node.tally !== undefined) parent.tally = addTallies(parent.tally, node.tally);
    if (parent.floor >= 0) {
      const value = this.#value(node);
      if (value < parent.floor || (value === parent.floor && scatter(node.index) > parent.floorScatter)) return;
    }
    parent.children.push(node);
    parent.weight += node.weight;
    if (parent.children.length > (parent.type === "object" ? MAX_KEYS : MAX_ITEMS)) this.#thin(parent);
    else if (parent.weight > this.#maxWeight) this.#thin(parent);
  }

  /** Keeps the better half of the children: the first three, then by value, and of equals spread over the range. */
  #thin(parent: JsonNode): void {
    const { children } = parent;
    this.weighed += children.length;
    const keep = Math.max(3, children.length >> 1);
    const ranked = children
      .map((node, place) => ({ node, rank: place < 3 ? Number.POSITIVE_INFINITY : this.#value(node) }))
      .sort((a, b) => b.rank - a.rank || scatter(a.node.index) - scatter(b.node.index))
      .slice(0, keep);
    const worst = ranked[ranked.length - 1];
    if (worst !== undefined && worst.rank !== Number.POSITIVE_INFINITY) {
      parent.floor = worst.rank;
      parent.floorScatter = scatter(worst.node.index);
    }
    parent.children = ranked.map(({ node }) => node).sort((a, b) => a.index - b.index);
    parent.weight = parent.children.reduce((sum, node) => sum + node.weight, parent.head.text.length + 64);
  }
}

/** What a value's severity is worth to the one around it. */
function severityAround(node: JsonNode): number {
  return node.type === "scalar" ? weighSeverity(node.severity, node.said) : node.severity * 0.7;
}

function newNode(type: JsonNode["type"], head: Head, index: number): JsonNode {
  return {
    type,
    head,
    index,
    count: 0,
    children: type === "scalar" ? NO_CHILDREN : [],
    severity: 0,
    said: undefined,
    tally: undefined,
    weight: head.text.length + (head.tail?.text.length ?? 0) + 64,
    floor: -1,
    floorScatter: 1,
    value: 0,
  };
}
