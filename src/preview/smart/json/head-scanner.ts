import type { HeadReader } from "./head-reader.ts";

/** Takes what the scanner finds, in order; the reader has the head. */
export interface JsonSink {
  open(array: boolean): void;
  scalar(): void;
  close(): void;
  /** The block in which heads were found is left. */
  leave(): void;
}

const MAX_REMEMBERED = 1000;
const BLOCK_BYTES = 8192;
const LITERAL = /^(?:true|false|null|NaN|-?Infinity|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

const OUTSIDE = 0;
const STRING = 1;
const ESCAPE = 2;
const WORD = 3;

const QUOTE = 34;
const BACKSLASH = 92;

/** 1 for the bytes of numbers and literals. */
const IN_WORD = new Uint8Array(256);
for (const unit of "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-+.") IN_WORD[unit.charCodeAt(0)] = 1;

/**
 * Cuts JSON, JSON lines or JSON values in a row into heads and brackets in constant memory. Values may lack their end;
 * anything else that is not JSON sets `malformed`, and the rest is ignored. Unlike the scanner in `bytes/json`, which goes
 * past everything below a message's top but its long strings, it stops at every value and takes several in a row.
 */
export class HeadScanner {
  malformed = false;
  /** Bytes read so far. */
  work = 0;
  /** How deep the brackets are nested. */
  depth = 0;
  /** Bytes up to the end of the last value that stands in no other; 0 before that. */
  ended = 0;
  /** Bytes before the block that is read. */
  #before = 0;
  readonly #sink: JsonSink;
  readonly #reader: HeadReader;
  #state = OUTSIDE;
  /** True when a string has ended that may be a key. */
  #keyed = false;
  #colon = false;
  /** Where the key ends in the block, and whether it has escapes. */
  #keyEnd = -1;
  #escaped = false;
  /** Objects and arrays around, one entry a level, as deep as is remembered. */
  readonly #arrays: boolean[] = [];

  constructor(sink: JsonSink, reader: HeadReader) {
    this.#sink = sink;
    this.#reader = reader;
  }

  write(chunk: Uint8Array): void {
    this.work += chunk.length;
    for (let at = 0; at < chunk.length && !this.malformed; at += BLOCK_BYTES) {
      const block = chunk.subarray(at, at + BLOCK_BYTES);
      this.#reader.load(block);
      this.#scan(block);
      this.#before += block.length;
      this.#sink.leave();
      this.#reader.leave();
    }
  }

  /** Ends the input: what is still open is closed where it stops. */
  end(): void {
    if (this.malformed) return;
    this.#reader.load(new Uint8Array(0));
    if (this.#state !== OUTSIDE || this.#keyed) this.#emit(0);
    this.#state = OUTSIDE;
    while (this.depth > 0) this.#close();
  }

  #scan(block: Uint8Array): void {
    const { length } = block;
    let at = 0;
    while (at < length && !this.malformed) {
      switch (this.#state) {
        case STRING: {
          let byte = 0;
          for (; at < length; at++) {
            byte = block[at] as number;
            if (byte === QUOTE || byte === BACKSLASH) break;
          }
          if (at === length) return;
          at++;
          if (byte === QUOTE) this.#stringEnds(at);
          else this.#state = ESCAPE;
          break;
        }
        case ESCAPE:
          at++;
          if (!this.#colon) this.#escaped = true;
          this.#state = STRING;
          break;
        case WORD:
          while (at < length && IN_WORD[block[at] as number] === 1) at++;
          if (at === length) return;
          this.#state = OUTSIDE;
          this.#emit(at);
          break;
        default:
          this.#outside(block[at] as number, at);
          at++;
      }
    }
  }

  #outside(byte: number, at: number): void {
    switch (byte) {
      case 32:
      case 9:
      case 10:
      case 13:
        return;
      case QUOTE:
        this.#begin(at);
        this.#state = STRING;
        return;
      case 58:
        // Too deep to know whether this is an object: nothing there is shown anyway.
        if (this.depth > this.#arrays.length) return;
        if (!this.#keyed || this.#colon) this.malformed = true;
        this.#colon = true;
        return;
      case 44:
        if (this.#keyed) this.#emit(at);
        return;
      case 123:
      case 91:
        this.#begin(at);
        this.#open(byte === 91, at + 1);
        return;
      case 125:
      case 93:
        if (this.#keyed) this.#emit(at);
        if (this.depth === 0 || (this.depth <= this.#arrays.length && this.#inArray() !== (byte === 93))) {
          this.malformed = true;
        } else {
          this.#close();
          if (this.depth === 0) this.ended = this.#before + at + 1;
        }
        return;
      default:
        // A byte order mark may stand between values.
        if (byte === 0xef || byte === 0xbb || byte === 0xbf) return;
        if (IN_WORD[byte] !== 1) {
          this.malformed = true;
          return;
        }
        this.#begin(at);
        this.#state = WORD;
    }
  }

  /** A value begins: after a colon it continues its key's head, else a head of its own starts. */
  #begin(at: number): void {
    if (this.#colon) return;
    // A string that is followed by anything but a colon was a value.
    if (this.#keyed) this.#emit(at);
    this.#reader.begin(at);
    this.#escaped = false;
  }

  #stringEnds(at: number): void {
    this.#state = OUTSIDE;
    if (this.#colon || this.#inArray() || this.depth === 0) this.#emit(at);
    else {
      this.#keyed = true;
      this.#keyEnd = at - 1;
    }
  }

  #emit(end: number): void {
    const valid = this.#colon;
    this.#take(end);
    if (valid || this.#isValue()) this.#sink.scalar();
    else this.malformed = true;
  }

  #open(array: boolean, end: number): void {
    this.#take(end);
    this.depth++;
    if (this.#arrays.length < MAX_REMEMBERED && this.#arrays.length === this.depth - 1) this.#arrays.push(array);
    this.#sink.open(array);
  }

  #take(end: number): void {
    this.#reader.take(end, this.#colon ? this.#keyEnd : -1, this.#colon && this.#escaped);
    this.#keyed = false;
    this.#colon = false;
  }

  /** True when the head without a key is a string, or a literal. */
  #isValue(): boolean {
    const { head, block, text, from, to } = this.#reader;
    if (head !== undefined) return head.text.charCodeAt(0) === QUOTE || LITERAL.test(head.text);
    if (block[from] === QUOTE) return true;
    let digits = from;
    while (digits < to && ((block[digits] as number) ^ 48) < 10) digits++;
    return (digits === to && to > from) || LITERAL.test(text.slice(from, to));
  }

  #close(): void {
    if (this.#arrays.length === this.depth) this.#arrays.pop();
    this.depth--;
    this.#sink.close();
  }

  #inArray(): boolean {
    return this.depth > this.#arrays.length || this.#arrays[this.depth - 1] === true;
  }
}
