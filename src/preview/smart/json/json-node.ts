import type { Tally } from "../../../query/relevance.ts";
import { copyText } from "../lines/held-line.ts";
import type { Head, HeadView } from "./json-scanner.ts";
import type { KeyEntry, ValueCount } from "./key-table.ts";

/** A head whose text is made once the block that it stands in has been read and it is still held. */
interface HeldHead extends Head {
  text: string;
  readonly start: { line: number; byte: number; char: number; inLine: boolean };
  chars: number;
  cutBytes: number;
  tail: Head["tail"];
  /** Where the text stands in the block; -1 when it is made. */
  from: number;
  to: number;
}

/** One value: a scalar, or a container with some of its children. */
export interface JsonNode {
  type: "scalar" | "object" | "array";
  readonly head: HeldHead;
  /** Position among its siblings, from 0. */
  index: number;
  parent: JsonNode | undefined;
  /** Undefined for items. */
  key: KeyEntry | undefined;
  /** How often its value occurs under its key. */
  said: ValueCount | undefined;
  /** All children, also those that are not held. */
  count: number;
  children: JsonNode[];
  /** What a severity in it says, -1 for none; how deep it stands, and whether in a list. */
  grade: number;
  gradeDepth: number;
  listed: boolean;
  /** How grave other words in it are. */
  other: number;
  /** True when a status says that all is well. */
  cleared: boolean;
  /** How much it stands out among its like, 0 to 1. */
  odd: number;
  tally: Tally | undefined;
  /** Characters of all heads held in it. */
  weight: number;
  /** The worst child that was kept when memory last ran short; nothing worse is taken in again. */
  floor: JsonNode | undefined;
  /** What it is worth to the reader; set once all has been read. */
  value: number;
}

/** Scalars share it, since they never have any. */
const NO_CHILDREN: JsonNode[] = [];
const NODE_WEIGHT = 64;

/** The value that holds all others. */
export function newRoot(): JsonNode {
  const start = { line: 1, byte: 0, char: 0, inLine: false };
  const head = { text: "", start, chars: 0, cutBytes: 0, tail: undefined, from: -1, to: 0 };
  return newNode("array", head, 0, undefined, undefined, NODE_WEIGHT);
}

function newNode(
  type: JsonNode["type"],
  head: HeldHead,
  index: number,
  parent: JsonNode | undefined,
  key: KeyEntry | undefined,
  weight: number,
): JsonNode {
  return {
    type,
    head,
    index,
    parent,
    key,
    said: undefined,
    count: 0,
    children: type === "scalar" ? NO_CHILDREN : [],
    grade: -1,
    gradeDepth: Number.POSITIVE_INFINITY,
    listed: false,
    other: 0,
    cleared: false,
    odd: 0,
    tally: undefined,
    weight,
    floor: undefined,
    value: 0,
  };
}

/** Makes nodes, from those that were given back as long as there are any: of a long list most items are not kept. */
export class NodePool {
  readonly #scalars: JsonNode[] = [];
  readonly #containers: JsonNode[] = [];

  /** A node with nothing in it yet, the next child of its parent. */
  take(type: JsonNode["type"], view: HeadView, parent: JsonNode, key: KeyEntry | undefined): JsonNode {
    const index = parent.count++;
    const weight = view.to - view.from + (view.tail?.text.length ?? 0) + NODE_WEIGHT;
    const node = (type === "scalar" ? this.#scalars : this.#containers).pop();
    // A container is soon asked for its text, and has little of it.
    const later = type === "scalar" && !view.apart;
    if (node === undefined) return newNode(type, newHead(view, later), index, parent, key, weight);
    setHead(node.head, view, later);
    node.type = type;
    node.index = index;
    node.parent = parent;
    node.key = key;
    node.weight = weight;
    return node;
  }

  /** Takes back a value that nothing refers to any more, and all that is in it. */
  give(node: JsonNode): void {
    const { children } = node;
    for (let child = children.pop(); child !== undefined; child = children.pop()) this.give(child);
    node.said = undefined;
    node.count = 0;
    node.grade = -1;
    node.gradeDepth = Number.POSITIVE_INFINITY;
    node.listed = false;
    node.other = 0;
    node.cleared = false;
    node.odd = 0;
    node.tally = undefined;
    node.floor = undefined;
    (node.type === "scalar" ? this.#scalars : this.#containers).push(node);
  }
}

function newHead(view: HeadView, later: boolean): HeldHead {
  const { line, byte, char, inLine, chars, cutBytes, tail, from, to } = view;
  const text = later ? "" : textAt(view.text, from, to);
  return { text, start: { line, byte, char, inLine }, chars, cutBytes, tail, from: later ? from : -1, to };
}

function setHead(head: HeldHead, view: HeadView, later: boolean): void {
  const { start } = head;
  start.line = view.line;
  start.byte = view.byte;
  start.char = view.char;
  start.inLine = view.inLine;
  head.text = later ? "" : textAt(view.text, view.from, view.to);
  head.chars = view.chars;
  head.cutBytes = view.cutBytes;
  head.tail = view.tail;
  head.from = later ? view.from : -1;
  head.to = view.to;
}

function textAt(block: string, from: number, to: number): string {
  return copyText(block.slice(from, to));
}

/** Makes the texts of a value and of all that is in it. */
export function ownTexts(node: JsonNode, block: string): void {
  const { head } = node;
  if (head.from >= 0) {
    head.text = textAt(block, head.from, head.to);
    head.from = -1;
  }
  for (const child of node.children) ownTexts(child, block);
}

/** What a value weighs in memory without its children. */
export function ownWeight({ head }: JsonNode): number {
  const chars = head.from < 0 ? head.text.length : head.to - head.from;
  return chars + (head.tail?.text.length ?? 0) + NODE_WEIGHT;
}
