import type { Position } from "../analyzer.ts";
import { PositionCounter } from "../lines/position-counter.ts";

/** Where a member or an item stands, and its text from the key (if any) to the end of the scalar or the bracket. */
export interface Head {
  readonly text: string;
  readonly start: Position;
  readonly end: Position;
  /** Bytes of the head that `text` does not hold, since it was too long. */
  readonly cutBytes: number;
}

/** Takes what the scanner finds, in order. */
export interface JsonSink {
  open(array: boolean, head: Head): void;
  scalar(head: Head): void;
  close(end: Position): void;
}

const MAX_HEAD_BYTES = 2048;
const MAX_REMEMBERED = 1000;
const LITERAL = /^(?:true|false|null|NaN|-?Infinity|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

const OUTSIDE = 0;
const STRING = 1;
const ESCAPE = 2;
const WORD = 3;

/**
 * Cuts JSON, JSON lines or JSON values in a row into heads and brackets, byte by byte, in constant memory. Values may
 * lack their end; anything else that is not JSON sets `malformed`, and the rest is ignored.
 */
export class JsonScanner {
  malformed = false;
  /** Bytes read so far. */
  work = 0;
  /** How deep the brackets are nested. */
  depth = 0;
  readonly #sink: JsonSink;
  readonly #decoder = new TextDecoder();
  readonly #head = new Uint8Array(MAX_HEAD_BYTES);
  #headLength = -1;
  #start: Position = { line: 1, byte: 0, char: 0 };
  #state = OUTSIDE;
  /** True when a string has ended that may be a key. */
  #keyed = false;
  #colon = false;
  /** Objects and arrays around, one entry a level, as deep as is remembered. */
  readonly #arrays: boolean[] = [];
  readonly #counter = new PositionCounter();

  constructor(sink: JsonSink) {
    this.#sink = sink;
  }

  write(chunk: Uint8Array): void {
    const { length } = chunk;
    this.work += length;
    for (let index = 0; index < length && !this.malformed; index++) {
      const byte = chunk[index] as number;
      const state = this.#state;
      if (state === STRING) {
        const end = plainUntil(chunk, index);
        if (end > index) {
          this.#keepRun(chunk, index, end);
          index = end - 1;
          continue;
        }
        this.#keep(byte);
        this.#advance(byte);
        if (byte === 34) this.#stringEnds();
        else if (byte === 92) this.#state = ESCAPE;
      } else if (state === ESCAPE) {
        this.#keep(byte);
        this.#advance(byte);
        this.#state = STRING;
      } else {
        this.#outside(byte);
      }
    }
  }

  /** Ends the input: what is still open is closed where it stops. */
  end(): void {
    if (this.malformed) return;
    if (this.#state !== OUTSIDE || this.#keyed) this.#emit();
    while (this.depth > 0) this.#close();
  }

  #outside(byte: number): void {
    if (this.#state === WORD) {
      if (isWord(byte)) {
        this.#keep(byte);
        this.#advance(byte);
        return;
      }
      this.#state = OUTSIDE;
      this.#emit();
    }
    switch (byte) {
      case 32:
      case 9:
      case 10:
      case 13:
        // A string that is followed by anything but a colon was a value.
        if (this.#headLength >= 0) this.#keep(byte);
        this.#advance(byte);
        return;
      case 58:
        this.#advance(byte);
        // Too deep to know whether this is an object: nothing there is shown anyway.
        if (this.depth > this.#arrays.length) return;
        if (!this.#keyed || this.#colon) this.malformed = true;
        this.#colon = true;
        this.#keep(byte);
        return;
      case 44:
        if (this.#keyed) this.#emit();
        this.#advance(byte);
        return;
      case 123:
      case 91:
        this.#begin();
        this.#keep(byte);
        this.#advance(byte);
        this.#open(byte === 91);
        return;
      case 125:
      case 93:
        if (this.#keyed) this.#emit();
        this.#advance(byte);
        if (this.depth === 0 || (this.depth <= this.#arrays.length && this.#inArray() !== (byte === 93))) {
          this.malformed = true;
        } else {
          this.#close();
        }
        return;
      case 34:
        this.#begin();
        this.#keep(byte);
        this.#advance(byte);
        this.#state = STRING;
        return;
      default:
        if (byte === 0xef || byte === 0xbb || byte === 0xbf) {
          this.#advance(byte);
          return;
        }
        if (!isWord(byte)) {
          this.malformed = true;
          return;
        }
        this.#begin();
        this.#keep(byte);
        this.#advance(byte);
        this.#state = WORD;
    }
  }

  /** A value begins: after a colon it continues its key's head, else a head of its own starts. */
  #begin(): void {
    if (this.#colon) return;
    if (this.#keyed) this.#emit();
    this.#headLength = 0;
    this.#start = this.#position();
  }

  #stringEnds(): void {
    this.#state = OUTSIDE;
    if (this.#colon || this.#inArray() || this.depth === 0) this.#emit();
    else this.#keyed = true;
  }

  #emit(): void {
    const head = this.#takeHead();
    if (this.#colon || head.text.startsWith('"') || LITERAL.test(head.text)) this.#sink.scalar(head);
    else this.malformed = true;
    this.#keyed = false;
    this.#colon = false;
  }

  #open(array: boolean): void {
    const head = this.#takeHead();
    this.#keyed = false;
    this.#colon = false;
    this.depth++;
    if (this.#arrays.length < MAX_REMEMBERED && this.#arrays.length === this.depth - 1) this.#arrays.push(array);
    this.#sink.open(array, head);
  }

  #close(): void {
    if (this.#arrays.length === this.depth) this.#arrays.pop();
    this.depth--;
    this.#sink.close(this.#position());
  }

  #inArray(): boolean {
    return this.depth > this.#arrays.length || this.#arrays[this.depth - 1] === true;
  }

  #takeHead(): Head {
    const kept = this.#head.subarray(0, Math.min(this.#headLength, MAX_HEAD_BYTES));
    const cutBytes = Math.max(0, this.#headLength - MAX_HEAD_BYTES);
    this.#headLength = -1;
    let text = decodeShort(kept, this.#decoder);
    if (cutBytes > 0) text = text.replace(/\ufffd+$/, "");
    else text = text.trimEnd();
    return { text, start: this.#start, end: this.#position(), cutBytes };
  }

  #keepRun(chunk: Uint8Array, from: number, to: number): void {
    const room = MAX_HEAD_BYTES - this.#headLength;
    for (let index = from; index < to && index - from < room; index++) {
      this.#head[this.#headLength + index - from] = chunk[index] as number;
    }
    this.#headLength += to - from;
    this.#counter.takeAscii(to - from);
  }

  #keep(byte: number): void {
    if (this.#headLength < MAX_HEAD_BYTES) this.#head[this.#headLength] = byte;
    this.#headLength++;
  }

  #advance(byte: number): void {
    this.#counter.take(byte);
  }

  #position(): Position {
    return this.#counter.position();
  }
}

/** Where the plain ASCII of a string ends: at a quote, a backslash, a control or a wide character. */
function plainUntil(chunk: Uint8Array, from: number): number {
  let index = from;
  for (; index < chunk.length; index++) {
    const byte = chunk[index] as number;
    if (byte === 34 || byte === 92 || byte > 0x7e || byte < 32) break;
  }
  return index;
}

function isWord(byte: number): boolean {
  return (
    (byte >= 48 && byte <= 57) ||
    (byte >= 97 && byte <= 122) ||
    (byte >= 65 && byte <= 90) ||
    byte === 45 ||
    byte === 43 ||
    byte === 46
  );
}

/** Short ASCII is most of all JSON, and a decoder call costs more than the text. */
function decodeShort(bytes: Uint8Array, decoder: { decode(input: Uint8Array): string }): string {
  if (bytes.length > 64) return decoder.decode(bytes);
  let text = "";
  for (const byte of bytes) {
    if (byte > 0x7f) return decoder.decode(bytes);
    text += String.fromCharCode(byte);
  }
  return text;
}
