import { scatter } from "../lines/scatter.ts";
import { identityOf, isShortList, type Wanted } from "./item-identity.ts";
import type { JsonNode } from "./json-node.ts";

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
const DETAIL_CHARS = 700;
const FULL_CHARS = 4000;
/** Items of a list that are offered with details and in full, and that are named before the first is detailed. */
const MAX_DETAILED = 40;
const MAX_FULL = 12;
const NAMED_BEFORE = 6;
const MAX_NUMBERS = 20;
const FIRST_ITEMS = 3;

/** Offers what the held part of a document can show. */
export function planPreview(root: JsonNode): Plan {
  return new Planner().plan(root);
}

class Planner {
  readonly #structure: Offer[] = [];
  readonly #items: Offer[] = [];
  readonly #names = new Map<JsonNode, readonly Wanted[]>();

  plan(root: JsonNode): Plan {
    const [only] = root.children;
    this.#walk(root.count === 1 && only !== undefined ? only : root, 0, undefined);
    const byPriority = (a: Offer, b: Offer): number => b.priority - a.priority;
    this.#structure.sort(byPriority);
    this.#items.sort(byPriority);
    return { structure: this.#structure, items: this.#items, names: this.#names };
  }

  /** `item` is the nearest item around. */
  #walk(node: JsonNode, depth: number, item: JsonNode | undefined): void {
    if (node.type === "scalar") return;
    if (isList(node)) this.#list(node, depth, item);
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
    const priority = -depth + 0.3 * Math.min(3, node.value) - 0.02 * node.index + (node.type === "scalar" ? 0 : 0.2);
    this.#structure.push({ priority, wanted: [{ node, chars }] });
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

  #list(node: JsonNode, depth: number, around: JsonNode | undefined): void {
    const plain = !node.children.some((item) => item.value >= 0.3);
    const worth = worthWithin(around, plain);
    const ranked = this.#ranked(node);
    ranked.forEach(({ item, identity, before }, rank) => {
      const value = worth(item);
      const repeated = before < 10 ? (0.15 * before) / (before + 2) : 0.15 + 0.1 * (before - 10);
      this.#names.set(item, identity.slice(0, 3));
      this.#items.push({ priority: value - repeated - 0.001 * rank, wanted: identity });
      if (item.type === "scalar") return;
      this.#walk(item, depth + 1, item);
      if (rank >= MAX_DETAILED) return;
      // Details of the best come once the next few are named; a list of equals shows early what an item is like.
      const next = worth(ranked[Math.min(rank + NAMED_BEFORE, ranked.length - 1)]?.item ?? item);
      const sampled = plain && rank === 0 && around === undefined;
      const detailed = Math.min(value - 0.25, next + 0.2) - (rank < 3 ? 0.02 : 0.2) * rank;
      this.#items.push({
        priority: sampled ? value + 0.05 : detailed,
        wanted: contents(item, DETAIL_CHARS, NAMED_CHARS),
      });
      if (rank < MAX_FULL) {
        this.#items.push({ priority: value - 1.2 - 0.3 * rank, wanted: contents(item, FULL_CHARS, LONG_CHARS) });
      }
    });
  }

  /** The items of a list, those that matter most first; of equals the first three, then spread over the list. */
  #ranked(node: JsonNode): { readonly item: JsonNode; readonly identity: Wanted[]; readonly before: number }[] {
    const seen = new Map<string, number>();
    return [...node.children]
      .sort((a, b) => b.value - a.value || placeOf(a) - placeOf(b))
      .map((item) => {
        const identity = identityOf(item);
        const kind = kindOf(item, identity);
        const before = seen.get(kind) ?? 0;
        seen.set(kind, before + 1);
        return { item, identity, before };
      });
  }
}

/** What the items of a list count: in an item that has a severity of its own they are details of it. */
function worthWithin(around: JsonNode | undefined, plain: boolean): (item: JsonNode) => number {
  if (around === undefined) return (item) => item.value;
  if (around.grade >= 0 && !around.listed) return (item) => Math.min(item.value, around.value) - 0.8;
  return (item) => item.value - (plain ? 0.3 : 0.05);
}

/** Orders equals: the first few, then spread over all. */
function placeOf(node: JsonNode): number {
  return node.index < FIRST_ITEMS ? 0.001 * (node.index - FIRST_ITEMS) : scatter(node.index);
}

function isString(node: JsonNode): boolean {
  return node.head.text.startsWith('"');
}

/** An array of containers, or an object whose members are alike. */
function isList(node: JsonNode): boolean {
  const containers = node.children.filter((child) => child.type !== "scalar");
  if (node.type === "array") return containers.length > 0;
  const usual = containers[containers.length >> 1];
  if (usual === undefined || containers.length < LIKE_CHILDREN) return false;
  if (containers.length < 0.8 * node.children.length) return false;
  const alike = containers.filter((child) => areAlike(usual, child)).length;
  return alike >= 0.7 * containers.length;
}

function areAlike(first: JsonNode, second: JsonNode): boolean {
  if (first.type !== second.type) return false;
  if (first.type === "array" || first === second) return true;
  const keys = new Set(first.children.map((child) => child.key));
  const shared = second.children.filter((child) => keys.has(child.key)).length;
  return shared > 0 && shared >= 0.5 * Math.max(1, Math.min(keys.size, second.children.length));
}

/** What items of one kind have in common: how they are named, digits aside. */
function kindOf(item: JsonNode, identity: readonly Wanted[]): string {
  const title = identity.find(({ node }) => node.key?.meaning.role === "title") ?? identity[1] ?? identity[0];
  return title === undefined ? String(item.index) : title.node.head.text.slice(0, 100).replace(/\d+/g, "0");
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
      const shown = node.type === "array" ? node.children.slice(0, isShortList(node) ? 3 : 0) : node.children;
      for (const child of [...shown].sort((a, b) => Number(a.type !== "scalar") - Number(b.type !== "scalar"))) {
        const size = Math.min(child.head.text.length, chars) + (child.type === "scalar" ? 4 : 24);
        if (size > left) continue;
        left -= size;
        wanted.push({ node: child, chars });
        next.push(child);
      }
    }
    level = next;
  }
  return wanted;
}
