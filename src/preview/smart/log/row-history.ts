import { decode } from "../../../bytes/utf8.ts";
import { cleanLine } from "../../clean.ts";
import type { Row } from "./row.ts";
import { utf16Length } from "./utf16-length.ts";

const NEWLINE = 10;
const RING = 1024;
/** Flags of a row: the line continues after it. */
export const CONTINUES = 1;
/** The line began before it. */
export const IN_LINE = 2;
/** It holds bytes that are not ASCII. */
export const WIDE = 4;
/** Whether the two flags below are known: they are looked for when the row is decoded. */
const LOOKED_AT = 8;
/** A carriage return stands before its newline. */
const RETURN = 16;
/** It holds control characters that are not shown as they are, besides that carriage return. */
const CONTROL = 32;
const CARRIAGE_RETURN = 13;
const TAB = 9;
const BLANK = 32;
const DELETE = 127;

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

  /** True if the latest row's text is not what its bytes spell. */
  latestHasControls(): boolean {
    return (this.#flagsOf(this.#slotOf(0)) & CONTROL) !== 0;
  }

  /** The latest row's text, cleaned; cheaper than the row, which can be read thereafter without decoding again. */
  latestText(): string {
    if (this.#textCount !== this.count) {
      const slot = this.#slotOf(0);
      const flags = this.#flagsOf(slot);
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
    const flags = this.#flagsOf(slot);
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
      read.push(this.#read(slot, raw, clean(this.#flagsOf(slot), raw), terminated));
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

  /** The flags of a row; which control characters it holds is looked for once somebody asks. */
  #flagsOf(slot: number): number {
    const known = this.#flags[slot] as number;
    if ((known & LOOKED_AT) !== 0) return known;
    const from = (this.#starts[slot] as number) - this.base;
    const to = from + (this.#lengths[slot] as number);
    const flags = known | LOOKED_AT | controlFlags(this.#buffer, from, to, (known & CONTINUES) === 0);
    this.#flags[slot] = flags;
    return flags;
  }

  /** A row without its newline, and when only what is `shown` is wanted, without the carriage return before that. */
  #decode(slot: number, shown: boolean): string {
    const from = (this.#starts[slot] as number) - this.base;
    const to = from + (this.#lengths[slot] as number);
    this.work += to - from;
    const returns = shown && (this.#flagsOf(slot) & RETURN) !== 0;
    const hidden = this.#buffer[to - 1] !== NEWLINE ? 0 : returns ? 2 : 1;
    return decode(this.#buffer.subarray(from, to - hidden));
  }

  #read(slot: number, raw: string, text: string, terminated: boolean): Row {
    const flags = this.#flagsOf(slot);
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

function controlFlags(bytes: Uint8Array, from: number, to: number, terminated: boolean): number {
  let end = terminated && bytes[to - 1] === NEWLINE ? to - 1 : to;
  let flags = 0;
  if (end < to && end > from && bytes[end - 1] === CARRIAGE_RETURN) {
    end--;
    flags = RETURN;
  }
  for (let at = from; at < end; at++) {
    const byte = bytes[at] as number;
    if ((byte < BLANK && byte !== TAB) || byte === DELETE) return flags | CONTROL;
  }
  return flags;
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
