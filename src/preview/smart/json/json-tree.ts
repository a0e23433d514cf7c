import type { Position } from "../analyzer.ts";
import { addTallies, type Relevance, type Tally } from "../lines/relevance.ts";
import { scatter } from "../lines/scatter.ts";
import type { Head, JsonSink } from "./json-scanner.ts";
import { severityOf } from "./severity.ts";

/** One value: a scalar, or a container with some of its children. */
export interface JsonNode {
  readonly type: "scalar" | "object" | "array";
  readonly head: Head;
  /** Position among its siblings, from 0. */
  readonly index: number;
  end: Position;
  /** All children, also those that are not held. */
  count: number;
  children: JsonNode[];
  /** How grave the words in it are; nested ones count less. */
  severity: number;
  tally: Tally | undefined;
  /** Characters of all heads held in it. */
  weight: number;
}

const MAX_DEPTH = 64;
const MAX_ITEMS = 120;
const MAX_KEYS = 400;
const NOWHERE: Position = { line: 1, byte: 0, char: 0 };
const ROOT_HEAD: Head = { text: "", start: NOWHERE, end: NOWHERE, cutBytes: 0 };

/** Holds the structure of a JSON text and the children that say most, in bounded memory. */
export class JsonTree implements JsonSink {
  /** Holds the values of the text; more than one for JSON lines. */
  readonly root: JsonNode = newNode("array", ROOT_HEAD, 0);
  /** Children weighed so far when memory ran short. */
  weighed = 0;
  readonly #relevance: Relevance;
  readonly #maxWeight: number;
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
    const node = newNode(array ? "array" : "object", head, parent.count++);
    this.#stack.push(node);
  }

  scalar(head: Head): void {
    if (this.#skipped > 0) return;
    const parent = this.#top();
    const node = newNode("scalar", head, parent.count++);
    node.end = head.end;
    node.severity = severityOf(head.text);
    node.tally = this.#relevance.tally(head.text.length > 600 ? head.text.slice(0, 600) : head.text);
    this.#relevance.observe(node.tally);
    this.#attach(parent, node);
  }

  close(end: Position): void {
    if (this.#skipped > 0) {
      this.#skipped--;
      return;
    }
    const node = this.#stack.pop();
    if (node === undefined) return;
    node.end = end;
    this.#attach(this.#top(), node);
  }

  /** What a value is worth to the reader. */
  value(node: JsonNode): number {
    return node.severity + 1.2 * this.#relevance.score(node.tally, Math.min(4, node.weight / 600));
  }

  #top(): JsonNode {
    return this.#stack[this.#stack.length - 1] ?? this.root;
  }

  #attach(parent: JsonNode, node: JsonNode): void {
    parent.children.push(node);
    parent.severity = Math.max(parent.severity, node.severity * (node.type === "scalar" ? 1 : 0.7));
    parent.tally = addTallies(parent.tally, node.tally);
    parent.weight += node.weight;
    if (parent.children.length > (parent.type === "object" ? MAX_KEYS : MAX_ITEMS)) this.#thin(parent);
    if (parent.weight > this.#maxWeight) this.#thin(parent);
  }

  /** Keeps the better half of the children: the first three, then by value, and of equals spread over the range. */
  #thin(parent: JsonNode): void {
    const { children } = parent;
    this.weighed += children.length;
    const keep = Math.max(3, children.length >> 1);
    const ranked = children
      .map((node, place) => ({ node, rank: place < 3 ? Number.POSITIVE_INFINITY : this.value(node) }))
      .sort((a, b) => b.rank - a.rank || scatter(a.node.index) - scatter(b.node.index))
      .slice(0, keep)
      .sort((a, b) => a.node.index - b.node.index);
    parent.children = ranked.map(({ node }) => node);
    parent.weight = parent.children.reduce((sum, node) => sum + node.weight, parent.head.text.length + 64);
  }
}

function newNode(type: JsonNode["type"], head: Head, index: number): JsonNode {
  const weight = head.text.length + 64;
  return { type, head, index, end: head.end, count: 0, children: [], severity: 0, tally: undefined, weight };
}
