import type { Tally } from "../../../query/relevance.ts";
import { ZERO } from "../zero.ts";
import { copyGravity, NO_GRAVITY } from "./gravity.ts";
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
  grade = NO_GRAVITY.grade;
  gradeDepth = NO_GRAVITY.gradeDepth;
  listed = NO_GRAVITY.listed;
  other = NO_GRAVITY.other;
  cleared = NO_GRAVITY.cleared;
  from = 0;
  to = 0;
  chars = 0;
  line = 0;
  byte = 0;
  char = 0;
  inLine = false;
  /** Made when the block in which it stands is left. */
  head: Head | undefined = undefined;
  /** The draft that it is part of; -1 when it stands in a value that is held. */
  parent = -1;
  /** The next draft that is not part of it; 0 as long as it is open. */
  end = 0;

  constructor(type: JsonValue["type"]) {
    this.type = type;
  }
}

/** More of them would have to be thinned out as they come. */
const MAX_DRAFTS = 200;

/**
 * Drafts in the order of their heads, used again and again: of a long list most items are let go once they are read,
 * and nothing is made of them.
 */
export class Drafts {
  readonly #drafts: Draft[] = Array.from({ length: MAX_DRAFTS }, () => new Draft("scalar"));
  #length = 0;

  get full(): boolean {
    return this.#length === MAX_DRAFTS;
  }

  at(place: number): Draft {
    return this.#drafts[place] as Draft;
  }

  /** Where the next draft will be. */
  get next(): number {
    return this.#length;
  }

  /** A draft of the head that was read last, with nothing in it yet. */
  add(type: JsonValue["type"], index: number, parent: number, reader: HeadReader): Draft {
    const draft = this.#drafts[this.#length++] as Draft;
    draft.type = type;
    draft.index = index;
    draft.parent = parent;
    draft.end = type === "scalar" ? this.#length : 0;
    draft.said = undefined;
    draft.count = 0;
    draft.odd = 0;
    draft.tally = undefined;
    copyGravity(draft, NO_GRAVITY);
    draft.head = reader.head;
    draft.weight = reader.head === undefined ? weightOfHead(reader.to - reader.from) : ownWeight(reader.head);
    draft.from = reader.from;
    draft.to = reader.to;
    draft.chars = reader.chars;
    draft.line = reader.line;
    draft.byte = reader.byte;
    draft.char = reader.char;
    draft.inLine = reader.inLine;
    return draft;
  }

  /** Nothing is added any more to the draft at this place. */
  close(place: number): void {
    this.at(place).end = this.#length;
  }

  /** Forgets the drafts from this place on. */
  drop(place: number): void {
    this.#length = place;
  }

  /** Makes the heads that stand in a block which is left. */
  settle(reader: HeadReader): void {
    for (let place = 0; place < this.#length; place++) {
      const draft = this.at(place);
      draft.head ??= reader.headAt(draft);
    }
  }

  /** The node of a draft with all that is part of it; `opened` gets those that are still open, which nothing holds yet. */
  build(place: number, parent: JsonNode, reader: HeadReader, opened: (node: JsonNode) => void): JsonNode {
    const draft = this.at(place);
    const node = newNode(draft, draft.head ?? reader.headAt(draft), parent);
    if (draft.end === 0) opened(node);
    const end = draft.end === 0 ? this.#length : draft.end;
    for (let at = place + 1; at < end; ) {
      const child = this.build(at, node, reader, opened);
      const { end: childEnd } = this.at(at);
      if (childEnd > 0) node.children.push(child);
      at = childEnd === 0 ? end : childEnd;
    }
    return node;
  }
}
