import { cleanLine } from "../../clean.ts";
import { type Automaton, CLASS_BITS } from "./automaton.ts";
import type { Row } from "./row.ts";
import { utf16Length } from "./utf16-length.ts";

/** Longest part of one line that is looked at as a whole; a longer line is read in segments of this size. */
export const SEGMENT_BYTES = 2048;

/** What the word that begins a colour code sets, alone; a row keeps it only when the colour is red. */
export const COLOR = 1 << 28;

/** Set for a row that ends in a lone E or F, the shortest form of a failed test. */
export const LETTER_STATUS = 0x8000_0000;

const NEWLINE = 10;
const BLOCK_BYTES = 131_072;
const RING = 1024;
const SIGNATURE_BYTES = 32;

/** Is told of rows; the row itself is read with `scanner.row(ago)`. */
export interface RowListener {
  /** True while every row matters, not only those with a word. */
  readonly attentive: boolean;
  /** The latest row; `mask` holds the bits of the words in it. */
  onRow(mask: number): void;
}

/**
 * Cuts bytes into rows and looks for the automaton's words, in one pass and constant memory. Rows are decoded only when
 * asked for; the latest of them stay readable within `historyBytes`.
 */
export class RowScanner {
  readonly #automaton: Automaton;
  readonly #historyBytes: number;
  readonly #buffer: Uint8Array;
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #listener: RowListener | undefined;
  /** Output position of the buffer's first byte. */
  #base = 0;
  #filled = 0;
  /** Buffer index of the first byte not yet given as a row. */
  #rowStart = 0;
  #line = 1;
  /** Bytes minus UTF-16 units before the current row. */
  #excess = 0;
  #state = 0;
  readonly #found: Found = { state: 0, mask: 0, high: 0 };
  #count = 0;
  readonly #starts = new Float64Array(RING);
  readonly #lengths = new Uint32Array(RING);
  readonly #lines = new Float64Array(RING);
  readonly #excesses = new Float64Array(RING);
  readonly #continues = new Uint8Array(RING);
  readonly #inLines = new Uint8Array(RING);
  #inLine = 0;
  /** Bytes looked at, decoded ones counted again. */
  work = 0;

  constructor(automaton: Automaton, historyBytes: number) {
    this.#automaton = automaton;
    this.#state = automaton.lineStart;
    this.#historyBytes = Math.max(16_384, historyBytes);
    this.#buffer = new Uint8Array(this.#historyBytes + BLOCK_BYTES + SEGMENT_BYTES);
  }

  listen(listener: RowListener): void {
    this.#listener = listener;
  }

  /** Rows seen so far. */
  get count(): number {
    return this.#count;
  }

  write(chunk: Uint8Array): void {
    let taken = 0;
    while (taken < chunk.length) {
      const free = this.#buffer.length - this.#filled;
      const part = chunk.subarray(taken, taken + free);
      this.#buffer.set(part, this.#filled);
      this.#filled += part.length;
      taken += part.length;
      if (this.#filled === this.#buffer.length) {
        this.#scan(false);
        this.#shift();
      }
    }
  }

  end(): void {
    this.#scan(true);
  }

  /** How many of the latest rows, `most` of them, can still be read, going back at most `bytes`. */
  reach(bytes: number, most = RING): number {
    const limit = Math.min(this.#count, most, RING);
    const latest = this.#count - 1;
    const end = (this.#starts[latest % RING] ?? 0) + (this.#lengths[latest % RING] ?? 0);
    const first = end - Math.min(bytes, this.#historyBytes);
    let rows = 0;
    while (rows < limit && (this.#starts[(latest - rows) % RING] ?? 0) >= first) rows++;
    return rows;
  }

  /** Position of the row `ago` rows before the latest, 0 being the latest. */
  byteOf(ago: number): number {
    return this.#starts[(this.#count - 1 - ago) % RING] ?? 0;
  }

  /** Identifies how the latest row begins, numbers aside, without decoding it. */
  signature(): number {
    const slot = (this.#count - 1) % RING;
    const from = (this.#starts[slot] ?? 0) - this.#base;
    const to = from + Math.min(this.#lengths[slot] ?? 0, SIGNATURE_BYTES);
    let hash = 0x811c9dc5;
    let previous = 0;
    for (let index = from; index < to; index++) {
      let byte = this.#buffer[index] as number;
      if (byte >= 48 && byte <= 57) byte = 48;
      if (byte === 48 && previous === 48) continue;
      previous = byte;
      hash = Math.imul(hash ^ byte, 0x01000193);
    }
    return hash;
  }

  /** Identifies the latest row and `mask`; of a number it tells only whether it is zero. */
  fingerprint(mask: number): number {
    const slot = (this.#count - 1) % RING;
    const from = (this.#starts[slot] ?? 0) - this.#base;
    const to = from + (this.#lengths[slot] ?? 0);
    const buffer = this.#buffer;
    let high = 0x811c9dc5 ^ mask;
    let low = 0x1b873593;
    let number = 0;
    for (let index = from; index < to; index++) {
      const byte = buffer[index] as number;
      if (byte >= 48 && byte <= 57) {
        if (byte > 48) number = 49;
        else if (number === 0) number = 48;
        continue;
      }
      if (number !== 0) {
        high = Math.imul(high ^ number, 0x01000193);
        low = Math.imul(low + number, 0x85ebca6b) ^ (low >>> 13);
        number = 0;
      }
      high = Math.imul(high ^ byte, 0x01000193);
      low = Math.imul(low + byte, 0x85ebca6b) ^ (low >>> 13);
    }
    return (high >>> 0) * 0x20_0000 + (low >>> 11);
  }

  /** Reads a row within reach. */
  row(ago: number): Row {
    const slot = (this.#count - 1 - ago) % RING;
    const byte = this.#starts[slot] ?? 0;
    const bytes = this.#lengths[slot] ?? 0;
    const from = byte - this.#base;
    const continues = this.#continues[slot] === 1;
    const terminated = this.#buffer[from + bytes - 1] === NEWLINE;
    const raw = this.#decoder.decode(this.#buffer.subarray(from, from + bytes - (terminated ? 1 : 0)));
    this.work += bytes;
    const excess = this.#excesses[slot] ?? 0;
    return {
      line: this.#lines[slot] ?? 0,
      byte,
      char: byte - excess,
      bytes,
      chars: raw.length + (terminated ? 1 : 0),
      continues,
      inLine: this.#inLines[slot] === 1,
      raw,
      text: cleanLine(raw.endsWith("\r") ? raw.slice(0, -1) : raw),
    };
  }

  #scan(last: boolean): void {
    const buffer = this.#buffer;
    const filled = this.#filled;
    const found = this.#found;
    const from = this.#rowStart;
    let start = from;
    while (start < filled) {
      const limit = Math.min(filled, start + SEGMENT_BYTES);
      const stopped = scanRow(buffer, start, limit, this.#automaton, this.#state, found);
      const terminated = stopped < limit;
      let end = terminated ? stopped + 1 : stopped;
      if (!terminated) {
        // Where a long line may be cut shows only once the byte after it has come.
        if (stopped === filled && !last) break;
        if (stopped < filled) end = boundary(buffer, start, end);
      }
      this.#state = found.state;
      this.#append(start, end, terminated);
      start = end;
    }
    this.work += start - from;
    this.#rowStart = start;
  }

  #append(start: number, end: number, terminated: boolean): void {
    const length = end - start;
    const { high } = this.#found;
    let { mask } = this.#found;
    if (terminated && length > 3) mask |= letterStatus(this.#buffer, end - 1);
    const slot = this.#count++ % RING;
    this.#starts[slot] = this.#base + start;
    this.#lengths[slot] = length;
    this.#lines[slot] = this.#line;
    this.#excesses[slot] = this.#excess;
    this.#continues[slot] = terminated ? 0 : 1;
    this.#inLines[slot] = this.#inLine;
    this.#inLine = terminated ? 0 : 1;
    if (high >= 0x80) this.#excess += length - utf16Length(this.#buffer, start, end);
    const listener = this.#listener;
    if (listener !== undefined && (mask !== 0 || listener.attentive)) listener.onRow(mask);
    if (terminated) this.#line++;
  }

  /** Moves what may still be asked for to the front. */
  #shift(): void {
    const keepFrom = Math.max(0, this.#rowStart - this.#historyBytes);
    this.#buffer.copyWithin(0, keepFrom, this.#filled);
    this.#base += keepFrom;
    this.#filled -= keepFrom;
    this.#rowStart -= keepFrom;
  }
}

/** What one row holds: the state after it, the bits of its words, and all its bytes or-ed together. */
interface Found {
  state: number;
  mask: number;
  high: number;
}

/** Runs the automaton up to a newline or the limit, and gives where it stopped. */
function scanRow(
  buffer: Uint8Array,
  start: number,
  limit: number,
  { next, classes, lineStart, accepting, masks }: Automaton,
  from: number,
  found: Found,
): number {
  let state = from;
  let mask = 0;
  let high = 0;
  let index = start;
  for (; index < limit; index++) {
    const byte = buffer[index] as number;
    high |= byte;
    state = next[(state << CLASS_BITS) | (classes[byte] as number)] as number;
    if (state >= accepting) {
      if (state === lineStart) break;
      const words = masks[state] as number;
      if (words !== COLOR || isRed(buffer, index + 1, limit)) mask |= words;
    }
  }
  found.state = state;
  found.mask = mask;
  found.high = high;
  return index;
}

/** The last place at or before `end` that does not stand inside a code point. */
function boundary(buffer: Uint8Array, start: number, end: number): number {
  let cut = end;
  for (let back = 0; back < 3 && cut > start + 1 && ((buffer[cut] ?? 0) & 0xc0) === 0x80; back++) cut--;
  return cut;
}

/** True when the colour code whose numbers begin at `from` switches to red, in which most tools print what is wrong. */
function isRed(buffer: Uint8Array, from: number, end: number): boolean {
  for (let index = from; index < from + 8 && index < end; index++) {
    if (buffer[index] !== 109) continue;
    const tens = buffer[index - 2];
    if (buffer[index - 1] !== 49) return false;
    return tens === 51 || tens === 57 || (tens === 59 && buffer[index - 4] === 51 && buffer[index - 3] === 49);
  }
  return false;
}

function letterStatus(buffer: Uint8Array, newline: number): number {
  const at = buffer[newline - 1] === 13 ? newline - 2 : newline - 1;
  const letter = buffer[at];
  return (letter === 69 || letter === 70) && buffer[at - 1] === 32 ? LETTER_STATUS : 0;
}
