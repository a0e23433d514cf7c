import type { HeadReader } from "./head-reader.ts";

/** Takes what the scanner finds, in order; the reader has the head. */
export interface JsonSink {
  open(array: boolean): void;
  scalar(): void;
  close(): void;
  /** The block in which heads were found is left. */
  leave(): void;
  /** The text ends before what is open does; that is closed from here on. */
  breakOff(): void;
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
const COMMA = 44;
const COLON = 58;

const tableOf = (signs: string): Uint8Array => {
  const table = new Uint8Array(256);
  for (const sign of signs) table[sign.charCodeAt(0)] = 1;
  return table;
};
/** 1 for the bytes of numbers and literals. */
const IN_WORD = tableOf("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-+.");
const BLANK = tableOf(" \t\n\r");

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
  /** True when the innermost is remembered, and an object. */
  #inObject = false;

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

  /** Ends the input: what is still open is closed where it stops, after the sink was told so. */
  end(): void {
    if (this.malformed) return;
    if (this.depth > 0 || this.#state === STRING || this.#state === ESCAPE) this.#sink.breakOff();
    this.#reader.load(new Uint8Array(0));
    if (this.#state !== OUTSIDE || this.#keyed) this.#emit(0, this.depth > 0);
    this.#state = OUTSIDE;
    while (this.depth > 0) this.#close();
  }

  #scan(block: Uint8Array): void {
    let at = this.#state === OUTSIDE ? 0 : this.#goOn(block);
    while (at < block.length && !this.malformed) at = this.#next(block, at);
  }

  /** Goes on with what was open at the end of the last block; gives where it ends. */
  #goOn(block: Uint8Array): number {
    if (this.#state === WORD) return this.#inWord(block, 0);
    return this.#inString(block, this.#state === ESCAPE ? 1 : 0);
  }

  /** Reads the next string, word or sign; gives where it ends. */
  #next(block: Uint8Array, from: number): number {
    const at = endOfBlanks(block, from);
    if (at === block.length) return at;
    const byte = block[at] as number;
    if (byte !== QUOTE && IN_WORD[byte] !== 1) {
      this.#sign(byte, at);
      return at + 1;
    }
    this.#begin(at);
    if (this.malformed) return at;
    return byte === QUOTE ? this.#inString(block, at + 1) : this.#inWord(block, at + 1);
  }

  #inString(block: Uint8Array, from: number): number {
    let at = endOfPlain(block, from);
    while (at < block.length && block[at] === BACKSLASH) {
      if (!this.#colon) this.#escaped = true;
      at = endOfPlain(block, at + 2);
    }
    if (at >= block.length) {
      this.#state = at > block.length ? ESCAPE : STRING;
      return at;
    }
    at++;
    this.#state = OUTSIDE;
    if (this.#colon || !this.#inObject) {
      this.#emit(at);
      return at;
    }
    this.#keyed = true;
    this.#keyEnd = at - 1;
    if (at === block.length || block[at] !== COLON) return at;
    this.#colon = true;
    return at + 1;
  }

  #inWord(block: Uint8Array, from: number): number {
    const at = endOfWord(block, from);
    this.#state = at === block.length ? WORD : OUTSIDE;
    if (at < block.length) this.#emit(at);
    return at;
  }

  #sign(byte: number, at: number): void {
    switch (byte) {
      case COLON:
        // Too deep to know whether this is an object: nothing there is shown anyway.
        if (this.depth > this.#arrays.length) return;
        if (!this.#keyed || this.#colon) this.malformed = true;
        this.#colon = true;
        return;
      case COMMA:
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
        if (this.depth === 0 || (this.depth <= this.#arrays.length && this.#inObject === (byte === 93))) {
          this.malformed = true;
        } else {
          this.#close();
          if (this.depth === 0) this.ended = this.#before + at + 1;
        }
        return;
      default:
        // A byte order mark may stand between values.
        if (byte !== 0xef && byte !== 0xbb && byte !== 0xbf) this.malformed = true;
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

  /** `cut` when the value may lack its end. */
  #emit(end: number, cut = false): void {
    const valid = this.#colon || cut;
    this.#take(end);
    if (valid || this.#isValue()) this.#sink.scalar();
    else this.malformed = true;
  }

  #open(array: boolean, end: number): void {
    this.#take(end);
    this.depth++;
    if (this.#arrays.length < MAX_REMEMBERED && this.#arrays.length === this.depth - 1) this.#arrays.push(array);
    this.#inObject = !array && this.depth <= this.#arrays.length;
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
    this.#inObject = this.#arrays[this.depth - 1] === false;
    this.#sink.close();
  }
}

// Loops over bytes by themselves: an engine optimizes a loop with all that its function calls.

function endOfBlanks(block: Uint8Array, from: number): number {
  let at = from;
  while (at < block.length && BLANK[block[at] as number] === 1) at++;
  return at;
}

/** Where a string ends or has an escape. */
function endOfPlain(block: Uint8Array, from: number): number {
  let at = from;
  for (; at < block.length; at++) {
    const byte = block[at];
    if (byte === QUOTE || byte === BACKSLASH) break;
  }
  return at;
}

function endOfWord(block: Uint8Array, from: number): number {
  let at = from;
  while (at < block.length && IN_WORD[block[at] as number] === 1) at++;
  return at;
}
