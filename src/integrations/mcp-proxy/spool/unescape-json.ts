const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
const REPLACEMENT = 0xfffd;
const EMPTY = Buffer.alloc(0);

/** Runs of plain bytes up to this length are copied byte by byte: quicker than a call for so few. */
const SHORT_RUN_BYTES = 48;

/** What a one-letter escape stands for, by its letter; 0 where JSON has none. */
const SIMPLE = new Uint8Array(256);
for (const [letter, byte] of Object.entries({
  '"': 0x22,
  "\\": 0x5c,
  "/": 0x2f,
  b: 0x08,
  f: 0x0c,
  n: 0x0a,
  r: 0x0d,
  t: 0x09,
}))
  SIMPLE[letter.charCodeAt(0)] = byte;

/**
 * Turns the inside of a JSON string, as UTF-8 chunks, into the UTF-8 bytes of its value, in bounded memory.
 * A lone surrogate becomes U+FFFD, as it does when a JavaScript string is encoded. Throws on an escape JSON does not have.
 */
export async function* unescapeJson(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const decoder = new EscapeDecoder();
  let held = EMPTY;
  for await (const next of chunks) {
    const view = Buffer.from(next.buffer, next.byteOffset, next.byteLength);
    const chunk = held.length === 0 ? view : Buffer.concat([held, view]);
    const whole = chunk.length - openEscapeBytes(chunk);
    held = Buffer.from(chunk.subarray(whole));
    const piece = chunk.subarray(0, whole);
    if (piece.length > 0) yield piece.includes("\\u") || decoder.open ? decoder.decode(piece) : decodePlain(piece);
  }
  if (held.length > 0) throw new SyntaxError("A JSON string ends inside an escape");
  const rest = decoder.end();
  if (rest.length > 0) yield rest;
}

/** Decodes a piece that has one-letter escapes only. */
function decodePlain(piece: Buffer): Buffer {
  const output = Buffer.allocUnsafe(piece.length);
  let used = 0;
  for (let at = 0; ; at += 2) {
    const backslash = piece.indexOf(BACKSLASH, at);
    const end = backslash < 0 ? piece.length : backslash;
    if (end - at > SHORT_RUN_BYTES) {
      output.set(piece.subarray(at, end), used);
      used += end - at;
      at = end;
    } else while (at < end) output[used++] = piece[at++]!;
    if (backslash < 0) return output.subarray(0, used);
    output[used++] = simpleEscape(piece[at + 1]!);
  }
}

function simpleEscape(letter: number): number {
  const byte = SIMPLE[letter]!;
  if (byte === 0) throw new SyntaxError("A JSON string has an escape that JSON does not know");
  return byte;
}

/** Bytes at the end that belong to an escape whose rest is in the next chunk. */
function openEscapeBytes(chunk: Buffer): number {
  for (let back = 1; back <= 5 && back <= chunk.length; back += 1) {
    const at = chunk.length - back;
    if (chunk[at] !== BACKSLASH) continue;
    let start = at;
    while (start > 0 && chunk[start - 1] === BACKSLASH) start -= 1;
    if ((at - start) % 2 === 1) return 0;
    return back === 1 || chunk[at + 1] === LOWER_U ? back : 0;
  }
  return 0;
}

/** Decodes pieces that end between escapes, and keeps a high surrogate until its partner comes. */
class EscapeDecoder {
  #output: Buffer = EMPTY;
  #used = 0;
  #high = 0;

  /** True while a high surrogate waits. */
  get open(): boolean {
    return this.#high !== 0;
  }

  decode(piece: Buffer): Buffer {
    this.#output = Buffer.allocUnsafe(piece.length + 3);
    this.#used = 0;
    let at = 0;
    while (at < piece.length) {
      const byte = piece[at]!;
      if (byte !== BACKSLASH) {
        this.#flush();
        this.#output[this.#used++] = byte;
        at += 1;
      } else if (piece[at + 1] === LOWER_U) {
        this.#unit(parseHex(piece, at + 2));
        at += 6;
      } else {
        this.#flush();
        this.#output[this.#used++] = simpleEscape(piece[at + 1]!);
        at += 2;
      }
    }
    return this.#output.subarray(0, this.#used);
  }

  end(): Buffer {
    this.#output = Buffer.allocUnsafe(3);
    this.#used = 0;
    this.#flush();
    return this.#output.subarray(0, this.#used);
  }

  #unit(value: number): void {
    if (value >= 0xdc00 && value <= 0xdfff) {
      this.#put(this.#high === 0 ? REPLACEMENT : 0x10000 + ((this.#high - 0xd800) << 10) + (value - 0xdc00));
      this.#high = 0;
      return;
    }
    this.#flush();
    if (value >= 0xd800 && value <= 0xdbff) this.#high = value;
    else this.#put(value);
  }

  /** A high surrogate whose partner did not come. */
  #flush(): void {
    if (this.#high === 0) return;
    this.#high = 0;
    this.#put(REPLACEMENT);
  }

  #put(codePoint: number): void {
    this.#used += this.#output.write(String.fromCodePoint(codePoint), this.#used, "utf8");
  }
}

function parseHex(chunk: Uint8Array, at: number): number {
  let value = 0;
  for (let index = at; index < at + 4; index += 1) {
    const byte = chunk[index]!;
    const lower = byte | 0x20;
    if (byte >= 0x30 && byte <= 0x39) value = value * 16 + byte - 0x30;
    else if (lower >= 0x61 && lower <= 0x66) value = value * 16 + lower - 0x57;
    else throw new SyntaxError("A \\u escape in a JSON string has a digit that is not hexadecimal");
  }
  return value;
}
