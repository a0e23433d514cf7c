import { briefOf, isShortList, type Wanted } from "./item-identity.ts";
import type { JsonNode } from "./json-node.ts";
import { placeOf, type RankedItem, rankItems } from "./rank-items.ts";
import type { Ties } from "./restore-records.ts";

/** Values that are shown together or not at all. */
export interface Offer {
  /** Offers are taken in falling order. */
  readonly priority: number;
  readonly wanted: readonly Wanted[];
}

/** What to show of a document, in the order of how much it matters. */
export interface Plan {
  /** Keys of objects that are no items. */
  readonly structure: readonly Offer[];
  readonly items: readonly Offer[];
  /** What names an item, for those that are shown inside it. */
  readonly names: ReadonlyMap<JsonNode, readonly Wanted[]>;
}

const BRIEF_CHARS = 64;
const NAMED_CHARS = 130;
const LONG_CHARS = 400;
/** Members of an object from which on it can be a list. */
const LIKE_CHILDREN = 4;
/** From here on it is one, however little its members have in common. */
const MANY_CHILDREN = 24;
const DETAIL_CHARS = 700;
const FULL_CHARS = 4000;
/** Items of a list that are offered with details and in full, and that are named before the first is detailed. */
const MAX_DETAILED = 40;
const MAX_FULL = 12;
const NAMED_BEFORE = 6;
/** An item that is worth so much more than the next is detailed before these are named. */
const OUTSTANDING = 1;
const MAX_NUMBERS = 20;
/** What a member of an object is worth beside what it says; the last of many is worth less than the first by so much. */
const TITLE_WORTH = 0.3;
const CONTAINER_WORTH = 0.2;
const INDEX_WORTH = 0.4;
/** The share of an object's members that may be no items as the others are. */
const MOST_ODD = 0.4;
const NONE: ReadonlySet<JsonNode> = new Set();

/** Offers what the held part of a document can show. */
export function planPreview(root: JsonNode, ties?: Ties): Plan {
  return new Planner().plan(root, ties);
}

class Planner {
  readonly #structure: Offer[] = [];
  readonly #items: Offer[] = [];
  readonly #names = new Map<JsonNode, readonly Wanted[]>();
  #ranked: ReadonlyMap<JsonNode, RankedItem[]> = new Map();

  plan(root: JsonNode, ties?: Ties): Plan {
    const [only] = root.children;
    const top = root.count === 1 && only !== undefined ? only : root;
    this.#ranked = rankItems(listsIn(top, []), ties);
    this.#walk(top, 0, undefined);
    const byPriority = (a: Offer, b: Offer): number => b.priority - a.priority;
    this.#structure.sort(byPriority);
    this.#items.sort(byPriority);
    return { structure: this.#structure, items: this.#items, names: this.#names };
  }

  /** `item` is the nearest item around. */
  #walk(node: JsonNode, depth: number, item: JsonNode | undefined): void {
    if (node.type === "scalar") return;
    const ranked = this.#ranked.get(node);
    if (ranked !== undefined) this.#list(node, ranked, depth, item);
    else if (node.type === "array") this.#sample(node, depth, item);
    else {
      for (const child of node.children) {
        if (item === undefined) this.#member(child, depth);
        this.#walk(child, depth + 1, item);
      }
    }
  }

  #member(node: JsonNode, depth: number): void {
    const { text } = node.head;
    const role = node.key?.meaning.role ?? "none";
    const chars = node.type === "scalar" && role !== "none" && role !== "text" ? NAMED_CHARS : BRIEF_CHARS;
    const kind = node.type === "scalar" ? (role === "title" ? TITLE_WORTH : 0) : CONTAINER_WORTH;
    const place = INDEX_WORTH * (node.index / (node.index + 15));
    const priority = -depth + 0.3 * Math.min(3, node.value) + kind - place;
    this.#structure.push({ priority, wanted: [{ node, chars }] });
    if (node.type === "scalar" && node.gravity.grade < 0 && node.value >= 0.5)
      this.#items.push({ priority: node.value, wanted: [{ node, chars: NAMED_CHARS }] });
    if (text.length > chars) this.#structure.push({ priority: priority - 8, wanted: [{ node, chars: LONG_CHARS }] });
  }

  /** Scalars in a row: the first few, and those that stand out. */
  #sample(node: JsonNode, depth: number, item: JsonNode | undefined): void {
    const few = node.children.filter((child, place) => place < 4 || child.index === node.count - 1);
    const wanted = few.map((child) => ({ node: child, chars: BRIEF_CHARS }));
    if (item === undefined && wanted.length > 0) this.#structure.push({ priority: -depth, wanted });
    let numbers = 0;
    for (const child of node.children) {
      const offer = [{ node: child, chars: NAMED_CHARS }];
      const says = child.value > 0.3;
      // A sample of numbers tells hardly more when it is longer.
      if (!says && !isString(child) && ++numbers > MAX_NUMBERS) continue;
      if (item !== undefined) this.#items.push({ priority: Math.min(child.value, item.value) - 3, wanted: offer });
      else if (says) this.#items.push({ priority: child.value, wanted: offer });
      else this.#structure.push({ priority: -depth - 1.5 - placeOf(child), wanted: offer });
    }
  }

  #list(node: JsonNode, ranked: readonly RankedItem[], depth: number, around: JsonNode | undefined): void {
    const odd = around === undefined ? oddMembers(node) : NONE;
    for (const member of odd) {
      this.#member(member, depth);
      this.#walk(member, depth + 1, undefined);
    }
    const plain = !node.children.some((item) => item.value >= 0.3);
    const worth = worthWithin(around, plain);
    ranked.forEach(({ item, identity, repeated }, rank) => {
      if (odd.has(item)) return;
      const value = worth(item);
      const brief = briefOf(identity);
      this.#names.set(item, brief);
      // The first of a list that is the document tells its order, and is often the newest.
      if (item.index === 0 && depth === 0) this.#structure.push({ priority: 0, wanted: brief });
      const priority = value - repeated - 0.001 * rank;
      // Where the room is short, more items are named rather than fewer in full.
      if (identity.length > brief.length + 1) this.#items.push({ priority: priority + 0.1, wanted: brief });
      this.#items.push({ priority, wanted: identity });
      if (item.type === "scalar") return;
      this.#walk(item, depth + 1, item);
      if (rank >= MAX_DETAILED) return;
      // Details of the best come once the next few are named; a list of equals shows early what an item is like.
      const next = worth(ranked[Math.min(rank + NAMED_BEFORE, ranked.length - 1)]?.item ?? item);
      const sampled = plain && rank === 0 && around === undefined;
      const detailed =
        Math.min(value - 0.25, Math.max(next + 0.2, value - OUTSTANDING)) - (rank < 3 ? 0.02 : 0.2) * rank;
      this.#items.push({
        priority: sampled ? value + 0.05 : detailed,
        wanted: contents(item, DETAIL_CHARS, NAMED_CHARS),
      });
      if (rank < MAX_FULL) {
        this.#items.push({ priority: value - 1.2 - 0.3 * rank, wanted: contents(item, FULL_CHARS, LONG_CHARS) });
      }
    });
  }
}

/** All lists, also those in items. */
function listsIn(node: JsonNode, lists: JsonNode[]): JsonNode[] {
  if (node.type === "scalar") return lists;
  if (isList(node)) lists.push(node);
  for (const child of node.children) listsIn(child, lists);
  return lists;
}

/** What the items of a list count: in an item that has a severity of its own they are details of it. */
function worthWithin(around: JsonNode | undefined, plain: boolean): (item: JsonNode) => number {
  if (around === undefined) return (item) => item.value;
  if (around.gravity.grade >= 0 && !around.gravity.listed) return (item) => Math.min(item.value, around.value) - 0.8;
  return (item) => item.value - (plain ? 0.3 : 0.05);
}

function isString(node: JsonNode): boolean {
  return node.head.text.startsWith('"');
}

/** An array of containers, or an object whose members are alike or many. */
function isList({ type, children }: JsonNode): boolean {
  let count = 0;
  for (const child of children) if (child.type !== "scalar") count++;
  if (type === "array") return count > 0;
  if (count < LIKE_CHILDREN || count < 0.8 * children.length) return false;
  if (count >= MANY_CHILDREN) return true;
  const containers = children.filter((child) => child.type !== "scalar");
  const usual = containers[count >> 1] as JsonNode;
  return containers.filter(likenessTo(usual)).length >= 0.7 * count;
}

/** Members of an object that are no items as the others are: what a report says beside its lists. */
function oddMembers(list: JsonNode): ReadonlySet<JsonNode> {
  if (list.type === "array") return NONE;
  const containers = list.children.filter((child) => child.type !== "scalar");
  const usual = containers[containers.length >> 1];
  const isAlike = usual === undefined ? () => false : likenessTo(usual);
  const odd = list.children.filter((child) => !isAlike(child));
  // Where none is like the others, all are items.
  return new Set(odd.length <= MOST_ODD * list.children.length ? odd : odd.filter(({ type }) => type === "scalar"));
}

/** Tells which values are like this one. */
function likenessTo(usual: JsonNode): (node: JsonNode) => boolean {
  const keys = new Set(usual.children.map((child) => child.key));
  return (node) => {
    if (usual.type !== node.type) return false;
    if (usual.type === "array" || usual === node) return true;
    let shared = 0;
    for (const child of node.children) if (keys.has(child.key)) shared++;
    return shared > 0 && shared >= 0.5 * Math.max(1, Math.min(keys.size, node.children.length));
  };
}

/** All of an item as far as so many characters go: what is near its surface first. */
function contents(item: JsonNode, most: number, chars: number): Wanted[] {
  const wanted: Wanted[] = [];
  let left = most;
  let level = [item];
  while (level.length > 0) {
    const next: JsonNode[] = [];
    for (const node of level) {
      // Longer lists have offers of their own.
      if (node.type === "array" && !isShortList(node)) continue;
      const shown = node.type === "array" ? node.children.slice(0, 3) : node.children;
      for (const scalars of [true, false]) {
        for (const child of shown) {
          if ((child.type === "scalar") !== scalars) continue;
          const size = Math.min(child.head.text.length, chars) + (scalars ? 4 : 24);
          if (size > left) continue;
          left -= size;
          wanted.push({ node: child, chars });
          if (!scalars) next.push(child);
        }
      }
    }
    level = next;
  }
  return wanted;
}
