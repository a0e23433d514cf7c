const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
const REPLACEMENT = 0xfffd;
const OUTPUT_BYTES = 256 * 1024;

const SIMPLE = new Map<number, number>([
  [0x22, 0x22],
  [0x5c, 0x5c],
  [0x2f, 0x2f],
  [0x62, 0x08],
  [0x66, 0x0c],
  [0x6e, 0x0a],
  [0x72, 0x0d],
  [0x74, 0x09],
]);

/**
 * Turns the inside of a JSON string, as UTF-8 chunks, into the UTF-8 bytes of its value, in bounded memory.
 * A lone surrogate becomes U+FFFD, as it does when a JavaScript string is encoded. Throws on an escape JSON does not have.
 */
export async function* unescapeJson(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let output = Buffer.allocUnsafe(OUTPUT_BYTES);
  let used = 0;
  let high = 0;
  let held: Uint8Array = new Uint8Array(0);

  const put = (codePoint: number): void => {
    if (codePoint < 0x80) output[used++] = codePoint;
    else if (codePoint < 0x800) {
      output[used++] = 0xc0 | (codePoint >> 6);
      output[used++] = 0x80 | (codePoint & 0x3f);
    } else if (codePoint < 0x10000) {
      output[used++] = 0xe0 | (codePoint >> 12);
      output[used++] = 0x80 | ((codePoint >> 6) & 0x3f);
      output[used++] = 0x80 | (codePoint & 0x3f);
    } else {
      output[used++] = 0xf0 | (codePoint >> 18);
      output[used++] = 0x80 | ((codePoint >> 12) & 0x3f);
      output[used++] = 0x80 | ((codePoint >> 6) & 0x3f);
      output[used++] = 0x80 | (codePoint & 0x3f);
    }
  };
  const endHigh = (): void => {
    if (high !== 0) put(REPLACEMENT);
    high = 0;
  };
  const unit = (value: number): void => {
    if (value >= 0xdc00 && value <= 0xdfff) {
      if (high === 0) put(REPLACEMENT);
      else put(0x10000 + ((high - 0xd800) << 10) + (value - 0xdc00));
      high = 0;
      return;
    }
    endHigh();
    if (value >= 0xd800 && value <= 0xdbff) high = value;
    else put(value);
  };

  for await (const next of chunks) {
    const chunk = held.length === 0 ? next : Buffer.concat([held, next]);
    held = new Uint8Array(0);
    let at = 0;
    while (at < chunk.length) {
      if (used > OUTPUT_BYTES - 8) {
        yield output.subarray(0, used);
        output = Buffer.allocUnsafe(OUTPUT_BYTES);
        used = 0;
      }
      const byte = chunk[at]!;
      if (byte !== BACKSLASH) {
        if (high !== 0) endHigh();
        output[used++] = byte;
        at += 1;
        continue;
      }
      const kind = chunk[at + 1];
      if (kind === undefined || (kind === LOWER_U && at + 6 > chunk.length)) {
        held = chunk.slice(at);
        break;
      }
      if (kind === LOWER_U) {
        unit(parseHex(chunk, at + 2));
        at += 6;
        continue;
      }
      const plain = SIMPLE.get(kind);
      if (plain === undefined) throw new SyntaxError(`Unknown escape \\${String.fromCharCode(kind)} in a JSON string`);
      endHigh();
      output[used++] = plain;
      at += 2;
    }
  }
  if (held.length > 0) throw new SyntaxError("A JSON string ends inside an escape");
  endHigh();
  if (used > 0) yield output.subarray(0, used);
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
