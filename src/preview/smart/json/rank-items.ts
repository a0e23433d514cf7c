import { scatter } from "../../lines/scatter.ts";
import { identityOf, textOfValue, type Wanted } from "./item-identity.ts";
import type { JsonNode } from "./json-node.ts";
import type { KeyEntry } from "./key-table.ts";
import type { Ties } from "./restore-records.ts";

interface NamedItem {
  readonly item: JsonNode;
  readonly identity: Wanted[];
}

/** An item of a list with what names it. */
export interface RankedItem extends NamedItem {
  /** What it is worth less because better items of its kind come first. */
  readonly repeated: number;
}

const FIRST_ITEMS = 3;
/** From so many items of a kind on the rest may come after less grave ones. */
const ENOUGH_OF_A_KIND = 10;
/** A key tells kinds when no more than this share of its values are different. */
const KIND_SHARE = 0.7;

/**
 * Ranks the items of all lists of a document: those that matter most first; of equals one of each kind, wherever they
 * stand, then the first three, then spread over the list. Gives the ranked items of each list.
 */
export function rankItems(lists: readonly JsonNode[], ties?: Ties): Map<JsonNode, RankedItem[]> {
  const named = lists
    .flatMap((list) => list.children)
    .sort((a, b) => b.value - a.value || placeOf(a) - placeOf(b))
    .map((item) => ({ item, identity: ties?.get(item) ?? identityOf(item) }));
  const kinds = kindKeys(named);
  const seen = new Map<JsonNode | KeyEntry | undefined, Map<string, number>>();
  const ranked = new Map<JsonNode, RankedItem[]>(lists.map((list) => [list, []]));
  for (const { item, identity } of named) {
    const telling = identity.find(({ node }) => node.key !== undefined && kinds.has(node.key))?.node;
    const among = telling === undefined ? item.parent : telling.key;
    const counts = seen.get(among) ?? new Map<string, number>();
    seen.set(among, counts);
    const kind = telling === undefined ? titleOf(item, identity) : textOfValue(telling);
    const before = counts.get(kind) ?? 0;
    counts.set(kind, before + 1);
    if (item.parent !== undefined) ranked.get(item.parent)?.push({ item, identity, repeated: fading(before) });
  }
  for (const items of ranked.values()) items.sort((a, b) => b.item.value - b.repeated - (a.item.value - a.repeated));
  return ranked;
}

/** Orders equals: the first few, then spread over all. */
export function placeOf(node: JsonNode): number {
  return node.index < FIRST_ITEMS ? 0.001 * (node.index - FIRST_ITEMS) : scatter(node.index);
}

function fading(before: number): number {
  if (before === 0) return 0;
  return before < ENOUGH_OF_A_KIND ? 0.2 + (0.15 * before) / (before + 2) : 0.35 + 0.1 * (before - ENOUGH_OF_A_KIND);
}

/** The keys whose values sort items into kinds, such as a rule's id: those that name items and that several share. */
function kindKeys(named: readonly NamedItem[]): ReadonlySet<KeyEntry> {
  const values = new Map<KeyEntry, string[]>();
  for (const { identity } of named) {
    for (const { node } of identity) {
      if (node.key?.meaning.role !== "id") continue;
      const said = values.get(node.key) ?? [];
      values.set(node.key, said);
      said.push(textOfValue(node));
    }
  }
  const kinds = new Set<KeyEntry>();
  for (const [key, said] of values) {
    const different = new Set(said).size;
    if (different > 1 && different <= KIND_SHARE * said.length) kinds.add(key);
  }
  return kinds;
}

/** How an item is named, digits and the folders of a path aside. */
function titleOf(item: JsonNode, identity: readonly Wanted[]): string {
  const title = identity.find(({ node }) => node.key?.meaning.role === "title") ?? identity[1] ?? identity[0];
  return title === undefined ? String(item.index) : title.node.head.text.slice(0, 100).replace(/\d+|[\w.-]+\//g, "");
}
