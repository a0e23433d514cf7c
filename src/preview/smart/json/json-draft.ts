import type { Tally } from "../../../query/relevance.ts";
import { ZERO } from "../zero.ts";
import { type Gravity, NO_GRAVITY } from "./gravity.ts";
import type { Head, HeadPlace, HeadReader } from "./head-reader.ts";
import { type JsonNode, type JsonValue, newNode, ownWeight, weightOfHead } from "./json-node.ts";
import type { KeyEntry, ValueCount } from "./key-table.ts";

/** A value that has been read and of which it is not known yet whether it is held. */
export class Draft implements JsonValue, HeadPlace {
  type: JsonValue["type"];
  index = 0;
  key: KeyEntry | undefined = undefined;
  said: ValueCount | undefined = undefined;
  count = 0;
  odd = ZERO;
  tally: Tally | undefined = undefined;
  weight = weightOfHead(0);
  gravity: Gravity = NO_GRAVITY;
  open = false;
  from = 0;
  to = 0;
  chars = 0;
  /** Made when the block in which it stands is left. */
  head: Head | undefined = undefined;
  /** Where it stands among the drafts. */
  readonly place: number;
  /** The draft that it is part of; undefined when it stands in a value that is held. */
  parent: Draft | undefined = undefined;
  /** The place of the next draft that is not part of it; 0 as long as it is open. */
  end = 0;

  constructor(type: JsonValue["type"], place: number) {
    this.type = type;
    this.place = place;
  }
}

/** More of them would have to be thinned out as they come. */
const MAX_DRAFTS = 200;

/**
 * Drafts in the order of their heads, used again and again: of a long list most items are let go once they are read,
 * and nothing is made of them.
 */
export class Drafts {
  readonly #drafts: Draft[] = Array.from({ length: MAX_DRAFTS }, (_, place) => new Draft("scalar", place));
  #length = 0;
  /** Nodes that have been made and are not part of others yet. */
  readonly #built: JsonNode[] = [];
  #pending = 0;

  get full(): boolean {
    return this.#length === MAX_DRAFTS;
  }

  /** The first of all. */
  get first(): Draft {
    return this.#drafts[0] as Draft;
  }

  /** A draft of the head that was read last, with nothing in it yet. */
  add(type: JsonValue["type"], index: number, parent: Draft | undefined, reader: HeadReader): Draft {
    const draft = this.#drafts[this.#length++] as Draft;
    draft.type = type;
    draft.index = index;
    draft.parent = parent;
    draft.end = type === "scalar" ? this.#length : 0;
    draft.said = undefined;
    draft.count = 0;
    draft.odd = 0;
    draft.tally = undefined;
    draft.gravity = NO_GRAVITY;
    draft.open = false;
    draft.head = reader.head;
    draft.weight = reader.head === undefined ? weightOfHead(reader.to - reader.from) : ownWeight(reader.head);
    draft.from = reader.from;
    draft.to = reader.to;
    draft.chars = reader.chars;
    return draft;
  }

  /** Nothing is added any more to a draft. */
  close(draft: Draft): void {
    draft.end = this.#length;
  }

  /** Forgets a draft and all that came after it. */
  drop(draft: Draft): void {
    this.#length = draft.place;
  }

  /** Makes the heads that stand in a block which is left. */
  settle(reader: HeadReader): void {
    for (let place = 0; place < this.#length; place++) {
      const draft = this.#drafts[place] as Draft;
      draft.head ??= reader.headAt(draft);
    }
  }

  /** The node of a draft with all that is part of it; `opened` gets those that are still open, which nothing holds yet. */
  build(draft: Draft, parent: JsonNode, reader: HeadReader, opened: (node: JsonNode) => void): JsonNode {
    const last = this.#drafts[this.#length - 1] as Draft;
    if (draft.head === undefined && last.head === undefined && last !== draft) reader.own(draft.from, last.to);
    return this.#build(draft, parent, reader, opened);
  }

  #build(draft: Draft, parent: JsonNode, reader: HeadReader, opened: (node: JsonNode) => void): JsonNode {
    const node = newNode(draft, draft.head ?? reader.headAt(draft), parent);
    if (draft.type === "scalar") return node;
    if (draft.end === 0) opened(node);
    const end = draft.end === 0 ? this.#length : draft.end;
    const before = this.#pending;
    for (let at = draft.place + 1; at < end; ) {
      const inner = this.#drafts[at] as Draft;
      const child = this.#build(inner, node, reader, opened);
      if (inner.end > 0) this.#built[this.#pending++] = child;
      at = inner.end === 0 ? end : inner.end;
    }
    // An array that is added to makes room for many more than most values have.
    if (this.#pending > before) node.children = this.#built.slice(before, this.#pending);
    this.#pending = before;
    return node;
  }
}
