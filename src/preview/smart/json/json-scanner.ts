import { concat } from "../../../bytes/concat.ts";
import { decode } from "../../../bytes/utf8.ts";

/** Receives the values of a document in order. */
export interface JsonSink {
  open(head: JsonScanner, array: boolean): void;
  scalar(head: JsonScanner): void;
  close(): void;
  /** The output ends inside a value; the containers that are open are closed next. */
  breakOff(): void;
  /** `bytes` of the block were read; a string that goes on from an earlier block ends at `stringEnd`, -1 if it does not. */
  endBlock(block: Uint8Array, ascii: string | undefined, bytes: number, stringEnd: number): void;
}

export const MAX_HEAD_BYTES = 2048;
const BLOCK_BYTES = 16_384;
const MAX_DEPTH = 10_000;
/** Longest text after the JSON that is kept. */
export const MAX_TRAILING_BYTES = 4096;
const LITERAL = /^(?:true|false|null|NaN|-?Infinity|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

const tableOf = (characters: string): Uint8Array => {
  const table = new Uint8Array(256);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
};
/** 1 for the bytes of numbers and literals. */
const IN_WORD = tableOf("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-+.");
/** A byte order mark may stand between values. */
const BLANK = tableOf(" \t\n\r\u00ef\u00bb\u00bf");
const NOTHING = new Uint8Array(0);
const bytewise = new TextDecoder("latin1");

/**
 * Splits JSON, JSON lines or values in a row into heads and brackets, in bounded memory. Input that is not JSON sets
 * `malformed`, and the rest is ignored. A head that is incomplete at the end of a block is moved to the next one, so
 * the result does not depend on where blocks end. Unlike the scanner in `bytes/json`, which reads one message and skips
 * everything below its top level, it reports every value.
 */
export class JsonScanner {
  malformed = false;
  /** Bytes received. */
  work = 0;
  depth = 0;
  /** Bytes up to the end of the last container at the top level. */
  ended = 0;
  /** The input after `ended`, unless that is too long to be shown. */
  trailing: Uint8Array = NOTHING;
  block: Uint8Array = NOTHING;
  /** The block with one character per byte. */
  text = "";
  /** True when the block has no byte above 127. */
  ascii = true;
  /**
   * The head that was read last: the bytes of a value from its key (if it has one) to the end of a scalar or to the
   * bracket that opens a container. `to` is the end of the part that is kept.
   */
  from = 0;
  to = 0;
  /** End of the head, or of the block when the head goes on in the next one. */
  end = 0;
  goesOn = false;
  /** The key's closing quote; -1 when there is no key. */
  keyEnd = -1;
  readonly #sink: JsonSink;
  readonly #buffer = new Uint8Array(BLOCK_BYTES);
  #filled = 0;
  /** Bytes before the block. */
  #before = 0;
  /** True when the block begins with an escaped character of a string that goes on. */
  #escaped = false;
  /** True when the block ends inside of a head that is read again with the next. */
  #incomplete = false;
  /** True when the output ends inside a string. */
  #brokenString = false;
  /** For each open container, whether it is an array. */
  readonly #arrays: boolean[] = [];
  #inObject = false;

  constructor(sink: JsonSink) {
    this.#sink = sink;
  }

  write(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length && !this.malformed; ) {
      const part = chunk.subarray(at, at + BLOCK_BYTES - this.#filled);
      this.#buffer.set(part, this.#filled);
      this.#filled += part.length;
      at += part.length;
      this.#readBlock(false);
    }
    this.#keepTrailing(chunk);
  }

  /** Ends the input; containers that are still open are closed. */
  finish(): void {
    if (!this.malformed) this.#readBlock(true);
    if (this.malformed) return;
    if (this.depth > 0 || this.#brokenString) this.#sink.breakOff();
    while (this.depth > 0) this.#close();
  }

  #readBlock(final: boolean): void {
    const block = this.#buffer.subarray(0, this.#filled);
    this.block = block;
    this.text = decode(block);
    this.ascii = this.text.length === block.length && !this.text.includes("\ufffd");
    if (!this.ascii) this.text = bytewise.decode(block);
    let at = 0;
    let stringEnd = -1;
    if (this.goesOn) {
      const quote = endOfString(block, this.#escaped ? 1 : 0);
      at = Math.min(block.length, quote + 1);
      this.#breakString(quote, final);
      if (!this.goesOn) stringEnd = at;
    }
    this.#incomplete = false;
    while (at < block.length && !this.malformed && !this.#incomplete) at = this.#readValue(block, at, final);
    this.#sink.endBlock(block, this.ascii ? this.text : undefined, at, stringEnd);
    // A key or a number that fills a whole block is absurd.
    if (at === 0 && block.length === BLOCK_BYTES) this.malformed = true;
    this.#before += at;
    this.#buffer.copyWithin(0, at, this.#filled);
    this.#filled -= at;
  }

  /** Keeps text after the JSON: how the command ended, or advice of the program that started it. */
  #keepTrailing(chunk: Uint8Array): void {
    const start = this.work;
    this.work += chunk.length;
    const { trailing, ended } = this;
    if (ended === 0 || this.work - ended > MAX_TRAILING_BYTES) this.trailing = NOTHING;
    else if (ended >= start) this.trailing = chunk.slice(ended - start);
    else this.trailing = concat([trailing, chunk], trailing.length + chunk.length);
  }

  /** Reads one value, bracket or comma and returns its end; the start of a value that the block does not hold. */
  #readValue(block: Uint8Array, from: number, final: boolean): number {
    const start = endOfBlanks(block, from);
    if (start === block.length) return start;
    const byte = block[start];
    if (byte === COMMA) return start + 1;
    if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      const array = this.#arrays[this.depth - 1];
      if (array === undefined || array !== (byte === CLOSE_BRACKET)) {
        this.malformed = true;
        return start;
      }
      this.#close();
      if (this.depth === 0) this.ended = this.#before + start + 1;
      return start + 1;
    }
    this.from = start;
    this.keyEnd = -1;
    let value = start;
    if (byte === QUOTE && this.#inObject) {
      const keyEnd = endOfString(block, start + 1);
      const colon = endOfBlanks(block, keyEnd + 1);
      value = endOfBlanks(block, colon + 1);
      if (value >= block.length) return this.#cutOff(final);
      if (block[colon] !== COLON) {
        this.malformed = true;
        return start;
      }
      this.keyEnd = keyEnd;
    }
    return this.#readAfterKey(block, value, final);
  }

  #readAfterKey(block: Uint8Array, value: number, final: boolean): number {
    const byte = block[value] as number;
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      this.#setEnd(value + 1);
      this.#open(byte === OPEN_BRACKET);
      return value + 1;
    }
    if (byte === QUOTE) {
      const quote = endOfString(block, value + 1);
      if (quote < block.length) this.#setEnd(quote + 1);
      else {
        if (!final && block.length - this.from <= MAX_HEAD_BYTES) return this.#cutOff(false);
        this.#setEnd(block.length);
        this.#breakString(quote, final);
      }
      this.#sink.scalar(this);
      return this.end;
    }
    const end = endOfWord(block, value);
    if (end === block.length && !final) return this.#cutOff(false);
    this.#setEnd(end);
    const cut = end === block.length && this.depth > 0;
    const valid = end > value && (this.keyEnd >= 0 || cut || LITERAL.test(this.text.slice(value, end)));
    if (valid) this.#sink.scalar(this);
    else this.malformed = true;
    return end;
  }

  /** The block ends before the value does; at the end of the output the head is all there is of it. */
  #cutOff(final: boolean): number {
    this.#incomplete = !final;
    if (!final) return this.from;
    this.#setEnd(this.block.length);
    this.#sink.scalar(this);
    return this.end;
  }

  #setEnd(end: number): void {
    this.end = end;
    this.to = Math.min(end, this.from + MAX_HEAD_BYTES);
  }

  #open(array: boolean): void {
    if (this.depth === MAX_DEPTH) {
      this.malformed = true;
      return;
    }
    this.depth++;
    this.#arrays.push(array);
    this.#inObject = !array;
    this.#sink.open(this, array);
  }

  #close(): void {
    this.#arrays.pop();
    this.depth--;
    this.#inObject = this.#arrays[this.depth - 1] === false;
    this.#sink.close();
  }

  /** The block ends before the string does, unless `quote` is in it. */
  #breakString(quote: number, final: boolean): void {
    const { length } = this.block;
    this.goesOn = quote >= length && !final;
    this.#escaped = quote > length;
    this.#brokenString = quote >= length && final;
  }
}

// Loops over bytes are functions of their own, so that engines optimize each by itself.

function endOfBlanks(block: Uint8Array, from: number): number {
  let at = from;
  while (at < block.length && BLANK[block[at] as number] === 1) at++;
  return at;
}

/** The closing quote; the block's length when it has none, and one more when it ends with a backslash that escapes. */
function endOfString(block: Uint8Array, from: number): number {
  let at = from;
  while (at < block.length) {
    const byte = block[at];
    if (byte === QUOTE) return at;
    at += byte === BACKSLASH ? 2 : 1;
  }
  return at;
}

function endOfWord(block: Uint8Array, from: number): number {
  let at = from;
  while (at < block.length && IN_WORD[block[at] as number] === 1) at++;
  return at;
}
