const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();
/** From here on the engine encodes sooner than code of ours counts, however often it has run. */
const ENCODE_FROM_CHARS = 1024;
/** UTF-16 units that are encoded at once. */
const ENCODED_UNITS = 64 * 1024;

/** Bytes as text; what is not valid UTF-8 becomes replacement characters. */
export function decode(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** The UTF-8 bytes of a text, piece by piece in a reused buffer; lone surrogates become replacement characters. */
export function* encodeSlices(text: string): Generator<Uint8Array, void, void> {
  const buffer = new Uint8Array(Math.min(text.length, ENCODED_UNITS + 1) * 3);
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + ENCODED_UNITS);
    const last = text.charCodeAt(end - 1);
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end++;
    yield buffer.subarray(0, encoder.encodeInto(text.slice(start, end), buffer).written);
    start = end;
  }
}

/** UTF-8 bytes of a text. */
export function byteLength(text: string): number {
  let bytes = text.length;
  if (bytes >= ENCODE_FROM_CHARS) {
    bytes = 0;
    for (const slice of encodeSlices(text)) bytes += slice.length;
    return bytes;
  }
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    else if (unit >= 0xd800 && unit <= 0xdbff && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) {
      bytes += 2;
      index++;
    } else bytes += 2;
  }
  return bytes;
}

/** True for a byte that goes on with a code point. */
export function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/**
 * The largest position not after `end` at which no code point is split, given the bytes around it. Looks back at most
 * three bytes; bytes that are no valid UTF-8 are never moved.
 */
export function floorCodePoint(bytes: Uint8Array, end: number): number {
  if (end <= 0 || end >= bytes.length) return Math.max(0, Math.min(end, bytes.length));
  for (let back = 1; back <= 3 && end - back >= 0; back++) {
    const byte = bytes[end - back] as number;
    if (isContinuation(byte)) continue;
    const length = sequenceLength(byte);
    if (length <= back) return end;
    for (let at = end - back + 1; at < end - back + length; at++) {
      // Bytes beyond the end of what we have might complete the sequence, so they count as if they did.
      if (at < bytes.length && !isContinuation(bytes[at])) return end;
    }
    return end - back;
  }
  return end;
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf0 && lead <= 0xf4) return 4;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  return 1;
}
