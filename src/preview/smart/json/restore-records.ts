import { gravityOf } from "./gravity.ts";
import { HeadReader } from "./head-reader.ts";
import { HeadScanner } from "./head-scanner.ts";
import type { Wanted } from "./item-identity.ts";
import type { JsonNode } from "./json-node.ts";
import { JsonTree, type JsonTreeOptions } from "./json-tree.ts";
import type { TiedRecord } from "./recent-records.ts";
import { whatTiedSays } from "./tie.ts";

/** Records that share a name with a grave one, and what each says beside it. */
export type Ties = ReadonlyMap<JsonNode, Wanted[]>;

/** What a record is worth less than the grave one that it is tied to, and than the next one nearer to it. */
const LESS = 0.6;
const LESS_THAN_NEARER = 0.02;

/** Takes in the records that were let go before it was known that a grave one shares a name with them. */
export function restoreRecords(
  tree: JsonTree,
  options: JsonTreeOptions,
  records: ReadonlyMap<number, TiedRecord>,
): void {
  const { root } = tree;
  const { count, floor } = root;
  const held = new Set(root.children.map(({ index }) => index));
  const left = [...records.values()].filter(({ index }) => !held.has(index));
  if (left.length === 0) return;
  const reader = new HeadReader();
  const again = new JsonTree({ ...options, reader, maxItems: Number.POSITIVE_INFINITY }, tree);
  const scanner = new HeadScanner(again, reader);
  root.floor = undefined;
  for (const { index, start, bytes } of left) {
    root.count = index;
    reader.moveTo(start);
    scanner.write(bytes);
  }
  root.count = count;
  root.floor = floor;
  root.children.sort((a, b) => a.index - b.index);
}

/** Lets tied records be worth what the grave ones make of them, once these are settled. */
export function raiseTied({ root }: JsonTree, records: ReadonlyMap<number, TiedRecord>): Ties {
  const ties = new Map<JsonNode, Wanted[]>();
  const byIndex = new Map(root.children.map((node) => [node.index, node]));
  for (const node of root.children) {
    const record = records.get(node.index);
    const grave = record === undefined ? undefined : byIndex.get(record.grave);
    if (record === undefined || grave === undefined) continue;
    const said = whatTiedSays(node, grave);
    if (said.length === 0) continue;
    ties.set(node, said);
    node.value = Math.max(node.value, gravityOf(grave.gravity) - LESS - LESS_THAN_NEARER * record.nearer);
  }
  return ties;
}
