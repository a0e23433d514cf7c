import { addTallies, type Relevance, type Tally } from "../../../query/relevance.ts";
import { scatter } from "../../lines/scatter.ts";
import { gravityOf, mergeGravity, withOther } from "./gravity.ts";
import type { Head, HeadReader } from "./head-reader.ts";
import type { JsonSink } from "./head-scanner.ts";
import { Draft, Drafts } from "./json-draft.ts";
import { type JsonNode, type JsonValue, newNode, ownWeight } from "./json-node.ts";
import { noteValue, oddKey, oddness } from "./key-table.ts";
import { keyEndOf, MAX_KEY_CHARS, ValueReader } from "./value-reader.ts";

const MAX_DEPTH = 64;
const MAX_KEYS = 400;
const FIRST_CHILDREN = 12;
/** Of so few children none is left out as long as something inside of them can be. */
const FEW_CHILDREN = 40;
const LIGHTER = 0.75;
/** How often a value that is too heavy is made lighter where most of its weight is. */
const PRUNINGS = 64;
/** What holds more children is a list, and what weighs less is not worth the search. */
const FEW_ENTRIES = 12;
const HEAVY_WEIGHT = 20_000;
/** An object of few keys holds those that weigh no more, whatever they say: to let go of them makes nothing lighter. */
const LIGHT_WEIGHT = 2000;
/** Standing out never counts as much as a higher grade. */
const ODD_VALUE = 0.19;
const ASKED_VALUE = 1.2;
/** What is called as the question says comes before what only mentions it. */
const NAMED_VALUE = 1.2;
/** One word in common proves little. */
const CHANCE = 0.5;
const ROOT_HEAD: Head = { text: "", start: { line: 1, byte: 0, char: 0 }, chars: 0, ascii: false, cutBytes: 0 };

export interface JsonTreeOptions {
  /** Has the heads that the scanner tells of. */
  readonly reader: HeadReader;
  readonly relevance: Relevance;
  /** Characters that the children of one value may weigh. */
  readonly maxWeight: number;
  /** Items that are held of one array. */
  readonly maxItems: number;
}

/** Holds the structure of a JSON text and the children that say most, in bounded memory. */
export class JsonTree implements JsonSink {
  /** Holds the values of the text; more than one for JSON lines. */
  readonly root: JsonNode;
  /** Children weighed so far when memory ran short. */
  weighed = 0;
  readonly #options: JsonTreeOptions;
  readonly #reader: HeadReader;
  readonly #values: ValueReader;
  readonly #drafts = new Drafts();
  /** Values that are too heavy however few of their children are held, and from which weight on to try again. */
  readonly #heavy = new Map<JsonNode, number>();
  /** The innermost value that is held and open; and the innermost draft that is open in it. */
  #top: JsonNode;
  #draft: Draft | undefined;
  #depth = 0;
  /** Levels that are open below the deepest that is held. */
  #skipped = 0;

  /** Adds to `same` if that is given. */
  constructor(options: JsonTreeOptions, same?: JsonTree) {
    this.#options = options;
    this.#reader = options.reader;
    this.#values = same === undefined ? new ValueReader(options.relevance) : same.#values;
    this.root = same?.root ?? newNode(new Draft("array", 0), ROOT_HEAD, undefined);
    this.#top = this.root;
  }

  open(array: boolean): void {
    if (this.#skipped > 0 || this.#depth > MAX_DEPTH) {
      this.#skipped++;
      return;
    }
    const draft = this.#add(array ? "array" : "object");
    this.#values.readKey(draft, this.#reader);
    this.#draft = draft;
    this.#depth++;
  }

  scalar(): void {
    if (this.#skipped > 0) return;
    const draft = this.#add("scalar");
    const parent = draft.parent ?? this.#top;
    this.#values.readScalar(draft, this.#reader, parent.key?.meaning.scale === "grade");
    this.#join(parent, draft);
  }

  close(): void {
    if (this.#skipped > 0) {
      this.#skipped--;
      return;
    }
    const draft = this.#draft;
    (draft ?? this.#top).open = this.root.open;
    if (draft === undefined) {
      this.#closeHeld();
      return;
    }
    this.#depth--;
    this.#drafts.close(draft);
    this.#complete(draft);
    this.#draft = draft.parent;
    this.#join(draft.parent ?? this.#top, draft);
  }

  breakOff(): void {
    this.root.open = true;
  }

  leave(): void {
    this.#drafts.settle(this.#reader);
  }

  /** Ends the innermost value that is held. */
  #closeHeld(): void {
    const node = this.#top;
    const { parent } = node;
    if (parent === undefined) return;
    this.#top = parent;
    this.#depth--;
    this.#complete(node);
    this.#merge(parent, node);
    if (!this.#isRefused(parent, node)) this.#hold(parent, node);
  }

  /** All of a container has been read. */
  #complete(value: JsonValue): void {
    const { type, key, count } = value;
    const { relevance } = this.#options;
    // What all records say ranks none of them.
    if (type === "object" && !relevance.empty) relevance.observe(value.tally);
    if (type === "array") value.odd = 0;
    if (key === undefined) return;
    value.said = noteValue(key, count === 0 ? "empty" : "filled");
    value.odd = Math.max(0.9 * value.odd, value.said === undefined ? 0 : key.lastOdd);
    if (key.meaning.scale === "error" && count > 0) value.gravity = withOther(value.gravity, 1.5);
  }

  /** A draft of the head that was read last, the next child of what is open. */
  #add(type: JsonValue["type"]): Draft {
    if (this.#drafts.full) this.#holdDrafts();
    const draft = this.#draft;
    return this.#drafts.add(type, (draft ?? this.#top).count++, draft, this.#reader);
  }

  /** Makes all drafts nodes, since what they are part of is large. */
  #holdDrafts(): void {
    const { first } = this.#drafts;
    this.#drafts.build(first, this.#top, this.#reader, (node) => {
      this.#top = node;
    });
    this.#draft = undefined;
    this.#drafts.drop(first);
  }

  /** A draft that is complete becomes part of its parent. */
  #join(parent: JsonNode | Draft, draft: Draft): void {
    this.#merge(parent, draft);
    if (draft.parent !== undefined) {
      parent.weight += draft.weight;
      return;
    }
    const held = this.#top;
    if (!this.#isRefused(held, draft))
      this.#hold(
        held,
        this.#drafts.build(draft, held, this.#reader, () => undefined),
      );
    this.#drafts.drop(draft);
  }

  /** Sets what every held value is worth, once all has been read. */
  settle(node: JsonNode = this.root): void {
    node.odd = oddness(node.said);
    for (const child of node.children) {
      this.settle(child);
      if (node.type !== "object") {
        child.value = Math.max(child.value, node.key?.meaning.listed ?? 0);
        continue;
      }
      const rare = child.key === undefined ? 0 : oddKey(child.key, node.parent?.count ?? 0);
      node.odd = Math.max(node.odd, rare, 0.95 * child.odd);
    }
    node.value = this.#value(node);
  }

  #value(node: JsonNode | Draft): number {
    const value = gravityOf(node.gravity) + ODD_VALUE * node.odd;
    if (node.tally === undefined) return value;
    const asked = this.#options.relevance.score(node.tally, Math.min(4, node.weight / 600));
    return value + (ASKED_VALUE * asked * asked) / (asked + CHANCE) + (this.#isNamed(node) ? NAMED_VALUE : 0);
  }

  /** True for an entry of many whose key, or the last name of whose path, the question writes as it stands. */
  #isNamed(node: JsonNode | Draft): boolean {
    if (node.type === "scalar") return false;
    const drafted = "from" in node;
    const parent = drafted ? this.#top : node.parent;
    if ((parent?.count ?? 0) <= FEW_CHILDREN) return false;
    const { text } = drafted ? (node.head ?? this.#reader.headAt(node)) : node.head;
    const key = text.slice(1, Math.min(keyEndOf(text), MAX_KEY_CHARS));
    return this.#options.relevance.names(key.replace(/^.*[/\\]/, ""));
  }

  /** What a child says, its parent says too. */
  #merge(parent: JsonNode | Draft, child: JsonNode | Draft): void {
    parent.gravity = mergeGravity(parent.gravity, parent.type === "array", child.gravity, child.type === "scalar");
    if (child.odd > parent.odd) parent.odd = child.odd;
    if (child.tally !== undefined) this.#addTally(parent, child.tally);
  }

  #isRefused(parent: JsonNode, child: JsonNode | Draft): boolean {
    return parent.floor !== undefined && !isLightKey(parent, child) && this.#isWorse(child, parent.floor);
  }

  #hold(parent: JsonNode, node: JsonNode): void {
    parent.children.push(node);
    parent.weight += node.weight;
    const { maxItems, maxWeight } = this.#options;
    const most = parent.type === "object" ? Math.max(MAX_KEYS, maxItems) : maxItems;
    if (parent.children.length > most) this.#thin(parent);
    else if (parent.weight > maxWeight && parent.weight > (this.#heavy.get(parent) ?? 0)) {
      this.#lighten(parent);
      for (let left = PRUNINGS; left > 0 && parent.weight > maxWeight && this.#prune(parent); left--);
      if (parent.weight > maxWeight) this.#thin(parent, 1);
      // What can not be made lighter is not tried again with every child.
      if (parent.weight > maxWeight) this.#heavy.set(parent, 1.25 * parent.weight);
    }
  }

  /** A list answers a question as well as its best item does. */
  #addTally(parent: JsonValue, tally: Tally): void {
    const { relevance } = this.#options;
    if (parent.type === "object") parent.tally = addTallies(parent.tally, tally);
    else if (relevance.score(tally) > relevance.score(parent.tally)) parent.tally = tally;
  }

  /** Both by what is known now: the words of a question are worth less the more often they come. */
  #isWorse(node: JsonNode | Draft, floor: JsonNode): boolean {
    const difference = this.#value(node) - this.#value(floor);
    return difference < 0 || (difference === 0 && scatter(node.index) > scatter(floor.index));
  }

  /** Takes about half of a value's weight away: from lists inside of it if it has few children, else the worse half. */
  #lighten(node: JsonNode): void {
    const before = node.weight;
    const few = node.children.length <= FEW_CHILDREN;
    if (few) {
      this.weighed += node.children.length;
      const share = before / (2 * node.children.length);
      for (const child of node.children) if (child.children.length > 0 && child.weight > share) this.#lighten(child);
      node.weight = weightOf(node);
    }
    // What an object says of itself stays together.
    if (node.weight > LIGHTER * before && (node.type === "array" || !few)) this.#thin(node, few ? 1 : FIRST_CHILDREN);
  }

  /** Thins out the first list on the way along the heaviest children, which may be deep inside; false without any. */
  #prune(node: JsonNode): boolean {
    const path = [node];
    for (let at = node; at.children.length <= FEW_ENTRIES; ) {
      const heavy = at.children.reduce(
        (most, child) => (child.weight > most.weight ? child : most),
        at.children[0] as JsonNode,
      );
      if (heavy === undefined || heavy.weight < HEAVY_WEIGHT) return false;
      path.push(heavy);
      at = heavy;
    }
    this.#thin(path.pop() as JsonNode, 1);
    for (const around of path.reverse()) around.weight = weightOf(around);
    return true;
  }

  /** Keeps the better half of the children: the first few, then by value, and of equals spread over the range. */
  #thin(parent: JsonNode, first = FIRST_CHILDREN): void {
    const { children } = parent;
    this.weighed += children.length;
    const stays = (node: JsonNode, place: number): boolean => place < first || isLightKey(parent, node);
    const light = children.filter((node, place) => place >= first && isLightKey(parent, node)).length;
    const keep = light + Math.max(first, (children.length - light) >> 1);
    const ranked = children
      .map((node, place) => ({
        node,
        rank: stays(node, place) ? Number.POSITIVE_INFINITY : this.#value(node),
        scattered: scatter(node.index),
      }))
      .sort((a, b) => b.rank - a.rank || a.scattered - b.scattered)
      .slice(0, keep);
    const worst = ranked[ranked.length - 1];
    if (worst !== undefined && worst.rank !== Number.POSITIVE_INFINITY) parent.floor = worst.node;
    parent.children = ranked.map(({ node }) => node).sort((a, b) => a.index - b.index);
    parent.weight = weightOf(parent);
  }
}

function isLightKey(parent: JsonNode, child: JsonValue): boolean {
  return parent.type === "object" && parent.count <= FEW_CHILDREN && child.weight <= LIGHT_WEIGHT;
}

function weightOf(node: JsonNode): number {
  return node.children.reduce((sum, child) => sum + child.weight, ownWeight(node.head));
}
