import type { Relevance, Tally } from "../../../query/relevance.ts";
import { decimalAt } from "./decimal-at.ts";
import type { HeadReader } from "./head-reader.ts";
import type { Draft } from "./json-draft.ts";
import type { Scale } from "./key-meaning.ts";
import { type KeyEntry, KeyTable, noteValue, noteValueAt } from "./key-table.ts";
import { isNumeric, readGravity, readNumber, scaleOf } from "./read-gravity.ts";
import { mayTellTrouble } from "./trouble.ts";

const QUOTE = 34;
const COLON = 58;
/** Of a longer key its beginning tells. */
export const MAX_KEY_CHARS = 200;
const MAX_CHARS = 600;

/** Reads what keys and scalars say, from the bytes of a block where these tell. */
export class ValueReader {
  readonly #relevance: Relevance;
  readonly #keys = new KeyTable();
  /** The block in which the words of the question are looked for, and where the next stands. */
  #block: Uint8Array | undefined;
  #lower = "";
  #mention = 0;

  constructor(relevance: Relevance) {
    this.#relevance = relevance;
  }

  /** Reads the key of a container, if it has one. */
  readKey(draft: Draft, reader: HeadReader): void {
    if (reader.head === undefined) {
      const keyed = reader.keyEnd > reader.from;
      draft.key = keyed ? this.#keys.findAt(reader.block, reader.from + 1, reader.keyEnd, reader.text) : undefined;
      if (keyed) draft.tally = this.#tallyAt(reader, MAX_KEY_CHARS);
      return;
    }
    const { text } = reader.head;
    const keyEnd = keyEndOf(text);
    draft.key = keyEnd < 0 ? undefined : this.#keys.find(text.slice(1, keyEnd));
    if (keyEnd > 0 && !this.#relevance.empty) draft.tally = this.#relevance.tally(text.slice(0, MAX_KEY_CHARS));
  }

  /** Reads a scalar; `inGrade` when the key of its parent grades. */
  readScalar(draft: Draft, reader: HeadReader, inGrade: boolean): void {
    if (reader.head === undefined) this.#readPlace(draft, reader, inGrade);
    else this.#readText(draft, reader.head.text, inGrade);
  }

  #readText(draft: Draft, text: string, inGrade: boolean): void {
    const keyEnd = keyEndOf(text);
    const key = keyEnd < 0 ? undefined : this.#keys.find(text.slice(1, keyEnd));
    let start = 0;
    draft.key = key;
    if (key !== undefined) {
      start = keyEnd + 1;
      while (start < text.length && (text.charCodeAt(start) <= 32 || text.charCodeAt(start) === COLON)) start++;
      draft.said = noteValue(key, text.slice(start));
      if (draft.said !== undefined) draft.odd = key.lastOdd;
    }
    draft.gravity = readGravity({ text, start, key }, scaleOf(key, inGrade));
    if (!this.#relevance.empty) draft.tally = this.#relevance.tally(text.slice(0, MAX_CHARS));
  }

  #readPlace(draft: Draft, reader: HeadReader, inGrade: boolean): void {
    const { block, from, to, keyEnd } = reader;
    let start = from;
    let key: KeyEntry | undefined;
    if (keyEnd > from) {
      key = this.#keys.findAt(block, from + 1, keyEnd, reader.text);
      start = keyEnd + 1;
      while (start < to && ((block[start] as number) <= 32 || block[start] === COLON)) start++;
      draft.said = noteValueAt(key, block, start, to, reader.text);
      if (draft.said !== undefined) draft.odd = key.lastOdd;
    }
    draft.key = key;
    this.#weigh(draft, reader, start, scaleOf(key, inGrade));
    draft.tally = this.#tallyAt(reader, MAX_CHARS);
  }

  #weigh(draft: Draft, { block, from, to, text }: HeadReader, start: number, scale: Scale): void {
    const { key, said } = draft;
    if (scale === "other") return;
    // What a value says under its key it says again.
    const known = key !== undefined && scale === key.meaning.scale && scale !== "score" && !this.#keys.isRest(key);
    if (known && said?.weighed === true) {
      draft.gravity = said.gravity;
      return;
    }
    const quoted = block[start] === QUOTE;
    const silent = !quoted || !(key?.suspect === true || mayTellTrouble(block, start, to));
    const number = quoted || !isNumeric(scale) ? Number.NaN : decimalAt(block, start, to);
    if (!Number.isNaN(number)) draft.gravity = readNumber(key, scale, number);
    else if (scale !== "none" || !silent) {
      draft.gravity = readGravity({ text: text.slice(from, to), start: start - from, key }, scale);
    }
    if (!known || said === undefined) return;
    said.gravity = draft.gravity;
    said.weighed = true;
  }

  /** The tally of what the question asks for in the first characters of a head. */
  #tallyAt({ block, text, from, to }: HeadReader, most: number): Tally | undefined {
    if (this.#relevance.empty) return undefined;
    if (this.#block !== block) {
      this.#block = block;
      this.#lower = text.toLowerCase();
      this.#mention = this.#relevance.nextMention(this.#lower, 0);
    }
    if (this.#mention < from) this.#mention = this.#relevance.nextMention(this.#lower, from);
    const end = Math.min(to, from + most);
    return this.#mention < end ? this.#relevance.tally(text.slice(from, end)) : undefined;
  }
}

/** Where the key of a member ends, at its closing quote; -1 for an item. */
export function keyEndOf(head: string): number {
  if (head.charCodeAt(0) !== QUOTE) return -1;
  let end = head.indexOf('"', 1);
  while (end > 0 && head.charCodeAt(end - 1) === 92) end = head.indexOf('"', end + 1);
  return end > 0 && end < head.length - 1 ? end : -1;
}
