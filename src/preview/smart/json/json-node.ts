import type { Tally } from "../../../query/relevance.ts";
import { ZERO } from "../zero.ts";
import type { Gravity } from "./gravity.ts";
import type { Head } from "./head-reader.ts";
import type { KeyEntry, ValueCount } from "./key-table.ts";

/** What is known of a value while it is read. */
export interface JsonValue {
  readonly type: "scalar" | "object" | "array";
  /** Position among its siblings, from 0. */
  readonly index: number;
  /** Undefined for items. */
  readonly key: KeyEntry | undefined;
  /** How often its value occurs under its key. */
  said: ValueCount | undefined;
  /** All children, also those that are not held. */
  count: number;
  /** How much it stands out among its like, 0 to 1. */
  odd: number;
  tally: Tally | undefined;
  gravity: Gravity;
  /** Characters of all heads held in it. */
  weight: number;
  /** True when the text ends inside of it. */
  open: boolean;
}

/** One value that is held: a scalar, or a container with some of its children. */
export interface JsonNode extends JsonValue {
  readonly head: Head;
  readonly parent: JsonNode | undefined;
  children: JsonNode[];
  /** The worst child that was kept when memory last ran short; nothing worse is taken in again. */
  floor: JsonNode | undefined;
  /** What it is worth to the reader; set once all has been read. */
  value: number;
}

/** Scalars share it, since they never have any. */
const NO_CHILDREN: JsonNode[] = [];
const NODE_WEIGHT = 64;

/** The node of a value; its children are yet to come. */
export function newNode(value: JsonValue, head: Head, parent: JsonNode | undefined): JsonNode {
  const { type, index, key, said, count, odd, tally, weight, gravity, open } = value;
  return {
    type,
    head,
    index,
    parent,
    key,
    said,
    count,
    children: type === "scalar" ? NO_CHILDREN : [],
    gravity,
    odd,
    tally,
    weight,
    open,
    floor: undefined,
    value: ZERO,
  };
}

/** What a value with so many characters in its head weighs in memory without its children. */
export function weightOfHead(chars: number): number {
  return chars + NODE_WEIGHT;
}

/** The same of a head. */
export function ownWeight(head: Head): number {
  return weightOfHead(head.text.length + (head.tail?.text.length ?? 0));
}
