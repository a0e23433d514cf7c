import type { Tally } from "../../../query/relevance.ts";
import type { Head } from "./json-scanner.ts";
import type { KeyEntry, ValueCount } from "./key-table.ts";

/** One value: a scalar, or a container with some of its children. */
export interface JsonNode {
  readonly type: "scalar" | "object" | "array";
  readonly head: Head;
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

/** A node with nothing in it yet, the next child of its parent. */
export function newNode(
  type: JsonNode["type"],
  head: Head,
  parent: JsonNode | undefined,
  key: KeyEntry | undefined,
): JsonNode {
  return {
    type,
    head,
    index: parent === undefined ? 0 : parent.count++,
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
    weight: ownWeight(head),
    floor: undefined,
    value: 0,
  };
}

/** What a value weighs in memory without its children. */
export function ownWeight(head: Head): number {
  return head.text.length + (head.tail?.text.length ?? 0) + NODE_WEIGHT;
}
