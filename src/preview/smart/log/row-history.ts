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
    const latest = this.count - 1;
    const first = this.#endOf(this.#slotOf(0)) - bytes;
    const starts = this.#starts;
    let rows = 0;
    while (rows < limit && (starts[(latest - rows) % RING] as number) >= first) rows++;
    return rows;
  }

  /** Position of the row `ago` rows before the latest, 0 being the latest. */
  byteOf(ago: number): number {
    return this.#starts[this.#slotOf(ago)] ?? 0;
  }

  /** The latest row's text, cleaned; cheaper than the row, which can be read thereafter without decoding again. */
  latestText(): string {
    if (this.#textCount !== this.count) {
      const slot = this.#slotOf(0);
      const flags = this.#flags[slot] as number;
      this.#raw = isPlain(flags) ? undefined : this.#decode(slot, false);
      this.#text = this.#raw === undefined ? this.#decode(slot, true) : clean(flags, this.#raw);
      this.#textCount = this.count;
    }
    return this.#text;
  }

  /** Reads a row within reach. */
  row(ago: number): Row {
    const slot = this.#slotOf(ago);
    const terminated = this.#buffer[this.#endOf(slot) - this.base - 1] === NEWLINE;
    const flags = this.#flags[slot] as number;
    if (ago === 0) {
      const text = this.latestText();
      const raw = this.#raw ?? ((flags & RETURN) === 0 ? text : `${text}\r`);
      return this.#read(slot, raw, text, terminated);
    }
    const raw = this.#decode(slot, false);
    return this.#read(slot, raw, clean(flags, raw), terminated);
  }

  /** Reads the latest rows, in order. */
  latest(rows: number): Row[] {
    const read: Row[] = [];
    const together = this.#decodeTogether(rows);
    if (together === undefined) {
      for (let ago = rows - 1; ago >= 0; ago--) read.push(this.row(ago));
      return read;
    }
    const from = this.#charOf(this.#slotOf(rows - 1));
    let start = 0;
    for (let ago = rows - 1; ago >= 0; ago--) {
      const slot = this.#slotOf(ago);
      const end = ago === 0 ? together.length : this.#charOf((slot + 1) % RING) - from;
      const terminated = together.charCodeAt(end - 1) === NEWLINE;
      const raw = together.slice(start, terminated ? end - 1 : end);
      read.push(this.#read(slot, raw, clean(this.#flags[slot] as number, raw), terminated));
      start = end;
    }
    return read;
  }

  /** Much faster than row by row; undefined when malformed bytes would not decode to the same. */
  #decodeTogether(rows: number): string | undefined {
    if (rows === 0) return undefined;
    const first = this.#slotOf(rows - 1);
    const latest = this.#slotOf(0);
    const from = (this.#starts[first] as number) - this.base;
    const end = this.#endOf(latest) - this.base;
    const text = decode(this.#buffer.subarray(from, end));
    this.work += end - from;
    const before = this.#charOf(latest) - this.#charOf(first);
    const last = (this.#starts[latest] as number) - this.base;
    return text.length === before + utf16Length(this.#buffer, last, end) ? text : undefined;
  }

  /** Where the numbers of a row stand, which those who need several of them ask for once. */
  #slotOf(ago: number): number {
    return (this.count - 1 - ago) % RING;
  }

  #endOf(slot: number): number {
    return (this.#starts[slot] ?? 0) + (this.#lengths[slot] ?? 0);
  }

  #charOf(slot: number): number {
    return (this.#starts[slot] as number) - (this.#excesses[slot] as number);
  }

  /** A row without its newline, and when only what is `shown` is wanted, without the carriage return before that. */
  #decode(slot: number, shown: boolean): string {
    const from = (this.#starts[slot] as number) - this.base;
    const to = from + (this.#lengths[slot] as number);
    this.work += to - from;
    const returns = shown && ((this.#flags[slot] as number) & RETURN) !== 0;
    const hidden = this.#buffer[to - 1] !== NEWLINE ? 0 : returns ? 2 : 1;
    return decode(this.#buffer.subarray(from, to - hidden));
  }

  #read(slot: number, raw: string, text: string, terminated: boolean): Row {
    const flags = this.#flags[slot] as number;
    const byte = this.#starts[slot] as number;
    return {
      line: this.#lines[slot] as number,
      byte,
      char: byte - (this.#excesses[slot] as number),
      bytes: this.#lengths[slot] as number,
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

function clean(flags: number, raw: string): string {
  if (isPlain(flags)) return (flags & RETURN) === 0 ? raw : raw.slice(0, -1);
  // Without control characters, only this one would have to go.
  if ((flags & (CONTROL | RETURN)) === 0 && !raw.includes("\u009b")) return raw;
  return cleanLine(raw);
}

/** True when nothing is to be cleaned but a carriage return at the end. */
function isPlain(flags: number): boolean {
  return (flags & (CONTROL | WIDE)) === 0;
}
