import { decode } from "../../../bytes/utf8.ts";
import { cleanLine } from "../../clean.ts";
import type { Row } from "./row.ts";
import { CONTINUES, CONTROL, RETURN, WIDE } from "./row-finder.ts";
import { utf16Length } from "./utf16-length.ts";

const NEWLINE = 10;
const RING = 1024;
/** A flag of a row beside those of the finder: the line began before it. */
export const IN_LINE = 2;

/** Where the latest rows stand, which are decoded only when asked for. */
export class RowHistory {
  /** Rows seen so far. */
  count = 0;
  /** Output position of the buffer's first byte. */
  base = 0;
  /** Bytes decoded. */
  work = 0;
  /** Rows before this one are out of reach. */
  #first = 0;
  readonly #buffer: Uint8Array;
  readonly #starts = new Float64Array(RING);
  readonly #lengths = new Uint32Array(RING);
  readonly #lines = new Float64Array(RING);
  /** Bytes minus UTF-16 units before a row. */
  readonly #excesses = new Float64Array(RING);
  readonly #flags = new Uint8Array(RING);
  /** The latest row as it was when `count` had this value; its raw text when that is not plainly the text. */
  #textCount = 0;
  #raw: string | undefined;
  #text = "";

  constructor(buffer: Uint8Array) {
    this.#buffer = buffer;
  }

  /** Notes a row that stands in the buffer. */
  append(start: number, length: number, line: number, excess: number, flags: number): void {
    const slot = this.count++ % RING;
    this.#starts[slot] = this.base + start;
    this.#lengths[slot] = length;
    this.#lines[slot] = line;
    this.#excesses[slot] = excess;
    this.#flags[slot] = flags;
  }

  /** The buffer is filled anew, from this position on. */
  restart(base: number): void {
    this.base = base;
    this.#first = this.count;
  }

  /** How many of the latest rows, `most` of them, stand within `bytes` before the end. */
  reach(bytes: number, most = RING): number {
    const limit = Math.min(this.count - this.#first, most, RING);
    const first = this.#endOf(0) - bytes;
    let rows = 0;
    while (rows < limit && this.byteOf(rows) >= first) rows++;
    return rows;
  }

  /** Position of the row `ago` rows before the latest, 0 being the latest. */
  byteOf(ago: number): number {
    return this.#starts[(this.count - 1 - ago) % RING] ?? 0;
  }

  /** The latest row's text, cleaned; cheaper than the row, which can be read thereafter without decoding again. */
  latestText(): string {
    if (this.#textCount !== this.count) {
      const plain = isPlain(this.#flagsOf(0));
      this.#raw = plain ? undefined : this.#decode(0, false);
      this.#text = this.#raw === undefined ? this.#decode(0, true) : this.#clean(0, this.#raw);
      this.#textCount = this.count;
    }
    return this.#text;
  }

  /** Reads a row within reach. */
  row(ago: number): Row {
    const terminated = this.#buffer[this.#endOf(ago) - this.base - 1] === NEWLINE;
    if (ago === 0) {
      const text = this.latestText();
      const raw = this.#raw ?? ((this.#flagsOf(0) & RETURN) === 0 ? text : `${text}\r`);
      return this.#read(0, raw, text, terminated);
    }
    const raw = this.#decode(ago, false);
    return this.#read(ago, raw, this.#clean(ago, raw), terminated);
  }

  /** Reads the latest rows, in order. */
  latest(rows: number): Row[] {
    const read: Row[] = [];
    const together = this.#decodeTogether(rows);
    for (let ago = rows - 1; ago >= 0; ago--) {
      if (together === undefined) {
        read.push(this.row(ago));
        continue;
      }
      const start = this.#charOf(ago) - this.#charOf(rows - 1);
      const end = ago === 0 ? together.length : this.#charOf(ago - 1) - this.#charOf(rows - 1);
      const terminated = together.charCodeAt(end - 1) === NEWLINE;
      const raw = together.slice(start, terminated ? end - 1 : end);
      read.push(this.#read(ago, raw, this.#clean(ago, raw), terminated));
    }
    return read;
  }

  /** Much faster than row by row; undefined when malformed bytes would not decode to the same. */
  #decodeTogether(rows: number): string | undefined {
    if (rows === 0) return undefined;
    const from = this.byteOf(rows - 1) - this.base;
    const last = this.byteOf(0) - this.base;
    const end = this.#endOf(0) - this.base;
    const text = decode(this.#buffer.subarray(from, end));
    this.work += end - from;
    const before = this.#charOf(0) - this.#charOf(rows - 1);
    return text.length === before + utf16Length(this.#buffer, last, end) ? text : undefined;
  }

  #endOf(ago: number): number {
    return this.byteOf(ago) + (this.#lengths[(this.count - 1 - ago) % RING] ?? 0);
  }

  #charOf(ago: number): number {
    return this.byteOf(ago) - (this.#excesses[(this.count - 1 - ago) % RING] ?? 0);
  }

  /** A row without its newline, and when only what is `shown` is wanted, without the carriage return before that. */
  #decode(ago: number, shown: boolean): string {
    const from = this.byteOf(ago) - this.base;
    const to = this.#endOf(ago) - this.base;
    this.work += to - from;
    const hidden = this.#buffer[to - 1] !== NEWLINE ? 0 : shown && (this.#flagsOf(ago) & RETURN) !== 0 ? 2 : 1;
    return decode(this.#buffer.subarray(from, to - hidden));
  }

  #clean(ago: number, raw: string): string {
    const flags = this.#flagsOf(ago);
    if (isPlain(flags)) return (flags & RETURN) === 0 ? raw : raw.slice(0, -1);
    // Without control characters, only this one would have to go.
    if ((flags & (CONTROL | RETURN)) === 0 && !raw.includes("\u009b")) return raw;
    return cleanLine(raw);
  }

  #flagsOf(ago: number): number {
    return this.#flags[(this.count - 1 - ago) % RING] as number;
  }

  #read(ago: number, raw: string, text: string, terminated: boolean): Row {
    const slot = (this.count - 1 - ago) % RING;
    const flags = this.#flagsOf(ago);
    return {
      line: this.#lines[slot] ?? 0,
      byte: this.byteOf(ago),
      char: this.#charOf(ago),
      bytes: this.#lengths[slot] ?? 0,
      chars: raw.length + (terminated ? 1 : 0),
      continues: (flags & CONTINUES) !== 0,
      inLine: (flags & IN_LINE) !== 0,
      raw,
      text,
      // Cleaning puts one sign that is not ASCII, for NUL.
      ascii: (flags & WIDE) === 0 && ((flags & CONTROL) === 0 || !text.includes("\u2400")),
    };
  }
}

/** True when nothing is to be cleaned but a carriage return at the end. */
function isPlain(flags: number): boolean {
  return (flags & (CONTROL | WIDE)) === 0;
}
