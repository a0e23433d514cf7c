import { scatter } from "../../lines/reservoir.ts";
import { identityOf, isShortList, shortIdentity, valueText, type Wanted } from "./item-identity.ts";
import type { KeyEntry } from "./json-keys.ts";
import type { JsonNode } from "./json-tree.ts";

/** Values that are shown together or not at all. */
export interface Offer {
  /** Offers are taken in falling order. */
  readonly priority: number;
  readonly wanted: readonly Wanted[];
}

/** What to show of a document, by importance. */
export interface Plan {
  /** Keys of objects that are no items. */
  readonly structure: readonly Offer[];
  readonly items: readonly Offer[];
  /** The members that identify an item, shown together with anything inside of it. */
  readonly identities: ReadonlyMap<JsonNode, readonly Wanted[]>;
}

/** An item of a list with the members that identify it. */
interface RankedItem {
  readonly item: JsonNode;
  readonly identity: readonly Wanted[];
  /** Penalty for better items of the same kind. */
  readonly repeated: number;
}

const BRIEF_CHARS = 64;
const NAMED_CHARS = 130;
const LONG_CHARS = 400;
const DETAIL_CHARS = 700;
const FULL_CHARS = 4000;
/** Members of an object from which on it can be a list, and from which on it is one. */
const LIKE_CHILDREN = 4;
const MANY_CHILDREN = 24;
/** Items of a list that are offered with details and in full. */
const MAX_DETAILED = 40;
const MAX_FULL = 12;
const FIRST_ITEMS = 3;
const MAX_NUMBERS = 20;
const FIRST_SCALARS = 4;
const TITLE_PRIORITY = 0.3;
const CONTAINER_PRIORITY = 0.2;
/** The last of many members has so much less priority than the first. */
const INDEX_PRIORITY = 0.4;
/** The penalty of an item for better ones of its kind, at most. */
const MAX_PENALTY = 1;

/** Offers what the held part of a document can show. */
export function planPreview(root: JsonNode): Plan {
  return new Planner().plan(root.count === 1 ? (root.children[0] ?? root) : root);
}

class Planner {
  readonly #structure: Offer[] = [];
  readonly #items: Offer[] = [];
  readonly #identities = new Map<JsonNode, readonly Wanted[]>();
  #ranked: ReadonlyMap<JsonNode, readonly RankedItem[]> = new Map();

  plan(top: JsonNode): Plan {
    this.#ranked = rankItems(listsIn(top, []));
    this.#walk(top, 0, undefined);
    const byPriority = (a: Offer, b: Offer): number => b.priority - a.priority;
    this.#structure.sort(byPriority);
    this.#items.sort(byPriority);
    return { structure: this.#structure, items: this.#items, identities: this.#identities };
  }

  /** `item` is the nearest item around. */
  #walk(node: JsonNode, depth: number, item: JsonNode | undefined): void {
    if (node.type === "scalar") return;
    const ranked = this.#ranked.get(node);
    if (ranked !== undefined) this.#offerList(node, ranked, depth, item);
    else if (node.type === "array") this.#offerScalars(node, depth, item);
    else {
      for (const child of node.children) {
        if (item === undefined) this.#offerMember(child, depth);
        this.#walk(child, depth + 1, item);
      }
    }
  }

  #offerMember(node: JsonNode, depth: number): void {
    const scalar = node.type === "scalar";
    const role = node.key?.meaning.role ?? "none";
    const chars = scalar && role !== "none" && role !== "text" ? NAMED_CHARS : BRIEF_CHARS;
    const kind = !scalar ? CONTAINER_PRIORITY : role === "title" ? TITLE_PRIORITY : 0;
    const place = INDEX_PRIORITY * (node.index / (node.index + 15));
    const priority = -depth + 0.3 * Math.min(3, node.score) + kind - place;
    this.#structure.push({ priority, wanted: [{ node, chars }] });
    if (node.text.length > chars)
      this.#structure.push({ priority: priority - 8, wanted: [{ node, chars: LONG_CHARS }] });
    if (scalar && node.severity.grade < 0 && node.score >= 0.5)
      this.#items.push({ priority: node.score, wanted: [{ node, chars: NAMED_CHARS }] });
  }

  /** Scalars in a row: the first few, and those that stand out. */
  #offerScalars(node: JsonNode, depth: number, item: JsonNode | undefined): void {
    let numbers = 0;
    for (const child of node.children) {
      const wanted = [{ node: child, chars: NAMED_CHARS }];
      const standsOut = child.score > 0.3;
      // More numbers hardly tell more.
      if (!standsOut && !child.text.startsWith('"') && ++numbers > MAX_NUMBERS) continue;
      if (item !== undefined) this.#items.push({ priority: Math.min(child.score, item.score) - 3, wanted });
      else if (standsOut) this.#items.push({ priority: child.score, wanted });
      else
        this.#structure.push({ priority: -depth - (child.index < FIRST_SCALARS ? 0 : 1.5 + placeOf(child)), wanted });
    }
  }

  #offerList(node: JsonNode, ranked: readonly RankedItem[], depth: number, around: JsonNode | undefined): void {
    // Scalars beside the lists of a report are no items of it.
    const odd = new Set(node.type === "object" && around === undefined ? node.children.filter(isScalar) : []);
    for (const member of odd) this.#offerMember(member, depth);
    // In an item with a severity of its own they are details of it.
    const details = around !== undefined && around.severity.grade >= 0 && !around.severity.ofItem;
    const scoreOf = ({ score }: JsonNode): number => {
      if (around === undefined) return score;
      return details ? Math.min(score, around.score) - 0.8 : score - 0.05;
    };
    ranked.forEach(({ item, identity, repeated }, rank) => {
      if (odd.has(item)) return;
      const score = scoreOf(item);
      const brief = shortIdentity(identity);
      this.#identities.set(item, brief);
      // The first of a list that is the document shows its order, and is often the newest.
      if (item.index === 0 && depth === 0) this.#structure.push({ priority: 0, wanted: brief });
      const priority = score - repeated - 0.001 * rank;
      // In little room more items are named rather than fewer shown in full.
      if (identity.length > brief.length + 1) this.#items.push({ priority: priority + 0.1, wanted: brief });
      this.#items.push({ priority, wanted: identity });
      if (item.type === "scalar") return;
      this.#walk(item, depth + 1, item);
      if (rank >= MAX_DETAILED) return;
      this.#items.push({
        priority: score - (rank < FIRST_ITEMS ? 0.3 : 0.4) - 0.1 * rank,
        wanted: contentsOf(item, DETAIL_CHARS, NAMED_CHARS),
      });
      if (rank < MAX_FULL)
        this.#items.push({ priority: score - 1.2 - 0.3 * rank, wanted: contentsOf(item, FULL_CHARS, LONG_CHARS) });
    });
  }
}

function isScalar({ type }: JsonNode): boolean {
  return type === "scalar";
}

/** All lists, also those in items. */
function listsIn(node: JsonNode, lists: JsonNode[]): JsonNode[] {
  if (node.type === "scalar") return lists;
  if (isList(node)) lists.push(node);
  for (const child of node.children) listsIn(child, lists);
  return lists;
}

/** An array of containers, or an object whose members are alike or many. */
function isList({ type, children }: JsonNode): boolean {
  const containers = children.filter((child) => child.type !== "scalar");
  const { length } = containers;
  if (type === "array") return length > 0;
  if (length < LIKE_CHILDREN || length < 0.8 * children.length) return false;
  if (length >= MANY_CHILDREN) return true;
  const usual = containers[length >> 1];
  const alike = containers.filter(
    ({ type, children: [first] }) => type === usual?.type && first?.key === usual.children[0]?.key,
  );
  return alike.length >= 0.7 * length;
}

/** As much of an item as `most` characters hold: what is near its surface first, and scalars before containers. */
function contentsOf(item: JsonNode, most: number, chars: number): Wanted[] {
  const wanted: Wanted[] = [];
  let left = most;
  const containers = [item];
  for (const node of containers) {
    // Longer lists have offers of their own.
    if (node.type === "array" && !isShortList(node)) continue;
    const shown = node.type === "array" ? node.children.slice(0, 3) : node.children;
    const scalars = shown.filter(({ type }) => type === "scalar");
    for (const child of [...scalars, ...shown.filter(({ type }) => type !== "scalar")]) {
      const size = Math.min(child.text.length, chars) + (child.type === "scalar" ? 4 : 24);
      if (size > left) continue;
      left -= size;
      wanted.push({ node: child, chars });
      if (child.type !== "scalar") containers.push(child);
    }
  }
  return wanted;
}

/**
 * Ranks the items of all lists of a document: by score; of equals one of each kind, wherever they stand, then the first
 * three, then spread over the list.
 */
function rankItems(lists: readonly JsonNode[]): Map<JsonNode, RankedItem[]> {
  const named = lists
    .flatMap((list) => list.children)
    .sort((a, b) => b.score - a.score || placeOf(a) - placeOf(b))
    .map((item) => ({ item, identity: identityOf(item) }));
  const seen = new Map<JsonNode | KeyEntry | undefined, Map<string, number>>();
  const ranked = new Map<JsonNode, RankedItem[]>(lists.map((list) => [list, []]));
  for (const { item, identity } of named) {
    const telling = identity.find(({ node }) => node.key?.meaning.role === "id" && tellsKind(node))?.node;
    const among = telling === undefined ? item.parent : telling.key;
    const counts = seen.get(among) ?? new Map<string, number>();
    seen.set(among, counts);
    const kind = telling === undefined ? titleOf(item, identity) : valueText(telling);
    const before = counts.get(kind) ?? 0;
    counts.set(kind, before + 1);
    if (item.parent !== undefined)
      ranked
        .get(item.parent)
        ?.push({ item, identity, repeated: before === 0 ? 0 : Math.min(MAX_PENALTY, 0.2 + 0.02 * before) });
  }
  for (const items of ranked.values()) items.sort((a, b) => b.item.score - b.repeated - (a.item.score - a.repeated));
  return ranked;
}

/** Orders equals: the first few, then spread over all. */
function placeOf(node: JsonNode): number {
  return node.index < FIRST_ITEMS ? 0.001 * (node.index - FIRST_ITEMS) : scatter(node.index);
}

/** True for an id that several items have, such as that of a rule. */
function tellsKind({ valueCount }: JsonNode): boolean {
  return valueCount !== undefined && valueCount.key.values !== undefined && valueCount.count > 1;
}

/** The name of an item without digits and folders. */
function titleOf(item: JsonNode, identity: readonly Wanted[]): string {
  const title = identity.find(({ node }) => node.key?.meaning.role === "title") ?? identity[1] ?? identity[0];
  return title === undefined ? String(item.index) : title.node.text.slice(0, 100).replace(/\d+|[\w.-]+\//g, "");
}
