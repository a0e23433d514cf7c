import { concat } from "../../../bytes/concat.ts";
import { decode } from "../../../bytes/utf8.ts";
import type { Position } from "../analyzer.ts";
import { gravityOf } from "./gravity.ts";
import type { JsonNode } from "./json-node.ts";
import { isRecord, namesIn, type RecordLine, rarestLines } from "./tie.ts";

/** A record of JSON lines that says the same name as a grave one. */
export interface TiedRecord {
  readonly index: number;
  readonly start: Position;
  readonly bytes: Uint8Array;
  /** The place of the grave one among the records. */
  readonly grave: number;
  /** How many others that say the name are nearer to it. */
  readonly nearer: number;
}

/** Three times as much is looked through at once. */
const BLOCK_BYTES = 65_536;
/** From here on a record tells of something that went wrong. */
const GRAVE = 1;
/** Names for which others are looked for: of one block, and of all. */
const MOST_OF_BLOCK = 8;
const MOST_LOOKED = 16;
const MOST_TIED = 24;
/** A character a byte. */
const bytewise = new TextDecoder("latin1");
const encoder = new TextEncoder();

/**
 * Holds the bytes of JSON lines for a while and finds the records that say the same name as a grave one nearby: what a
 * test printed before it failed says nothing of trouble itself.
 */
export class RecentRecords {
  readonly #tied = new Map<number, TiedRecord>();
  #blocks: Uint8Array[] = [];
  /** Bytes of the last block. */
  #filled = 0;
  /** Where the first block begins in the output, and up to where grave records have been looked at. */
  #first: number;
  #looked = 0;
  #left = MOST_LOOKED;

  constructor(first: number) {
    this.#first = first;
  }

  /** How many bytes `take` may be given next. */
  get free(): number {
    return this.#left > 0 ? BLOCK_BYTES - (this.#filled % BLOCK_BYTES) : Number.POSITIVE_INFINITY;
  }

  /** Takes bytes that have just become part of `root`. */
  take(part: Uint8Array, root: JsonNode): void {
    if (this.#left <= 0) return;
    if (this.#blocks.length === 0 || this.#filled === BLOCK_BYTES) this.#addBlock();
    this.#blocks.at(-1)?.set(part, this.#filled);
    this.#filled += part.length;
    if (this.#filled < BLOCK_BYTES) return;
    // One large value has no records to tie.
    if (root.count < 2) this.#left = 0;
    this.#look(root, this.#first + (this.#blocks.length - 1) * BLOCK_BYTES);
  }

  /** Ends the output: the records that are tied, by their places. */
  end(root: JsonNode): ReadonlyMap<number, TiedRecord> {
    if (root.count > 1) this.#look(root, Number.POSITIVE_INFINITY);
    this.#left = 0;
    this.#blocks = [];
    return this.#tied;
  }

  #addBlock(): void {
    const oldest = this.#blocks.length === 3 ? this.#blocks.shift() : undefined;
    if (oldest !== undefined) this.#first += BLOCK_BYTES;
    this.#blocks.push(oldest ?? new Uint8Array(BLOCK_BYTES));
    this.#filled = 0;
  }

  /** Looks at the grave records that begin before this byte. */
  #look(root: JsonNode, until: number): void {
    const from = Math.max(this.#looked, this.#first);
    this.#looked = until;
    if (this.#left <= 0 || this.#blocks.length === 0) return;
    const graves = root.children.filter((node) => {
      if (node.type === "scalar" || gravityOf(node.gravity) < GRAVE) return false;
      const { byte } = node.head.start;
      return byte >= from && byte < until;
    });
    if (graves.length === 0) return;
    graves.sort((a, b) => gravityOf(b.gravity) - gravityOf(a.gravity) || a.index - b.index);
    const last = this.#blocks.length - 1;
    const parts = this.#blocks.map((block, at) => (at === last ? block.subarray(0, this.#filled) : block));
    const bytes = concat(parts, last * BLOCK_BYTES + this.#filled);
    const text = bytewise.decode(bytes);
    const records = (bytes.length * root.count) / (this.#first + bytes.length);
    for (const grave of graves.slice(0, Math.min(this.#left, MOST_OF_BLOCK))) {
      const names = namesIn(grave).map((name) => bytewise.decode(encoder.encode(name)));
      const lines = this.#tied.has(grave.index) ? [] : rarestLines(text, names, records);
      if (lines.length === 0) continue;
      this.#left--;
      this.#tie(
        grave,
        lines.filter((line) => isRecord(text, line)),
        bytes,
      );
    }
  }

  /** Remembers the nearest of some lines, with their places counted from that of a grave record. */
  #tie(grave: JsonNode, lines: readonly RecordLine[], bytes: Uint8Array): void {
    const at = grave.head.start.byte - this.#first;
    const nearest = [...lines]
      .sort((a, b) => Math.abs(a.from - at) - Math.abs(b.from - at))
      .filter(({ from }) => from !== at)
      .slice(0, MOST_TIED);
    for (const side of [-1, 1]) {
      let last = at;
      let { index } = grave;
      let { line, char } = grave.head.start;
      nearest.forEach(({ from, to }, nearer) => {
        if (Math.sign(from - at) !== side) return;
        const passed = decode(bytes.subarray(Math.min(from, last), Math.max(from, last)));
        const rows = passed.split("\n");
        last = from;
        index += side * rows.filter((row) => row.trim() !== "").length;
        line += side * (rows.length - 1);
        char += side * passed.length;
        if (this.#tied.has(index)) return;
        const start = { line, byte: this.#first + from, char };
        this.#tied.set(index, { index, start, bytes: bytes.slice(from, to), grave: grave.index, nearer });
      });
    }
  }
}
