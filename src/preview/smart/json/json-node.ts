import type { Tally } from "../../../query/relevance.ts";
import { copyText } from "../lines/held-line.ts";
import type { Head, HeadView } from "./json-scanner.ts";
import type { KeyEntry, ValueCount } from "./key-table.ts";

/** A head whose text is made once the block that it stands in has been read and it is still held. */
interface HeldHead extends Head {
  text: string;
  /** Where the text stands in the block; -1 when it is made. */
  from: number;
  readonly to: number;
}

/** One value: a scalar, or a container with some of its children. */
export interface JsonNode {
  readonly type: "scalar" | "object" | "array";
  readonly head: HeldHead;
  /** Position among its siblings, from 0. */
  readonly index: number;
  readonly parent: JsonNode | undefined;
  /** Undefined for items. */
  readonly key: KeyEntry | undefined;
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

/** A node with nothing in it yet, the next child of its parent. */
export function nextNode(
  type: JsonNode["type"],
  view: HeadView,
  parent: JsonNode,
  key: KeyEntry | undefined,
): JsonNode {
  const weight = view.to - view.from + (view.tail?.text.length ?? 0) + NODE_WEIGHT;
  // A container is soon asked for its text, and has little of it.
  const later = type === "scalar" && !view.apart;
  return newNode(type, newHead(view, later), parent.count++, parent, key, weight);
}

function newHead(view: HeadView, later: boolean): HeldHead {
  const { line, byte, char, inLine, chars, cutBytes, tail, from, to } = view;
  const text = later ? "" : textAt(view.text, from, to);
  return { text, start: { line, byte, char, inLine }, chars, cutBytes, tail, from: later ? from : -1, to };
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
