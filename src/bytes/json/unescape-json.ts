import { quickStringBytes } from "./compiled-string-bytes.ts";
import { BACKSLASH, type Copied, QUOTE } from "./string-bytes.ts";

const LOWER_U = 0x75;
/** Bytes of `\uXXXX`. */
const UNIT_BYTES = 6;
const REPLACEMENT = 0xfffd;
const NOTHING = Buffer.alloc(0);

/** What `JsonUnescaper` does, for chunks that are pulled. */
export async function* unescapeJson(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const unescaper = new JsonUnescaper();
  for await (const chunk of chunks) {
    const bytes = unescaper.write(chunk);
    if (bytes.length > 0) yield bytes;
  }
  const rest = unescaper.end();
  if (rest.length > 0) yield rest;
}

/**
 * Turns the inside of a JSON string, as UTF-8 chunks, into the UTF-8 bytes of its value, in bounded memory.
 * A lone surrogate becomes U+FFFD, as it does when a JavaScript string is encoded. Throws on an escape JSON does not have.
 */
export class JsonUnescaper {
  #held = NOTHING;
  #used = 0;

  /** How many bytes of the last chunk were decoded: not all when the closing quote, or what is no escape, is among them. */
  get used(): number {
    return this.#used;
  }

  /** True when the last byte taken begins an escape. */
  get insideEscape(): boolean {
    return this.#held.at(-1) === BACKSLASH;
  }

  /** The value's next bytes, most often in the memory of the chunk, which is overwritten. Stops at the closing quote. */
  write(chunk: Uint8Array): Uint8Array {
    const view = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const held = this.#held;
    const bytes = held.length === 0 ? view : Buffer.concat([held, view]);
    const copied: Copied = { from: 0, to: 0 };
    try {
      const piece = bytes.subarray(0, bytes.length - openBytes(bytes));
      decode(piece, copied);
      const ended = copied.from < piece.length;
      this.#held = ended ? NOTHING : Buffer.from(bytes.subarray(piece.length));
      this.#used = ended ? copied.from - held.length : view.length;
      return piece.subarray(0, copied.to);
    } catch (error) {
      this.#used = Math.max(0, copied.from - held.length);
      if (this.#used > 0) this.#held = NOTHING;
      throw error;
    }
  }

  end(): Uint8Array {
    const held = this.#held;
    if (held.length > 0 && (held.length !== UNIT_BYTES || !isHigh(parseUnit(held, 0))))
      throw new SyntaxError("A JSON string ends inside an escape");
    const copied: Copied = { from: 0, to: 0 };
    decode(held, copied);
    return held.subarray(0, copied.to);
  }
}

/** Decodes a piece in its own place, up to its end or the closing quote. */
function decode(piece: Buffer, copied: Copied): void {
  const strings = quickStringBytes();
  for (;;) {
    strings.copyUnescaped(piece, piece, copied);
    if (copied.from >= piece.length || piece[copied.from] === QUOTE) return;
    if (piece[copied.from + 1] !== LOWER_U)
      throw new SyntaxError("A JSON string has an escape that JSON does not know");
    copied.to += piece.write(String.fromCodePoint(takeCodePoint(piece, copied)), copied.to, "utf8");
  }
}

/** Bytes at the end of an escape that may go on in the next chunk, a high surrogate among them. */
function openBytes(bytes: Buffer): number {
  const tail = bytes.subarray(-UNIT_BYTES);
  const back = tail.length - tail.lastIndexOf(BACKSLASH);
  const last = bytes.length - back;
  if (back > tail.length || !isEscape(bytes, last)) return 0;
  if (back > 1 && bytes[last + 1] !== LOWER_U) return 0;
  if (back === UNIT_BYTES) return isHigh(parseUnit(bytes, last)) ? back : 0;
  const before = last - UNIT_BYTES;
  const afterHigh = before >= 0 && isUnit(bytes, before) && isHigh(parseUnit(bytes, before));
  return afterHigh ? back + UNIT_BYTES : back;
}

/** Whether a backslash begins an escape, and does not end one. */
function isEscape(bytes: Buffer, at: number): boolean {
  let start = at;
  while (start > 0 && bytes[start - 1] === BACKSLASH) start -= 1;
  return (at - start) % 2 === 0;
}

function isUnit(bytes: Buffer, at: number): boolean {
  return bytes[at] === BACKSLASH && bytes[at + 1] === LOWER_U && isEscape(bytes, at);
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** The code point of the escape at `copied.from`, which is moved behind it. */
function takeCodePoint(piece: Buffer, copied: Copied): number {
  const unit = parseUnit(piece, copied.from);
  copied.from += UNIT_BYTES;
  if (isLow(unit)) return REPLACEMENT;
  if (!isHigh(unit)) return unit;
  if (piece[copied.from] !== BACKSLASH || piece[copied.from + 1] !== LOWER_U) return REPLACEMENT;
  const low = parseUnit(piece, copied.from);
  if (!isLow(low)) return REPLACEMENT;
  copied.from += UNIT_BYTES;
  return 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
}

/** The value of the `\uXXXX` at `at`. */
function parseUnit(bytes: Buffer, at: number): number {
  let value = 0;
  for (let index = at + 2; index < at + UNIT_BYTES; index += 1) {
    const byte = bytes[index]!;
    const lower = byte | 0x20;
    if (byte >= 0x30 && byte <= 0x39) value = value * 16 + byte - 0x30;
    else if (lower >= 0x61 && lower <= 0x66) value = value * 16 + lower - 0x57;
    else throw new SyntaxError("A \\u escape in a JSON string has a digit that is not hexadecimal");
  }
  return value;
}

/** Turns the UTF-8 bytes of a text into the inside of a JSON string, chunk by chunk. */
export async function* escapeJson(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  for await (const chunk of chunks) yield escapeText(decoder.decode(chunk, { stream: true }));
  yield escapeText(decoder.decode());
}

function escapeText(text: string): Buffer {
  return Buffer.from(JSON.stringify(text).slice(1, -1));
}
